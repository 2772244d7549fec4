import numpy as np
import pytest

from dragoman.cluster.points import StoredDocument, payload_of, point_id, read_payload
from dragoman.cluster.statistics import Layer, Statistics
from dragoman.errors import IndexFault
from dragoman.indexes.memtable import pack_record
from dragoman.indexes.spaces import Counts, Record, Space, SpaceKind
from dragoman.types import Document

SPACES = (
    Space("psq", SpaceKind.COUNTS),
    Space("words", SpaceKind.WORDS),
    Space("dense", SpaceKind.ROWS, 2),
)


def stored(doc_id: str, dimensions: list[int], words: list[str], language: str = "en", **metadata):
    counts = Counts(np.array(dimensions, np.uint32), np.ones(len(dimensions)), len(words))
    vectors = {"psq": counts, "words": words, "dense": np.ones((1, 2))}
    document = Document(doc_id, " ".join(words), "", language, metadata)
    return StoredDocument(document, pack_record(Record(document, vectors), SPACES))


ONE = stored("a", [1, 5, 2**32 - 1], ["tide", "moon", "moon"], year=2001)
TWO = stored("b", [5, 9], ["bread"], year=2002, kind="x")
THREE = stored("c", [5], [], "de")


def layer(added, removed=(), **facts):
    return Layer.of_change(added, removed, SPACES, facts)


def facts_of(layers):
    statistics = Statistics(len(layers), tuple(layers))
    wanted = np.array([1, 2, 5, 9, 2**32 - 1])
    return (
        statistics.languages,
        statistics.mean_lengths("psq"),
        statistics.frequencies("psq", wanted).tolist(),
        statistics.fields,
    )


def test_statistics_are_those_of_the_documents_that_are_left():
    whole = [layer([ONE, TWO, THREE])]
    assert facts_of(whole) == (
        {"de": 1, "en": 2},
        {"en": 2.0},
        [1, 0, 3, 1, 1],
        ["kind", "year"],
    )
    changed = [layer([ONE, TWO]), layer([THREE], [TWO]), layer([TWO], [THREE]), layer([THREE])]
    assert facts_of(changed) == facts_of(whole)
    assert facts_of([layer([ONE, TWO]), layer([], [TWO])]) == facts_of([layer([ONE])])


def test_layers_are_summed_and_stored_without_a_loss():
    layers = [layer([ONE], a="1", b="2"), layer([TWO, THREE], b="3"), layer([], [THREE])]
    total = Layer.sum(layers)
    again = Layer.from_bytes(total.to_bytes())
    assert facts_of([again]) == facts_of([total]) == facts_of(layers)
    assert again.facts == {"a": "1", "b": "3"}
    assert again.words == {"words": {"en": ("bread", "moon", "tide"), "de": ()}}
    assert [name for name, _ in again.same_names("words", "moons", "en")] == ["moon"]


def test_a_point_holds_a_document_bit_for_bit_and_notices_damage():
    payload = payload_of(ONE, SPACES, 7)
    read = read_payload(payload)
    assert read.document == ONE.document
    assert read.vectors.keys() == {"psq", "dense"}
    assert np.array_equal(read.vectors["psq"]["dimensions"], ONE.vectors["psq"]["dimensions"])
    with pytest.raises(IndexFault, match="found a damaged point"):
        read_payload({**payload, "document": payload["document"].replace("moon", "noon")})
    assert point_id("a") != point_id("b")
