from dragoman.cluster.changes import Change
from dragoman.cluster.points import StoredDocument
from dragoman.cluster.statistics import Layer
from dragoman.types import Document


def test_a_journalled_batch_comes_back_as_it_was():
    odd = Document("odd/\udcff id", "Bread \udc80.", "Title", "en", {"year": 7, "n\udcff": ["x"]})
    delta = Layer(counts={"en": 1}, fields={"year": 1}, facts={"a": "b"})
    change = Change(4, [StoredDocument(odd, {}, 4)], ["gone", "\udcff"], delta)
    again = Change.from_bytes(change.to_bytes())
    assert (again.batch, again.deleted) == (4, ["gone", "\udcff"])
    assert [(one.document, one.version) for one in again.added] == [(odd, 4)]
    assert (again.delta.counts, again.delta.facts) == ({"en": 1}, {"a": "b"})
