"""The second stage: fused scores by hand, and any system over an index of any other."""

import json

import numpy as np
import pytest

import dragoman
from dragoman.errors import ConfigError, IndexFault, UnknownName
from dragoman.indexes.second import Rerank, load_saved, reranked
from dragoman.ranking.balance import Balance
from dragoman.types import Document, Hit, Part, Query
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
    """A second system whose scores can be seen: minus the length of a text; none for empty ones."""

    def encode_queries(self, texts):
        return [0.0 for _ in texts]

    def encode_documents(self, texts):
        return [float(len(text.body)) or np.nan for text in texts]

    def score(self, query, documents):
        return query - np.array(documents)


def fused(hits, texts, languages=None, balance=Balance.OFF, **options):
    codes = languages or ["en"] * len(texts)
    documents = {
        hit.doc_id: Document(hit.doc_id, text, language=code)
        for hit, text, code in zip(hits, texts, codes, strict=False)
    }
    rerank = Rerank("length", **options)
    query = Query("q", "water", "en")
    found = reranked(query, hits, documents, ByLength(), rerank, first="words", balance=balance)
    return list(found.hits)


def test_scores_are_those_worked_by_hand():
    hits = [Hit("a", 3.0), Hit("b", 1.0)]  # deviation 1
    best, second = fused(hits, ["xxxx", "xx"], weight=0.25)  # z of -4 and -2: -1 and 1
    assert (best.doc_id, best.score) == ("a", pytest.approx(0.75 * 3 - 0.25))
    assert (second.doc_id, second.score) == ("b", pytest.approx(0.75 * 1 + 0.25))
    assert best.parts == (Part("words", 3.0, 2.25), Part("length", -4.0, -0.25))


def test_what_the_parts_added_is_the_score():
    hits = [
        Hit("a", 2.0, (Part("psq", 9.0, 1.5), Part("dense", 0.5, 0.5))),
        Hit("b", 1.0, (Part("psq", 7.0, 1.0),)),
        Hit("c", 0.5, (Part("dense", 0.1, 0.5),)),
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
    found = fused(hits, texts, depth=2, weight=0.9)
    assert [hit.doc_id for hit in found] == ["b", "a", "c", "d"]
    assert found == sorted(found, key=lambda hit: -hit.score)


def test_a_document_that_is_gone_is_left_out_and_one_without_a_score_is_not():
    hits = [Hit("a", 3.0), Hit("b", 2.0), Hit("c", 1.0)]
    found = {hit.doc_id: hit for hit in fused(hits, ["xx", ""])}
    assert found.keys() == {"a", "b"}
    assert [part.system for part in found["b"].parts] == ["words"]
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
    ("wrong", "said"),
    [
        ({"weight": 1.5}, "between 0"),
        ({"depth": 0}, "1 or"),
        ({"seconds": 0.0}, "seconds must be above 0"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, said):
    with pytest.raises(ConfigError, match=said):
        Rerank("idf", **wrong)


@pytest.fixture
def index(tmp_path):
    with dragoman.index(WATER, tmp_path / "index", system="psq") as built:
        yield built


@pytest.mark.parametrize("system", ["bm25", "idf", "psq", "tf"])
def test_any_system_can_follow_the_first(index, system):
    answer = index.search("water house", language="en", rerank=system)
    assert answer.ranking.hits[0].doc_id == "en-2"
    for hit in answer.ranking.hits:
        assert {part.system for part in hit.parts} == {"psq", system} or system == "psq"
        assert hit.score == pytest.approx(sum(part.added for part in hit.parts))


def test_second_scores_are_those_of_the_system_over_all_documents(index):
    from dragoman.protocols import silent
    from dragoman.systems.lexical.distance import Idf

    alone = Idf.build(WATER, Idf.configure({}), silent)
    query = Query("q", "water house", "en")
    expected = {hit.doc_id: hit.score for hit in alone.search(query, 10).hits}
    for hit in index.rank(query, 10, rerank="idf").hits:
        assert hit.parts[-1].score == pytest.approx(expected[hit.doc_id], rel=1e-5, abs=1e-6)


def test_a_shorter_answer_is_the_beginning_of_a_longer_one(index):
    query = Query("q", "water fire house", "en")
    longer = index.rank(query, 5, rerank=Rerank("idf", depth=3)).hits
    for k in range(1, 5):
        assert index.rank(query, k, rerank=Rerank("idf", depth=3)).hits == longer[:k]


def test_the_second_system_is_kept_and_made_again_when_much_has_changed(index):
    query = Query("q", "water house", "en")
    index.rank(query, 3, rerank="idf")
    counted = index.folder / "second" / "idf" / "counted.json"
    assert json.loads(counted.read_text()) == 6
    index.add([Document(f"more-{n}", "water and more", language="en") for n in range(3)])
    index.close()
    with dragoman.open(index.folder) as again:
        again.rank(query, 3, rerank="idf")
    assert json.loads(counted.read_text()) == 9


def test_a_kept_system_that_this_installation_refuses_is_made_again(index):
    query = Query("q", "water house", "en")
    before = index.rank(query, 3, rerank="idf")
    settings = index.folder / "second" / "idf" / "config.json"
    settings.write_text("{}", encoding="utf-8")
    index.close()
    with dragoman.open(index.folder) as again:
        assert again.rank(query, 3, rerank="idf") == before
    assert json.loads(settings.read_text())["system"] == "idf"


def test_a_saved_system_is_named_by_its_folder(index, tmp_path):
    toy_encoder("en", {"water": 0, "fire": 1, "house": 2}).save(tmp_path / "encoder")
    from dragoman.protocols import silent
    from dragoman.systems.dense.system import DenseSystem

    settings = {"encoder": str(tmp_path / "encoder"), "shipped_students": False}
    (tmp_path / "mine").mkdir()
    DenseSystem.build([], DenseSystem.configure(settings), silent).save(tmp_path / "mine")
    hits = index.search("fire", language="en", rerank=str(tmp_path / "mine")).ranking.hits
    assert [part.system for part in hits[0].parts] == ["psq", "mine"]


def test_what_is_no_system_is_said(index, tmp_path):
    with pytest.raises(UnknownName, match="Did you mean 'idf'"):
        index.search("water", language="en", rerank="idff")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(IndexFault, match="no settings of a saved system"):
        load_saved(tmp_path)


def test_a_query_that_nobody_reads_is_noticed(index):
    assert index.search("water", language="en").notices == ()
    (notice,) = index.search("빵", language="ko").notices
    assert "no translation table for ko" in notice


class Clock:
    """A time that passes only where somebody reads."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


class Slow(ByLength):
    """A second system that takes a second for a document."""

    def __init__(self, clock):
        self.clock = clock

    def score(self, query, documents):
        self.clock.now += len(documents)
        return super().score(query, documents)


@pytest.mark.parametrize("weight", [0.5, 1.0])
@pytest.mark.parametrize(("seconds", "reached"), [(100.0, 12), (7.5, 7), (4.0, 4), (0.1, 4)])
def test_what_there_is_no_time_for_stays_below_in_its_order(monkeypatch, weight, seconds, reached):
    clock = Clock()
    monkeypatch.setattr("dragoman.indexes.second.time", clock)
    names = [f"{letter}" for letter in "zyxwvutsrqpo"]
    hits = [Hit(name, 20.0 - place) for place, name in enumerate(names)]
    documents = {
        name: Document(name, "x" * (20 - place), language="en") for place, name in enumerate(names)
    }
    rerank = Rerank("slow", weight=weight, depth=12, seconds=seconds)
    query, off = Query("q", "water", "en"), Balance.OFF
    found = reranked(query, hits, documents, Slow(clock), rerank, first="words", balance=off)
    assert found.unread == 12 - reached
    assert {hit.doc_id for hit in found.hits[:reached]} == set(names[:reached])
    assert [hit.doc_id for hit in found.hits[reached:]] == names[reached:]
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    told = [any(part.system == "slow" for part in hit.parts) for hit in found.hits]
    assert told == [True] * reached + [False] * (12 - reached)


def test_an_answer_says_that_time_was_too_short(index):
    short = index.search("water", language="en", rerank=Rerank("idf", seconds=1e-9))
    assert any("idf had 1e-09 s, too short for" in notice for notice in short.notices)
    enough = index.search("water", language="en", rerank=Rerank("idf", seconds=1e9))
    assert not any("too short" in notice for notice in enough.notices)
    assert enough.ranking.hits == index.search("water", language="en", rerank="idf").ranking.hits
