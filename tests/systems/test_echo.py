import json
from dataclasses import replace
from math import exp, sqrt
from time import sleep

import numpy as np
import pytest

import dragoman
from dragoman.errors import ConfigError
from dragoman.indexes.spaces import Record
from dragoman.ranking.balance import Balance
from dragoman.systems.hybrid.asked import Asked
from dragoman.systems.hybrid.by_engine import ByEngine
from dragoman.systems.hybrid.by_mirror import ByMirror
from dragoman.systems.hybrid.config import HybridConfig
from dragoman.systems.hybrid.echo import MARGIN, TEMPERATURE, Best, Caller, callers, echoes
from dragoman.types import Document, Query, Text
from toys import toy_encoder

ENGLISH = {"water": 0, "fire": 1, "man": 2, "house": 3, "bread": 4, "tides": (0, 5)}
SWAHILI = {"maji": 0, "moto": 1, "mtu": 2, "nyumba": 3, "mkate": 4, "kupwa": (0, 5)}
OTHERS = 29
DOCUMENTS = [
    Document("en-right", "tides", language="en"),
    *(Document(f"en-{n:02d}", "fire man", language="en") for n in range(OTHERS)),
    Document("sw-right", "kupwa", language="sw"),
    *(Document(f"sw-{n:02d}", "moto mtu", language="sw") for n in range(OTHERS)),
]


@pytest.fixture
def readers(tmp_path):
    toy_encoder("en", ENGLISH).save(tmp_path / "encoders" / "en")
    toy_encoder("sw", SWAHILI).save(tmp_path / "encoders" / "sw")
    return {
        "encoder": str(tmp_path / "encoders" / "en"),
        "students": [str(tmp_path / "encoders" / "sw")],
        "shipped_students": False,
    }


def built(tmp_path, readers, documents=DOCUMENTS, **settings):
    settings = {"dense": readers, **settings}
    return dragoman.index(documents, tmp_path / "index", system="hybrid", settings=settings)


def echoing(ranking):
    return {hit.doc_id: part for hit in ranking.hits for part in hit.parts if part.system == "echo"}


@pytest.fixture
def index(tmp_path, readers):
    with built(tmp_path, readers) as index:
        yield index


@pytest.fixture(params=["mirror", "engine"])
def ask(request, index):
    """A question on its way; documents are told to it by name."""

    def asked() -> Asked:
        system, store, scope = index.system, index.store, index.scope()
        query = Query("q", "tides", "en")
        if request.param == "engine":
            return ByEngine(system.psq, system.dense, store, query, scope, system._beside)
        reflection = store.reflection(system.mirrored, scope.allowed)
        return ByMirror(system.psq, system.dense, reflection, query, scope, system._beside)

    return asked


def numbers(asked, index, *doc_ids):
    """What the documents are called on the way; any but the engine's way numbers them itself."""
    if isinstance(asked, ByEngine):
        return asked._numbered(doc_ids).tolist()
    return index.store._mirror.numbers_of(doc_ids).tolist()


def test_a_translation_stands_out_by_the_margin_worked_by_hand(index, ask):
    (record,) = index.store.find(["en-right"], ["dense"])
    caller = Caller("en", 0.5, record.vectors["dense"][0])
    asked = ask()
    heard = {
        code: {asked.name(number): distance for number, distance in found.items()}
        for code, found in echoes(asked, [caller], ["en", "sw"]).items()
    }
    # one cosine of 1 among 29 of 0: its z-score is the square root of 29
    distance = pytest.approx(0.5 * (sqrt(OTHERS) - MARGIN), rel=1e-3)
    assert heard == {"sw": {"sw-right": distance}}


def test_better_hits_call_louder(index, ask):
    asked = ask()
    loud, quiet = numbers(asked, index, "en-right", "en-00")
    hits = [Best("en", loud, 3.0), Best("en", quiet, 1.0)]
    first, second = callers(asked, hits)
    assert first.weight / second.weight == pytest.approx(exp(2.0 / TEMPERATURE))
    assert first.weight + second.weight == pytest.approx(1.0)
    assert callers(asked, []) == []


def test_a_hit_without_a_vector_does_not_call(index, ask):
    index.store.add([Record(Document("en-mute", "x", language="en"), {})])
    asked = ask()
    (mute,) = numbers(asked, index, "en-mute")
    assert callers(asked, [Best("en", mute, 3.0)]) == []


def test_of_long_documents_the_middle_passage_calls(index, ask):
    rows = np.eye(8, dtype=np.float32)[[1, 4, 2]]
    index.store.add([Record(Document("long", "x", language="en"), {"dense": rows})])
    asked = ask()
    (caller,) = callers(asked, [Best("en", *numbers(asked, index, "long"), 1.0)])
    assert caller.vector.tolist() == rows[1].tolist()


def test_both_ways_know_how_many_passages_a_document_has(index, ask):
    rows = np.eye(8, dtype=np.float32)[[1, 4]]
    index.store.add([Record(Document("long", "x", language="en"), {"dense": rows})])
    index.store.add([Record(Document("mute", "x", language="en"), {})])
    asked = ask()
    there = np.array(numbers(asked, index, "long", "en-right", "mute"))
    assert asked.lengths(there).tolist() == [2, 1, 0]


def test_of_equal_passages_that_of_the_shorter_document_counts_more(tmp_path, readers):
    found = {}
    for discount in (0.0, 0.1):
        with built(tmp_path / str(discount), readers, passage_discount=discount) as index:
            near = index.system.dense.question(Text("tides", "en"))
            for name, count in (("a-long", 9), ("b-short", 1)):
                rows = np.stack([near] * count)
                index.store.add([Record(Document(name, "x", language="en"), {"dense": rows})])
            hits = index.search("tides", 60, language="en", within=["en"]).ranking.hits
        added = {hit.doc_id: part.added for hit in hits for part in hit.parts
                 if part.system == "dense"}  # fmt: skip
        found[discount] = added["b-short"] - added["a-long"]
    assert found[0.0] == pytest.approx(0.0, abs=1e-6)
    assert found[0.1] > 0.1


def test_settings_that_nobody_chose_follow_the_defaults(tmp_path, readers):
    with built(tmp_path, readers, echo_hits=2) as index:
        kept = json.loads((index.folder / "counts" / "hybrid.json").read_text())
        assert kept == {"echo_hits": 2}
    with dragoman.open(tmp_path / "index") as index:
        assert index.system.config == replace(HybridConfig(), echo_hits=2, psq={}, dense={})


def test_a_translation_of_the_best_hit_is_raised_and_says_so(index):
    ranking = index.search("tides", language="en").ranking
    part = echoing(ranking)["sw-right"]
    assert part.added == pytest.approx(HybridConfig().echo_weight * part.score)
    for hit in ranking.hits:
        assert hit.score == pytest.approx(sum(part.added for part in hit.parts))
    assert {hit.doc_id for hit in ranking.hits[:2]} == {"en-right", "sw-right"}


def test_what_the_question_itself_does_not_reach_is_found_by_its_translation(tmp_path, readers):
    named = [Document("en-named", "Xylophon tides", language="en")]
    with built(tmp_path, readers, DOCUMENTS + named) as index:
        ranking = index.search("Xylophon", language="en").ranking
    assert [hit.doc_id for hit in ranking.hits] == ["en-named", "sw-right"]
    assert [part.system for part in ranking.hits[1].parts] == ["psq", "echo"]


def test_the_best_by_words_call_while_the_question_is_still_read(index, monkeypatch):
    system, heard = index.system, []
    echoing_words, encoded = system._said, system.dense.question

    def said(*arguments):
        heard.append(echoing_words(*arguments).heard)
        return echoing_words(*arguments)

    def question(text):
        while not heard:  # never ends if echoes wait for the question
            sleep(0.001)
        return encoded(text)

    monkeypatch.setattr(system, "_said", said)
    monkeypatch.setattr(system.dense, "question", question)
    index.search("tides", language="en")
    assert [*heard[0]] == ["sw"]


def test_where_words_find_nothing_the_best_of_all_call(index):
    ranking = index.search("water", language="en").ranking  # in no document
    assert all(
        part.score == 0 for hit in ranking.hits for part in hit.parts if part.system == "psq"
    )
    assert "sw-right" in echoing(ranking)


@pytest.mark.parametrize(
    "options",
    [{"balance": Balance.OFF}, {"within": ["sw"]}],
    ids=["languages are not told apart", "one language is searched"],
)
def test_there_is_no_echo_without_other_languages(index, options):
    assert not echoing(index.search("tides", language="en", **options).ranking)


def test_where_nothing_is_a_translation_the_ranking_stays(tmp_path, readers):
    documents = [document for document in DOCUMENTS if document.doc_id != "sw-right"]
    with built(tmp_path, readers, documents) as index:
        ranking = index.search("tides", 60, language="en").ranking
        assert len(ranking.hits) == len(documents)
        assert not echoing(ranking)


def test_the_step_can_be_left_out(tmp_path, readers):
    with built(tmp_path, readers, echo_hits=0) as index:
        assert not echoing(index.search("tides", language="en").ranking)


def test_settings_below_nothing_are_refused():
    with pytest.raises(ConfigError, match="echo_hits must be 0 or more, got -1"):
        HybridConfig(echo_hits=-1)
