"""An index that is built, searched and changed, with the psq system on small collections."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

import dragoman
from dragoman.errors import IndexFault, InputError, UnknownName, UserError
from dragoman.indexes import reading
from dragoman.indexes.edge import EdgeStore
from dragoman.indexes.engine import CHANGED
from dragoman.types import Document

SEA = [
    Document("tide", "The tide rises because of the moon.", "Tides", "en", {"year": 2001}),
    Document("bread", "Bread rises because of yeast.", "Bread", "en", {"year": 2005}),
    Document("brot", "Brot geht auf wegen der Hefe.", "Brot", "de", {"year": 2010}),
]


@pytest.fixture
def index(tmp_path):
    with dragoman.index(SEA, tmp_path / "index", system="psq") as built:
        yield built


def found(index, text, **options):
    return [hit.doc_id for hit in index.search(text, **options).ranking.hits]


def test_a_query_finds_the_documents_that_share_its_words(index):
    assert found(index, "moon tide", language="en") == ["tide"]
    assert found(index, "rises", language="en") == ["bread", "tide"]
    answer = index.search("moon", language="en")
    assert answer.documents == (SEA[0],)
    assert answer.detection is None


def test_the_language_of_a_query_is_detected_and_said(index):
    answer = index.search("Warum geht das Brot mit der Hefe auf?")
    assert answer.query.language == "de"
    assert answer.detection is not None


def test_filters_run_inside_the_search(index):
    assert found(index, "rises", language="en", where=["year>2002"]) == ["bread"]
    assert found(index, "rises", language="en", within=["de"]) in ([], ["brot"])
    with pytest.raises(UserError, match="no documents in fr; it has de, en"):
        index.search("rises", language="en", within=["fr"])


def test_changes_are_seen_at_once_and_counted(index):
    index.add([Document("moon", "The moon, the moon.", language="en"), SEA[1]])
    assert found(index, "moon", language="en") == ["moon", "tide"]
    assert index.count() == 4
    assert index.delete(["tide", "nowhere"]) == 1
    assert found(index, "moon", language="en") == ["moon"]


def test_languages_are_counted_again_when_somebody_looked_just_before_a_change(index, monkeypatch):
    add = EdgeStore.add

    def while_another_looks(self, records):
        assert "fr" not in index.languages
        add(self, records)

    monkeypatch.setattr(EdgeStore, "add", while_another_looks)
    index.add([Document("pain", "Le pain monte grâce à la levure.", language="fr")])
    assert index.languages == {"de": 1, "en": 2, "fr": 1}
    assert found(index, "levure", within=["fr"], language="fr") == ["pain"]


def test_of_documents_with_one_id_the_last_is_kept(index):
    twice = [replace(SEA[0], text=f"The tide falls {number}.") for number in range(300)]
    assert index.add(twice) == 300  # more than are encoded together
    assert index.count() == 3
    assert index.store.documents(["tide"]) == [twice[-1]]


def test_threads_that_come_together_open_an_index_once(index, tmp_path):
    index.close()
    with dragoman.open(tmp_path / "index") as again, ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(found, again, "moon tide", language="en") for _ in range(16)]
        assert all(each.result() == ["tide"] for each in asked)


def scores(index, text):
    hits = index.search(text, k=100, language="en").ranking.hits
    return {hit.doc_id: hit.score for hit in hits}


def test_after_any_changes_scores_are_those_of_a_fresh_build(index, tmp_path):
    index.add([Document("x", "rises the sun", language="en")])
    index.add([replace(SEA[0], text="The tide falls.")])
    index.delete(["x"])
    index.add([SEA[0]])
    with dragoman.index(SEA, tmp_path / "fresh", system="psq") as fresh:
        assert scores(index, "the tide rises") == pytest.approx(scores(fresh, "the tide rises"))


def test_an_index_opened_again_answers_alike(index, tmp_path):
    before = scores(index, "the tide rises")
    index.add([Document("y", "tide tide", language="en")])
    index.delete(["y"])
    index.close()
    assert not (index.folder / CHANGED).exists()
    with dragoman.open(tmp_path / "index") as again:
        assert scores(again, "the tide rises") == pytest.approx(before)


def abandon(index):
    """Leave it as a killed process does: no counts are written."""
    index.store.close()
    index.__init__(index.folder)


def test_counts_are_taken_again_when_they_were_not_written(index, tmp_path):
    index.add([Document("y", "tide tide", language="en")])
    expected = scores(index, "the tide rises")
    abandon(index)
    assert (tmp_path / "index" / CHANGED).exists()
    with dragoman.open(tmp_path / "index") as again:
        assert scores(again, "the tide rises") == pytest.approx(expected)
        assert not (tmp_path / "index" / CHANGED).exists()


def test_a_large_index_without_arrays_says_so_until_it_is_optimised(index, monkeypatch):
    index.close()
    (index.folder / "store" / "mirror").unlink()
    monkeypatch.setattr(reading, "EXACT_BELOW", 0)
    with dragoman.open(index.folder) as slow:
        answer = slow.search("moon tide", language="en")
        assert [hit.doc_id for hit in answer.ranking.hits] == ["tide"]
        assert "no arrays beside the store" in answer.notices[0]
        slow.optimize()
        assert slow.search("moon tide", language="en").notices == ()


def test_arrays_are_made_again_with_the_counts_after_a_crash(index, tmp_path):
    index.add([Document("y", "tide tide", language="en")])
    abandon(index)
    (tmp_path / "index" / "store" / "mirror").unlink()
    with dragoman.open(tmp_path / "index") as again:
        assert found(again, "tide", language="en") == ["y", "tide"]
        assert again.store.is_mirrored(["psq"])


def test_building_again_replaces_and_a_failed_build_does_not(index, tmp_path):
    index.close()
    with pytest.raises(InputError, match="'a' a second time, as number 2"):
        dragoman.index([Document("a", "x", language="en")] * 2, tmp_path / "index", system="psq")
    with pytest.raises(InputError, match="no document at all"):
        dragoman.index([], tmp_path / "index", system="psq")
    with dragoman.open(tmp_path / "index") as old:
        assert old.count() == 3
    with dragoman.index(SEA[:1], tmp_path / "index", system="psq") as new:
        assert new.count() == 1
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_a_build_goes_on_where_it_was_killed(tmp_path, monkeypatch):
    documents = [Document(f"d{n}", f"word{n} tide", language="en") for n in range(600)]
    from dragoman.systems.lexical.resident import ResidentPsq

    encoded = []
    vectors = ResidentPsq.vectors

    def killed(self, batch):
        if len(encoded) >= 256:
            raise KeyboardInterrupt
        encoded.extend(batch)
        return vectors(self, batch)

    monkeypatch.setattr(ResidentPsq, "vectors", killed)
    with pytest.raises(KeyboardInterrupt):
        dragoman.index(documents, tmp_path / "index", system="psq")
    assert not (tmp_path / "index").exists()
    encoded.clear()

    def counted(self, batch):
        encoded.extend(batch)
        return vectors(self, batch)

    monkeypatch.setattr(ResidentPsq, "vectors", counted)
    with dragoman.index(documents, tmp_path / "index", system="psq") as index:
        assert index.count() == 600
        assert len(encoded) == 600 - 256
        assert found(index, "word5", language="en") == ["d5"]


def test_what_is_no_index_is_left_alone(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"cat")
    with pytest.raises(IndexFault, match="left alone"):
        dragoman.index(SEA, tmp_path / "photos", system="psq")
    with pytest.raises(IndexFault, match=r"found no manifest\.json"):
        dragoman.open(tmp_path / "photos")
    assert (tmp_path / "photos" / "cat.jpg").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 99}, "found index format 99"),
        ({"format": 2}, "found index format 2; .* build the index again"),
        ({"settings": {"k1": 9.0}}, "built with b = None"),
    ],
)
def test_an_index_that_does_not_fit_is_refused(index, change, message):
    index.close()
    path = index.folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(IndexFault, match=message), dragoman.open(index.folder) as opened:
        opened.search("tide", language="en")


def test_unbounded_input_is_refused(index):
    with pytest.raises(UserError, match="at most 100,000"):
        index.search("a" * 100_001)
    with pytest.raises(UserError, match="expected 1 to 10,000"):
        index.search("a", k=0)
    with pytest.raises(UnknownName, match="Unknown system 'bm26'"):
        dragoman.index(SEA, index.folder, system="bm26")
