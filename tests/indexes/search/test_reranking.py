"""The second stage: fused scores by hand, and any system over an index of any other."""

import numpy as np
import pytest

import dragoman
from dragoman.errors import ConfigError, IndexFault, UnknownName
from dragoman.indexes.search.reranking import Rerank, load_saved, rerank_hits
from dragoman.ranking.balance import Balance
from dragoman.types import Document, Hit, Query, ScorePart
from toys import toy_encoder

WATER = [
    Document("en-1", "water water fire", language="en"),
    Document("en-2", "water house", language="en"),
    Document("en-3", "fire water water bread house man", language="en"),
    Document("de-1", "Wasser und Feuer", language="de"),
    Document("de-2", "Wasser Haus", language="de"),
    Document("en-4", "bread bread", language="en"),
]


class ByLength:
    """A second stage whose scores can be seen: minus the length of a text; none for empty ones."""

    def score(self, query, documents):
        del query
        return -np.array([float(len(document.text)) or np.nan for document in documents])


def fused(hits, texts, languages=None, balance=Balance.OFF, **options):
    codes = languages or ["en"] * len(texts)
    documents = {
        hit.doc_id: Document(hit.doc_id, text, language=code)
        for hit, text, code in zip(hits, texts, codes, strict=False)
    }
    rerank = Rerank("length", **options)
    query = Query("q", "water", "en")
    reranked = rerank_hits(
        query, hits, documents, ByLength(), rerank, first="words", balance=balance
    )
    return list(reranked.hits)


def test_scores_are_those_worked_by_hand():
    hits = [Hit("a", 3.0), Hit("b", 1.0)]  # deviation 1
    best, second = fused(hits, ["xxxx", "xx"], weight=0.25)  # z of -4 and -2: -1 and 1
    assert (best.doc_id, best.score) == ("a", pytest.approx(0.75 * 3 - 0.25))
    assert (second.doc_id, second.score) == ("b", pytest.approx(0.75 * 1 + 0.25))
    assert best.parts == (ScorePart("words", 3.0, 2.25), ScorePart("length", -4.0, -0.25))


def test_what_the_parts_added_is_the_score():
    hits = [
        Hit("a", 2.0, (ScorePart("psq", 9.0, 1.5), ScorePart("dense", 0.5, 0.5))),
        Hit("b", 1.0, (ScorePart("psq", 7.0, 1.0),)),
        Hit("c", 0.5, (ScorePart("dense", 0.1, 0.5),)),
    ]
    for hit in fused(hits, ["xxxx", "xx", "xxxxxxx"]):
        assert hit.score == pytest.approx(sum(part.added for part in hit.parts))
        assert hit.parts[-1].system == "length"


def test_weights_of_none_and_all_give_either_ranking():
    hits = [Hit("a", 3.0), Hit("b", 2.0), Hit("c", 1.0)]
    texts = ["xxx", "x", "xx"]
    assert [hit.doc_id for hit in fused(hits, texts, weight=0.0)] == ["a", "b", "c"]
    assert [hit.doc_id for hit in fused(hits, texts, weight=1.0)] == ["b", "c", "a"]


def test_documents_that_are_not_read_stay_below_in_their_order():
    hits = [Hit("a", 9.0), Hit("b", 8.0), Hit("c", 7.0), Hit("d", 6.9)]
    texts = ["xxxxxxxx", "x"]
    both = fused(hits, texts, depth=2, weight=0.9)
    assert [hit.doc_id for hit in both] == ["b", "a", "c", "d"]
    assert both == sorted(both, key=lambda hit: -hit.score)


def test_a_document_that_is_gone_is_left_out_and_one_without_a_score_is_not():
    hits = [Hit("a", 3.0), Hit("b", 2.0), Hit("c", 1.0)]
    both = {hit.doc_id: hit for hit in fused(hits, ["xx", ""])}
    assert both.keys() == {"a", "b"}
    assert [part.system for part in both["b"].parts] == ["words"]
    assert fused([], []) == []


def test_equal_scores_stand_in_the_order_of_ids():
    hits = [Hit("b", 1.0), Hit("a", 1.0)]
    assert [hit.doc_id for hit in fused(hits, ["x", "x"])] == ["a", "b"]


def test_balanced_languages_are_scaled_by_their_own_scores():
    hits = [Hit(f"{code}{n:02}", 1.0) for code in ("de", "en") for n in range(40)]
    texts = ["x" * (100 * (code == "de") + n + 1) for code in ("de", "en") for n in range(40)]
    languages = [hit.doc_id[:2] for hit in hits]
    apart = fused(hits, texts, languages)
    assert [hit.doc_id[:2] for hit in apart] == ["en"] * 40 + ["de"] * 40
    balanced = fused(hits, texts, languages, Balance.CALIBRATED)
    assert {hit.doc_id[:2] for hit in balanced[:40]} == {"de", "en"}
    in_turn = fused(hits, texts, languages, Balance.ROUND_ROBIN, depth=70)
    assert [hit.doc_id for hit in in_turn[:4]] == ["en00", "de00", "en01", "de01"]
    assert [hit.score for hit in in_turn] == [1 / place for place in range(1, 81)]
    assert [hit.doc_id for hit in in_turn[70:]] == [f"en{n}" for n in range(30, 40)]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"weight": 1.5}, "between 0"),
        ({"depth": 0}, "1 or"),
        ({"seconds": 0.0}, "seconds must be above 0"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, message):
    with pytest.raises(ConfigError, match=message):
        Rerank("idf", **wrong)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "second"


@pytest.fixture
def index(tmp_path, cache):
    with dragoman.index(WATER, tmp_path / "index", system="psq") as built:
        yield built


@pytest.mark.parametrize("system", ["bm25", "idf", "psq", "tf"])
def test_any_system_can_follow_the_first(index, system):
    answer = index.search("water house", language="en", rerank=system)
    assert answer.ranking.hits[0].doc_id == "en-2"
    for hit in answer.ranking.hits:
        assert {part.system for part in hit.parts} == {"psq", system} or system == "psq"
        assert hit.score == pytest.approx(sum(part.added for part in hit.parts))


@pytest.mark.parametrize("system", ["bm25", "idf", "psq", "tf"])
def test_second_scores_are_those_of_the_system_over_all_documents(index, tmp_path, system):
    query = Query("q", "water house", "en")
    with dragoman.index(WATER, tmp_path / "alone", system=system) as alone:
        everywhere = alone.scope(balance=Balance.OFF)
        expected = {hit.doc_id: hit.score for hit in alone.rank(query, 10, everywhere).hits}
    hits = index.rank(query, 10, rerank=system).hits
    assert {hit.doc_id for hit in hits} <= expected.keys()
    assert len(hits) == 5
    for hit in hits:
        assert hit.parts[-1].score == pytest.approx(expected[hit.doc_id], rel=1e-5, abs=1e-6)


def test_a_shorter_answer_is_the_beginning_of_a_longer_one(index):
    query = Query("q", "water fire house", "en")
    longer = index.rank(query, 5, rerank=Rerank("idf", depth=3)).hits
    for k in range(1, 5):
        assert index.rank(query, k, rerank=Rerank("idf", depth=3)).hits == longer[:k]


def test_a_filter_of_the_first_stage_holds_for_the_second(index):
    hits = index.search("water house", language="en", within=["de"], rerank="idf").ranking.hits
    assert [hit.doc_id for hit in hits] == ["de-2", "de-1"]


def test_a_system_that_weighs_by_statistics_is_indexed_once_for_a_state(index, cache):
    query, steps = Query("q", "water house", "en"), []
    index.second_stage(Rerank("idf"), lambda: steps.append(1))
    before = index.rank(query, 3, rerank="idf")
    assert len(steps) == len(WATER)
    index.close()
    with dragoman.open(index.folder) as again:
        again.second_stage(Rerank("idf"), lambda: steps.append(1))
        assert again.rank(query, 3, rerank="idf") == before
    assert len(steps) == len(WATER)
    (folder,) = (cache / index.manifest.identity).iterdir()
    assert folder.name.endswith("-idf")


def test_after_a_change_the_second_stage_is_of_the_new_state(index, cache):
    query = Query("q", "water house", "en")
    index.rank(query, 3, rerank="idf")
    (before,) = (cache / index.manifest.identity).iterdir()
    index.add([Document("de-0", "Wasser Haus", language="de")])
    hits = index.rank(query, 10, rerank="idf").hits
    assert "idf" in {part.system for hit in hits if hit.doc_id == "de-0" for part in hit.parts}
    (after,) = (cache / index.manifest.identity).iterdir()
    assert after != before
    with dragoman.open(after) as second:
        assert second.doc_ids() == index.doc_ids()


def test_the_index_itself_has_nothing_of_its_second_stages(index):
    query = Query("q", "water house", "en")
    index.rank(query, 3)
    before = sorted(path.name for path in index.folder.rglob("*"))
    index.rank(query, 3, rerank="idf")
    assert sorted(path.name for path in index.folder.rglob("*")) == before


def saved_dense(folder, language="en"):
    from dragoman.systems.dense.system import DenseSystem

    toy_encoder(language, {"water": 0, "fire": 1, "house": 2}).save(folder / "encoder")
    settings = {"encoder": str(folder / "encoder"), "shipped_students": False}
    (folder / "mine").mkdir()
    DenseSystem.create(DenseSystem.configure(settings)).save(folder / "mine")
    return folder / "mine"


def test_a_saved_system_that_reads_texts_alone_is_named_by_its_folder(index, tmp_path, cache):
    mine = saved_dense(tmp_path)
    hits = index.search("fire", language="en", rerank=str(mine)).ranking.hits
    assert [part.system for part in hits[0].parts] == ["psq", "mine"]
    assert not cache.exists()  # no other document tells its scores


def test_a_saved_system_that_weighs_by_statistics_is_refused(index):
    with pytest.raises(ConfigError, match=r"found 'psq', which weighs by .*\. Name psq itself"):
        index.search("fire", language="en", rerank=str(index.folder / "system"))


def test_what_is_no_system_is_said(index, tmp_path):
    with pytest.raises(UnknownName, match="Did you mean 'idf'"):
        index.search("water", language="en", rerank="idff")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(IndexFault, match="no settings of a saved system"):
        load_saved(tmp_path)


def test_a_query_that_nobody_reads_is_noticed(index):
    assert index.search("water", language="en").warnings == ()
    (warning,) = index.search("bara", language="cy").warnings
    assert "no translation table for cy" in warning


class Clock:
    """A time that passes only where somebody reads."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


class Slow(ByLength):
    """A second stage that takes a second for a document."""

    def __init__(self, clock):
        self.clock = clock

    def score(self, query, documents):
        self.clock.now += len(documents)
        return super().score(query, documents)


@pytest.mark.parametrize("weight", [0.5, 1.0])
@pytest.mark.parametrize(("seconds", "reached"), [(100.0, 12), (7.5, 7), (4.0, 4), (0.1, 4)])
def test_what_there_is_no_time_for_stays_below_in_its_order(monkeypatch, weight, seconds, reached):
    clock = Clock()
    monkeypatch.setattr("dragoman.indexes.search.reranking.time", clock)
    names = [f"{letter}" for letter in "zyxwvutsrqpo"]
    hits = [Hit(name, 20.0 - place) for place, name in enumerate(names)]
    documents = {
        name: Document(name, "x" * (20 - place), language="en") for place, name in enumerate(names)
    }
    rerank = Rerank("slow", weight=weight, depth=12, seconds=seconds)
    query, off = Query("q", "water", "en"), Balance.OFF
    reranked = rerank_hits(query, hits, documents, Slow(clock), rerank, first="words", balance=off)
    assert [f"too short for {12 - reached} of" in warning for warning in reranked.warnings] == [
        True
    ] * (reached < 12)
    assert {hit.doc_id for hit in reranked.hits[:reached]} == set(names[:reached])
    assert [hit.doc_id for hit in reranked.hits[reached:]] == names[reached:]
    scores = [hit.score for hit in reranked.hits]
    assert scores == sorted(scores, reverse=True)
    is_read = [any(part.system == "slow" for part in hit.parts) for hit in reranked.hits]
    assert is_read == [True] * reached + [False] * (12 - reached)


def test_an_answer_says_that_time_was_too_short(index):
    short = index.search("water", language="en", rerank=Rerank("idf", seconds=1e-9))
    assert any("idf had 1e-09 s, too short for" in warning for warning in short.warnings)
    enough = index.search("water", language="en", rerank=Rerank("idf", seconds=1e9))
    assert not any("too short" in warning for warning in enough.warnings)
    assert enough.ranking.hits == index.search("water", language="en", rerank="idf").ranking.hits
