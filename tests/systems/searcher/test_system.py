"""SEARCHER as a system: the same promises as the others, and an exact search."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="needs the extra neural")

import dragoman
from dragoman import compilation
from dragoman.errors import ConfigError, InputError, UnknownName
from dragoman.metrics.calibration import Scaling
from dragoman.ranking.balance import Balance
from dragoman.systems.searcher import scan
from dragoman.systems.searcher.config import LONGEST_SENTENCE, Pooling, SearcherModelConfig
from dragoman.systems.searcher.decisions import Combination, combine_logits, decision_threshold
from dragoman.systems.searcher.matching import pool_array
from dragoman.systems.searcher.model import SearcherModel
from dragoman.systems.searcher.scan import Positions, document_logits
from dragoman.systems.searcher.sentences import split_evenly, split_sentences
from dragoman.systems.searcher.system import SearcherSystem
from dragoman.types import Document, Hit, Query, Ranking
from toy_searcher import toy_model

AXES = {
    "en": {"water": 0, "fire": 1, "man": 2, "house": 3, "bread": 4},
    "sw": {"maji": 0, "moto": 1, "mtu": 2, "nyumba": 3, "mkate": 4},
}
DOCUMENTS = [
    Document("a", "Mtu ana mkate. Moto ni mkali!", language="sw", metadata={"long": True}),
    Document("b", "Nyumba ya mtu.", language="sw"),
    Document("c", "maji maji\nmoto", language="sw"),
    Document("d", "a fire in the house", language="en", metadata={"long": True}),
    Document("de", "Wasser im Haus", language="de"),
    Document("empty", "...", language="sw"),
]
QUERIES = ["fire", "water", "fire house", "man bread", "zebra fire"]


@pytest.fixture(scope="module", params=list(Pooling))
def model(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    toy_model(AXES, request.param).save(folder)
    return folder


@pytest.fixture(scope="module")
def index(model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("index") / "i"
    with built(DOCUMENTS, folder, model) as index:
        yield index


def built(documents, folder, model, **others):
    return dragoman.index(
        documents, folder, system="searcher", settings={"model": str(model), **others}
    )


def hits(index, text, k=10, within=None, where=()):
    scope = index.scope(within, where, Balance.OFF)
    return index.rank(Query("q", text, "en"), k, scope).hits


def found(index, text, k=10, **options):
    return [hit.doc_id for hit in hits(index, text, k, **options)]


def test_a_term_finds_the_documents_with_a_sentence_for_it(index):
    assert set(found(index, "fire")[:3]) == {"a", "c", "d"}
    scores = [hit.score for hit in hits(index, "fire")]
    assert all(score > 0.9 for score in scores[:3])
    assert scores[3] < 0.1
    assert scores == sorted(scores, reverse=True)


def test_all_words_of_a_query_count(index):
    assert found(index, "man bread")[0] == "a"
    assert found(index, "fire house")[0] == "d"


def test_documents_without_a_known_sentence_are_not_found_and_this_is_said(index):
    assert not {"de", "empty"} & set(found(index, "water", 100))
    (warning,) = index.manifest.warnings
    assert "does not know de" in warning


def test_a_query_without_a_known_word_finds_nothing_and_says_so(index):
    assert found(index, "zebra") == []
    system = index.system
    assert "left out" in str(system.query_warning(Query("q", "zebra fire", "en")))
    assert "finds nothing" in str(system.query_warning(Query("q", "feu", "fr")))
    assert system.query_warning(Query("q", "fire", "en")) is None
    for text in ("", "...", "🙂"):
        assert found(index, text) == []


def test_a_filter_gives_what_leaving_out_gives(index):
    for text in QUERIES:
        whole = hits(index, text)
        assert hits(index, text, within=["sw"]) == tuple(h for h in whole if h.doc_id != "d")
        long = tuple(hit for hit in whole if hit.doc_id in ("a", "d"))
        assert hits(index, text, where=["long=true"]) == long
    assert found(index, "fire", within=["de"]) == []


def test_a_shorter_answer_is_the_beginning_of_a_longer_one(index):
    for text in QUERIES:
        longest = found(index, text, 100)
        assert [found(index, text, k) for k in (1, 2, 3)] == [longest[:k] for k in (1, 2, 3)]


def test_equal_documents_stand_in_the_order_of_their_ids(model, tmp_path):
    names = ["b", "a10", "a9", "é", "Z"]
    same = [Document(name, "moto wa nyumba", language="sw") for name in names]
    with built(same, tmp_path / "i", model) as index:
        assert found(index, "fire") == sorted(names)
        assert found(index, "fire", 2) == sorted(names)[:2]


def test_scores_do_not_depend_on_segments_or_on_what_was_deleted(model, tmp_path, index):
    others = [Document(f"x{n}", "Moto na maji. Mtu!", language="sw") for n in range(3)]
    with built([*others[:2], *DOCUMENTS[:2]], tmp_path / "i", model) as changed:
        changed.add([*others[2:], *DOCUMENTS[2:]])
        changed.delete([document.doc_id for document in others])
        for text in QUERIES:
            assert hits(changed, text) == hits(index, text)


def test_any_document_has_the_score_that_a_search_gives(index):
    with index.snapshot() as snapshot:
        for text in QUERIES:
            scores = index.system.score(snapshot, Query("q", text, "en"), DOCUMENTS)
            by_id = {d.doc_id: score for d, score in zip(DOCUMENTS, scores, strict=True)}
            for hit in hits(index, text):
                assert by_id.pop(hit.doc_id) == pytest.approx(hit.score, rel=1e-6)
            assert np.isnan([*by_id.values()]).all()
            assert by_id.keys() == {"de", "empty"}
    system = index.system
    assert np.isnan(system.score(None, Query("q", "zebra", "en"), DOCUMENTS)).all()
    assert len(system.score(None, Query("q", "fire", "en"), [])) == 0
    (new,) = system.score(None, Query("q", "fire", "en"), [Document("n", "moto", language="sw")])
    assert new > 0.9


def test_saved_and_loaded_it_answers_alike(index, tmp_path):
    with dragoman.open(index.folder) as again:
        assert [hits(again, text) for text in QUERIES] == [hits(index, text) for text in QUERIES]
    index.system.save(tmp_path)
    assert SearcherSystem.load(tmp_path).settings == index.system.settings


def test_compiled_or_not_scores_are_the_same(index):
    compilation.disable()
    try:
        plain = [hits(index, text) for text in QUERIES]
    finally:
        compilation.enable()
    for text, expected in zip(QUERIES, plain, strict=True):
        assert [hit.doc_id for hit in hits(index, text)] == [hit.doc_id for hit in expected]
        scores = [hit.score for hit in hits(index, text)]
        assert scores == pytest.approx([hit.score for hit in expected], rel=1e-3)


def test_the_combination_of_terms_is_a_setting(model, index, tmp_path):
    with built(DOCUMENTS, tmp_path / "i", model, combination="minimum") as least:
        assert least.system.settings["combination"] == "minimum"
        (low,) = (hit.score for hit in hits(least, "fire bread") if hit.doc_id == "d")
        (mean,) = (hit.score for hit in hits(index, "fire bread") if hit.doc_id == "d")
    assert low < mean


def test_the_sentence_that_matched_and_the_attention_over_its_words(index):
    query, system = Query("q", "fire bread", "en"), index.system
    first, second = system.matches(query, DOCUMENTS[0])
    assert (first.term, first.sentence) == ("fire", "Moto ni mkali!")
    assert (second.term, second.sentence) == ("bread", "Mtu ana mkate.")
    assert first.words == ("Moto", "ni", "mkali")
    assert sum(first.attention) == pytest.approx(1)
    assert first.attention[0] > 0.99
    why = index.explain("fire bread", "a", language="en")
    assert {(link.query_word, link.document_word) for link in why.links} == {
        ("fire", "Moto"), ("bread", "mkate")}  # fmt: skip
    assert sum(link.share for link in why.links) <= 1 + 1e-9
    (hit,) = (hit for hit in hits(index, "fire bread") if hit.doc_id == "a")
    assert why.score == pytest.approx(hit.score, rel=1e-3)
    assert index.explain("fire bread", "de", language="en").links == ()


def test_a_misspelt_setting_is_refused(tmp_path):
    with pytest.raises(UnknownName, match="Did you mean 'model'"):
        SearcherSystem.configure({"modell": "x"})
    with pytest.raises(
        ConfigError,
        match="Train a model: dragoman train searcher",
    ):
        SearcherSystem.configure({})
    with pytest.raises(UnknownName, match="Did you mean 'mean'"):
        SearcherSystem.configure({"model": "x", "combination": "meen"})
    with pytest.raises(InputError, match="found no facts"):
        SearcherSystem.create(SearcherSystem.configure({"model": str(tmp_path)}))


def drawn(rng, documents=30, size=16):
    """Documents of some sentences, or of none; their rows and where these begin."""
    lengths = [rng.integers(1, 7, rng.integers(0, 5)) for _ in range(documents)]
    counts = np.concatenate(lengths)
    rows = rng.normal(size=(counts.sum(), size)).astype(np.float16)
    sentences = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Positions(rows, sentences, np.cumsum([0, *map(len, lengths)], dtype=np.int64))


def brute_force(positions, terms, pooling):
    dots = terms[:, :-1] @ positions.rows.astype(np.float32).T
    by_sentence = pool_array(dots, positions.sentences, pooling) + terms[:, -1:]
    starts, ends = positions.documents[:-1], positions.documents[1:]
    best = [by_sentence[:, a:b].max(axis=1) for a, b in zip(starts, ends, strict=True) if a < b]
    return np.stack(best, axis=1)


@given(
    st.integers(0, 999),
    st.sampled_from([1, 10, 10**6]),
    st.sampled_from(list(Pooling)),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_documents_read_some_at_a_time_are_those_of_brute_force(seed, at_once, pooling, compiled):
    rng = np.random.default_rng(seed)
    positions = drawn(rng)
    terms = rng.normal(size=(rng.integers(1, 4), 17)).astype(np.float32)
    filled = np.diff(positions.documents) > 0
    wanted = filled & (rng.random(len(filled)) < 0.7)
    before, scan.AT_ONCE = scan.AT_ONCE, at_once
    (compilation.enable if compiled else compilation.disable)()
    try:
        logits = document_logits(positions, terms, pooling, wanted)
    finally:
        scan.AT_ONCE = before
        compilation.enable()
    expected = brute_force(positions, terms, pooling)
    assert logits[:, wanted] == pytest.approx(expected[:, wanted[filled]], abs=1e-4)


def test_a_sentence_is_as_long_in_the_index_as_in_the_text(tmp_path):
    config = SearcherModelConfig(size=8, blocks=0, longest=LONGEST_SENTENCE)
    toy = toy_model(AXES)
    model = SearcherModel(config, toy.terms, toy.words, np.random.default_rng(0))
    model.load_state_dict(toy.state_dict())
    model.save(tmp_path / "model")
    lengths = [LONGEST_SENTENCE, 1, LONGEST_SENTENCE - 1, 1000]
    text = "\n".join(" ".join(["maji"] * (length - 1) + ["moto"]) for length in lengths)
    with built([Document("a", text, language="sw")], tmp_path / "i", tmp_path / "model") as index:
        with index.snapshot() as snapshot:
            (span,) = snapshot.select(index.scope().allowed).spans
            assert np.diff(Positions.of(span).sentences).tolist() == lengths
        (hit,) = hits(index, "fire")
    # the sentence of one word; in a longer one other words have most of the attention
    assert hit.score > 0.9
    with pytest.raises(ConfigError, match="longest must be at most 2048, got 2049"):
        SearcherModelConfig(longest=LONGEST_SENTENCE + 1)


def test_combinations_by_hand():
    logits = np.array([[0.0, np.log(3)], [np.log(3), np.log(3)]])
    assert combine_logits(logits, Scaling(), Combination.PRODUCT) == pytest.approx(
        [0.375, 0.5625], abs=1e-4
    )
    assert combine_logits(logits, Scaling(), Combination.MINIMUM) == pytest.approx(
        [0.5, 0.75], abs=1e-4
    )
    assert combine_logits(logits, Scaling(), Combination.MEAN)[1] == pytest.approx(0.75, abs=1e-4)


def test_a_threshold_is_the_one_that_is_worth_most():
    hits = (Hit("a", 0.9), Hit("b", 0.6), Hit("c", 0.2))
    assert decision_threshold([Ranking("q", hits)], {"q": {"a": 1, "b": 1}}, 100) == 0.6


def test_sentences_end_in_every_script():
    assert list(split_sentences("Eins. Zwei! 三。四\nfive")) == [
        "Eins.",
        "Zwei!",
        "三。",
        "四",
        "five",
    ]
    assert list(split_sentences("  \n ")) == []
    assert [len(part) for part in split_evenly(tuple("abcdefg"), 3)] == [2, 2, 3]
    assert list(split_evenly((), 3)) == []
