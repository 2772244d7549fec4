"""SEARCHER as a system: the same promises as the others, exact search, small storage."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.errors import ConfigError, IndexFault, InputError, UnknownName
from dragoman.metrics.calibration import Scaling
from dragoman.protocols import silent
from dragoman.systems.searcher.config import Pooling
from dragoman.systems.searcher.decisions import Combination, combined, decision_threshold
from dragoman.systems.searcher.matching import pool_array
from dragoman.systems.searcher.near_words import NearWords
from dragoman.systems.searcher.quantized import STEPS, Positions, quantized, restored
from dragoman.systems.searcher.scanning import Segments, scan
from dragoman.systems.searcher.sentences import cut, pieces
from dragoman.systems.searcher.system import SearcherSystem
from dragoman.types import Document, Hit, Query, Ranking
from toy_searcher import toy_model

AXES = {
    "en": {"water": 0, "fire": 1, "man": 2, "house": 3, "bread": 4},
    "sw": {"maji": 0, "moto": 1, "mtu": 2, "nyumba": 3, "mkate": 4},
}
DOCUMENTS = [
    Document("a", "Mtu ana mkate. Moto ni mkali!", language="sw"),
    Document("b", "Nyumba ya mtu.", language="sw"),
    Document("c", "maji maji\nmoto", language="sw"),
    Document("d", "a fire in the house", language="en"),
    Document("de", "Wasser im Haus", language="de"),
    Document("empty", "...", language="sw"),
]
QUERIES = ["fire", "water", "fire house", "man bread", "zebra fire"]


@pytest.fixture(scope="module", params=list(Pooling))
def system(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    toy_model(AXES, request.param).save(folder)
    config = SearcherSystem.configure({"model": str(folder)})
    return SearcherSystem.build(DOCUMENTS, config, silent)


def found(system, text, k=10, **options):
    return [hit.doc_id for hit in system.search(Query("q", text, "en"), k, **options).hits]


def test_a_term_finds_the_documents_with_a_sentence_for_it(system):
    assert set(found(system, "fire")[:3]) == {"a", "c", "d"}
    scores = [hit.score for hit in system.search(Query("q", "fire", "en"), 10).hits]
    assert all(score > 0.9 for score in scores[:3])
    assert scores[3] < 0.1
    assert scores == sorted(scores, reverse=True)


def test_all_words_of_a_query_count(system):
    assert found(system, "man bread")[0] == "a"
    assert found(system, "fire house")[0] == "d"


def test_documents_without_a_known_sentence_are_not_found_and_this_is_said(system):
    assert not {"de", "empty"} & set(found(system, "water", 100))
    assert any("does not know de" in notice for notice in system.notices)


def test_a_query_without_a_known_word_finds_nothing_and_says_so(system):
    assert found(system, "zebra") == []
    assert "left out" in str(system.query_notice(Query("q", "zebra fire", "en")))
    assert "finds nothing" in str(system.query_notice(Query("q", "feu", "fr")))
    assert system.query_notice(Query("q", "fire", "en")) is None
    for text in ("", "...", "🙂"):
        assert found(system, text) == []


def test_a_filter_gives_what_leaving_out_gives(system):
    for text in QUERIES:
        whole = [doc_id for doc_id in found(system, text) if doc_id != "d"]
        assert found(system, text, languages=["sw"]) == whole
        assert found(system, text, languages=[]) == []


def test_a_shorter_answer_is_the_beginning_of_a_longer_one(system):
    for text in QUERIES:
        longest = found(system, text, 100)
        assert [found(system, text, k) for k in (1, 2, 3)] == [longest[:k] for k in (1, 2, 3)]


def test_equal_documents_stand_in_the_order_of_their_ids(system, tmp_path):
    names = ["b", "a10", "a9", "é", "Z"]
    system.model.save(tmp_path / "m")
    config = SearcherSystem.configure({"model": str(tmp_path / "m")})
    same = [Document(name, "moto wa nyumba", language="sw") for name in names]
    built = SearcherSystem.build(same, config, silent)
    assert found(built, "fire") == sorted(names)
    assert found(built, "fire", 2) == sorted(names)[:2]
    with pytest.raises(InputError, match="'b' a second time"):
        SearcherSystem.build([*same, same[0]], config, silent)


def test_encoded_and_scored_it_gives_what_search_gives(system):
    texts = [document.content for document in DOCUMENTS]
    for text in QUERIES:
        query = Query("q", text, "en")
        (asked,) = system.encode_queries([query.content])
        scores = system.score(asked, system.encode_documents(texts))
        by_id = {d.doc_id: score for d, score in zip(DOCUMENTS, scores, strict=True)}
        for hit in system.search(query, 10).hits:
            assert by_id[hit.doc_id] == pytest.approx(hit.score, rel=1e-3, abs=1e-6)
    (nothing,) = system.encode_queries([Query("q", "zebra", "en").content])
    assert system.score(nothing, system.encode_documents(texts)).tolist() == [0.0] * len(texts)


def test_saved_and_loaded_it_answers_alike(system, tmp_path):
    system.save(tmp_path)
    again = SearcherSystem.load(tmp_path)
    queries = [Query(str(n), text, "en") for n, text in enumerate(QUERIES)]
    assert again.search_many(queries, 5) == system.search_many(queries, 5)
    assert json.loads(json.dumps(again.settings)) == json.loads(json.dumps(system.settings))
    assert again.notices == system.notices
    (tmp_path / "columns.npy").write_bytes(b"")
    with pytest.raises(IndexFault, match="damaged or missing"):
        SearcherSystem.load(tmp_path)


def test_the_sentence_that_matched_and_the_attention_over_its_words(system):
    query = Query("q", "fire bread", "en")
    first, second = system.matches(query, DOCUMENTS[0])
    assert (first.term, first.sentence) == ("fire", "Moto ni mkali!")
    assert (second.term, second.sentence) == ("bread", "Mtu ana mkate.")
    assert first.words == ("Moto", "ni", "mkali")
    assert sum(first.attention) == pytest.approx(1)
    assert first.attention[0] > 0.99
    why = system.explain(query, DOCUMENTS[0])
    assert {(link.query_word, link.document_word) for link in why.links} == {
        ("fire", "Moto"), ("bread", "mkate")}  # fmt: skip
    assert sum(link.share for link in why.links) <= 1 + 1e-9
    (hit,) = (hit for hit in system.search(query, 10).hits if hit.doc_id == "a")
    assert why.score == pytest.approx(hit.score, rel=1e-3)
    assert system.explain(query, DOCUMENTS[4]).links == ()


def test_a_misspelt_setting_is_refused(tmp_path):
    with pytest.raises(UnknownName, match="Did you mean 'model'"):
        SearcherSystem.configure({"modell": "x"})
    with pytest.raises(ConfigError, match="needs a trained model"):
        SearcherSystem.configure({})
    with pytest.raises(ConfigError, match="nearest must be 0 or more"):
        SearcherSystem.configure({"model": "x", "nearest": -1})
    with pytest.raises(InputError, match="found no facts"):
        SearcherSystem.build([], SearcherSystem.configure({"model": str(tmp_path)}), silent)


def stored(rng, documents=30, size=16):
    lengths = [rng.integers(1, 7, rng.integers(1, 5)) for _ in range(documents)]
    words = np.concatenate(lengths)
    vectors = rng.normal(size=(words.sum(), size)).astype(np.float32)
    positions = Positions.of(*quantized(vectors))
    starts = np.concatenate([[0], np.cumsum(words)]).astype(np.int64)
    of_documents = np.cumsum([0, *map(len, lengths)], dtype=np.int64)
    return positions, Segments(starts, of_documents)


def brute_force(positions, segments, queries, pooling, scaling, combination):
    dots = queries[:, :-1] @ positions.rows(0, len(positions)).T
    by_sentence = pool_array(dots, segments.sentences, pooling) + queries[:, -1:]
    logits = np.maximum.reduceat(by_sentence, segments.documents[:-1], axis=1)
    return combined(logits, scaling, combination)


@given(
    st.integers(0, 999),
    st.integers(1, 35),
    st.sampled_from(list(Pooling)),
    st.sampled_from(list(Combination)),
)
@settings(max_examples=60, deadline=None)
def test_exact_search_is_brute_force(seed, k, pooling, combination):
    rng = np.random.default_rng(seed)
    positions, segments = stored(rng)
    queries = rng.normal(size=(rng.integers(1, 4), 17)).astype(np.float32)
    scaling = Scaling(0.7, -0.5)
    expected = brute_force(positions, segments, queries, pooling, scaling, combination)
    got = scan(positions, segments, queries, pooling, scaling, combination, k)
    scores = combined(got.logits, scaling, combination)
    best = np.sort(expected)[::-1][:k]
    assert scores == pytest.approx(best, abs=1e-4)
    assert expected[got.rows] == pytest.approx(scores, abs=1e-4)


def test_near_words_lead_to_their_documents_alone(system):
    words = system.corpus.words
    exact = found(system, "fire")
    approximate = SearcherSystem(system.model, system.corpus, nearest=1)
    few = found(approximate, "fire")
    assert 0 < len(few) < len(exact)
    assert few == exact[: len(few)]
    assert found(SearcherSystem(system.model, system.corpus, nearest=10**6), "fire") == exact
    assert found(approximate, "fire", languages=["de"]) == []
    asked = system.encode_queries([Query("q", "fire", "en").content])[0].vectors[:, :-1]
    assert words.candidates(asked, 0).tolist() == []


def test_the_mean_place_and_the_documents_of_words_by_hand():
    rows = np.array([[127, 0], [0, 127], [127, 127]], dtype=np.int8)
    positions = Positions.of(rows, np.full(3, 1 / 127, dtype=np.float32))
    words = NearWords.of(positions, np.array([0, 1, 0]), np.array([0, 0, 4]))
    assert words.means == pytest.approx(np.array([[1, 0.5], [0, 1]]))
    assert words.candidates(np.array([[1, 0]], dtype=np.float32), 1).tolist() == [0, 4]
    assert words.candidates(np.array([[-1, 1]], dtype=np.float32), 1).tolist() == [0]


@given(st.integers(0, 999), st.sampled_from([3, 16, 64]))
@settings(max_examples=40, deadline=None)
def test_a_stored_number_is_at_most_half_a_step_off(seed, size):
    rng = np.random.default_rng(seed)
    rows = (rng.normal(size=(20, size)) * rng.exponential(3, (20, 1))).astype(np.float32)
    rows[0] = 0
    again = restored(*quantized(rows))
    step = np.abs(rows).max(axis=1, keepdims=True) / STEPS
    assert (np.abs(again - rows) <= 0.5 * step + 1e-6).all()


def test_combinations_by_hand():
    logits = np.array([[0.0, np.log(3)], [np.log(3), np.log(3)]])
    assert combined(logits, Scaling(), Combination.PRODUCT) == pytest.approx(
        [0.375, 0.5625], abs=1e-4
    )
    assert combined(logits, Scaling(), Combination.MINIMUM) == pytest.approx([0.5, 0.75], abs=1e-4)
    assert combined(logits, Scaling(), Combination.MEAN)[1] == pytest.approx(0.75, abs=1e-4)


def test_a_threshold_is_the_one_that_is_worth_most():
    hits = (Hit("a", 0.9), Hit("b", 0.6), Hit("c", 0.2))
    assert decision_threshold([Ranking("q", hits)], {"q": {"a": 1, "b": 1}}, 100) == 0.6


def test_sentences_end_in_every_script():
    assert list(cut("Eins. Zwei! 三。四\nfive")) == ["Eins.", "Zwei!", "三。", "四", "five"]
    assert list(cut("  \n ")) == []
    assert [len(part) for part in pieces(tuple("abcdefg"), 3)] == [2, 2, 3]
    assert list(pieces((), 3)) == []
