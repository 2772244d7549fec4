"""Words and meanings fused: worked by hand, in either form, whatever came and went before."""

import json
from dataclasses import replace

import numpy as np
import pytest

import dragoman
from dragoman import compilation
from dragoman.encoders.family import EncoderFamily
from dragoman.errors import ConfigError, IndexFault, UnknownName
from dragoman.indexes.search.nearest import row_scores
from dragoman.indexes.spaces import Record
from dragoman.lexicons.learning import learn_lexicon
from dragoman.ranking.balance import BEST, Balance
from dragoman.settings import parse_settings
from dragoman.systems.dense import system as dense
from dragoman.systems.hybrid.candidates import Candidates
from dragoman.systems.hybrid.config import WEIGHTS, HybridConfig
from dragoman.systems.hybrid.fusion import cosines, dense_weights
from dragoman.systems.hybrid.query_form import QueryForm
from dragoman.tuning.record import TUNING
from dragoman.types import Document, Query, SentencePair, Text
from small_systems import AXES, DOCUMENTS, settings_of
from toys import toy_encoder


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    return settings_of("dense", tmp_path_factory.mktemp("encoders"))


def built(folder, readers, documents=DOCUMENTS, **settings):
    settings = {"dense": readers, **settings}
    return dragoman.index(documents, folder, system="hybrid", settings=settings)


@pytest.fixture(scope="module")
def index(tmp_path_factory, readers):
    """An index that no test changes."""
    with built(tmp_path_factory.mktemp("hybrid") / "index", readers) as made:
        yield made


def doc_ids(index, text, language, k=10, **options):
    answer = index.search(text, k, language=language, **options)
    return [hit.doc_id for hit in answer.ranking.hits]


def test_a_hit_says_what_each_part_added(index):
    hits = index.search("water", language="en").ranking.hits
    for hit in hits:
        assert hit.score == pytest.approx(sum(part.added for part in hit.parts))
    by_id = {hit.doc_id: {part.system for part in hit.parts} for hit in hits}
    assert by_id["en-water"] == {"psq", "dense"}


def test_scores_are_the_weighed_z_scores_of_both_parts(index):
    query = Query("q", "fire in the house", "en")
    scope = index.scope(["en", "sw"], balance=Balance.OFF)
    hits = index.rank(query, 100, scope).hits
    weight = HybridConfig().keyword_weight
    assert len(hits) == sum(one.language in ("en", "sw") for one in DOCUMENTS)
    for part, share in (("psq", 1 - weight), ("dense", weight)):
        parts_scores = [p for hit in hits for p in hit.parts if p.system == part]
        scores = np.array([p.score for p in parts_scores])
        expected = share * (scores - scores.mean()) / scores.std()
        assert [p.added for p in parts_scores] == pytest.approx(expected.tolist(), abs=1e-5)


def test_parts_scores_are_those_of_their_own_systems(index):
    query = Query("q", "fire in the house", "en")
    scope = index.scope(balance=Balance.OFF)
    hits = index.rank(query, 100, scope).hits
    with index.snapshot() as snapshot:
        for part in index.system.parts:
            alone = {h.doc_id: h.score for h in part.search(snapshot, query, 100, scope).hits}
            parts_scores = {
                h.doc_id: p.score for h in hits for p in h.parts if p.system == part.name
            }
            assert alone.items() <= parts_scores.items()
            assert all(not parts_scores[name] for name in parts_scores.keys() - alone.keys())


@pytest.mark.parametrize(
    ("query", "searched", "expected"),
    [
        (Text("fire", "en"), "en", "keyword_weight"),
        (Text("fire?", "en"), "en", "question_weight"),
        (Text("where is fire", "en"), "en", "question_weight"),
        (Text("fire?", "en"), "sw", "student_question_weight"),
        (Text("moto", "sw"), "en", "student_keyword_weight"),
        (Text("fire", "en"), "de", "unread_weight"),  # a table leads there
        (Text("fire", "en"), "rw", "unread_weight"),
        (Text("fire?", "rw"), "en", "unread_weight"),
    ],
)
def test_the_share_of_vectors_depends_on_who_reads_both_languages_and_on_the_form(
    index, query, searched, expected
):
    config = HybridConfig(**{name: 0.1 * place for place, name in enumerate(WEIGHTS, start=1)})
    (weight,) = dense_weights(config, index.system.parts, query, [searched])
    assert weight == getattr(config, expected)


@pytest.mark.parametrize("balance", [Balance.OFF, Balance.CALIBRATED])
@pytest.mark.parametrize("text", ["fire in the house", "where is water?", "qqq"])
def test_tuned_weights_rank_as_an_index_built_with_them(tmp_path, readers, text, balance):
    weights = {name: 0.05 + 0.15 * place for place, name in enumerate(WEIGHTS)}
    query = Query("q", text, "en")
    with built(tmp_path / "a", readers) as tuned, built(tmp_path / "b", readers, **weights) as set_:
        default = tuned.rank(query, 10, tuned.scope(balance=balance))
        with tuned.snapshot() as snapshot:
            ranker = tuned.system.ranker(snapshot, query, 10, tuned.scope(balance=balance))
            assert ranker({}) == ranker(tuned.system.weights()) == default
            again = ranker(weights)
        tuned.change(lambda store: store.add((), {TUNING: json.dumps({"weights": weights})}))
        expected = set_.rank(query, 10, set_.scope(balance=balance))
        assert tuned.rank(query, 10, tuned.scope(balance=balance)) == expected == again
        tuned.change(lambda store: store.add((), {TUNING: ""}))
        assert tuned.rank(query, 10, tuned.scope(balance=balance)) == default


@pytest.mark.parametrize(
    ("fact", "error", "match"),
    [
        ("{", IndexFault, "--reset"),
        ('{"weights": {"sentence_weight": 0.5}}', UnknownName, "sentence_weight"),
        ('{"weights": {"question_weight": 1.5}}', ConfigError, "between 0 and 1"),
    ],
)
def test_tuned_weights_that_cannot_be_used_are_refused(tmp_path, readers, fact, error, match):
    with built(tmp_path / "index", readers) as index:
        index.change(lambda store: store.add((), {TUNING: fact}))
        with pytest.raises(error, match=match):
            index.search("water", language="en")


def test_a_question_is_compared_with_the_mean_of_the_passages_too(tmp_path, readers):
    with built(tmp_path / "index", readers, passage_discount=0.0, document_share=0.25) as index:
        near = index.system.dense.query_vector(Text("fire", "en"))
        far = index.system.dense.query_vector(Text("water", "en"))
        rows = {"once": [near, far, far], "always": [near, near, near]}
        index.store_records(
            [
                Record(Document(name, "x", language="en"), {"dense": np.stack(mine)})
                for name, mine in rows.items()
            ]
        )
        numbers = np.arange(index.count())
        with index.snapshot() as snapshot:
            vectors = row_scores(snapshot, "dense", near, numbers)
            ids = snapshot.doc_ids(numbers)
        candidates = Candidates(numbers, numbers * 0, numbers * 0.0, vectors)
        by_form = {
            form: dict(zip(ids, cosines(index.system.config, candidates, form), strict=True))
            for form in QueryForm
        }
    mean = near + 2 * far
    once = 0.75 + 0.25 * float(mean @ near / np.linalg.norm(mean))
    assert by_form[QueryForm.KEYWORDS]["once"] == pytest.approx(1.0, abs=1e-3)
    assert by_form[QueryForm.QUESTION]["once"] == pytest.approx(once, abs=1e-3)
    assert by_form[QueryForm.QUESTION]["always"] == pytest.approx(1.0, abs=1e-3)


def test_a_language_that_is_read_and_not_translated_has_the_untranslated_share(tmp_path, readers):
    toy_encoder("rw", {"amazi": 0}).save(tmp_path / "rw")
    with_student = {**readers, "students": [*readers["students"], str(tmp_path / "rw")]}
    with built(tmp_path / "index", with_student) as index:
        (weight,) = dense_weights(index.system.config, index.system.parts, Text("x", "en"), ["rw"])
    assert weight == HybridConfig().untranslated_weight


def test_a_language_that_nobody_reads_is_said(index):
    assert any("does not support de" in warning for warning in index.manifest.warnings)


@pytest.mark.parametrize(("chosen", "counts"), [({}, True), ({"unread_weight": 0.0}, False)])
def test_of_a_language_that_nobody_knows_vectors_still_tell_names(
    tmp_path, readers, chosen, counts
):
    with built(tmp_path / "index", readers, **chosen) as index:
        hits = index.search("water", language="rw", within=["en"]).ranking.hits
    added = {part.system: part.added for part in hits[0].parts}
    assert hits[0].doc_id == "en-water"
    assert (added.get("dense", 0.0) > 0) == counts


def test_of_equal_passages_that_of_the_shorter_document_counts_more(tmp_path, readers):
    gains = {}
    for discount in (0.0, 0.1):
        with built(tmp_path / str(discount), readers, passage_discount=discount) as index:
            near = index.system.dense.query_vector(Text("fire", "en"))
            index.store_records(
                [
                    Record(Document(name, "x", language="en"), {"dense": np.stack([near] * count)})
                    for name, count in (("a-long", 9), ("b-short", 1))
                ]
            )
            hits = index.search("fire", 60, language="en", within=["en"], group=False).ranking.hits
        added = {hit.doc_id: hit.parts[1].added for hit in hits if len(hit.parts) > 1}
        gains[discount] = added["b-short"] - added["a-long"]
    assert gains[0.0] == pytest.approx(0.0, abs=1e-6)
    assert gains[0.1] > 0.1


def test_ranks_can_be_fused_instead_of_scores(tmp_path, readers):
    with built(tmp_path / "index", readers, fusion="reciprocal-ranks") as index:
        hits = index.search("fire", language="en", within=["en"]).ranking.hits
    assert hits[0].doc_id == "en-fire"
    assert hits[0].score == pytest.approx(1 / 61)


def test_an_explanation_falls_back_to_vectors_where_no_word_met(tmp_path, readers):
    toy_encoder("rw", {"amazi": 0}).save(tmp_path / "rw")
    readers = {**readers, "students": [*readers["students"], str(tmp_path / "rw")]}
    document = Document("rw-water", "amazi", language="rw")
    with built(tmp_path / "index", readers, [*DOCUMENTS, document]) as index:
        (link,) = index.explain("water", "rw-water", language="en").links
        assert (link.query_word, link.document_word) == ("water", "amazi")
        (by_words,) = index.explain("fire", "en-fire", language="en").links
        assert by_words.document_word == "fire"


def test_a_table_of_ones_own_serves_in_the_order_it_was_learnt_in(tmp_path, readers):
    pairs = [SentencePair("water", "vatten"), SentencePair("bread", "bröd")] * 5
    learn_lexicon(pairs, [], "en", "sv").lexicon.save(tmp_path / "sv")
    swedish = Document("sv-water", "vatten", language="sv")
    lexicons = [str(tmp_path / "sv")]
    built(tmp_path / "i", readers, [*DOCUMENTS, swedish], lexicons=lexicons).close()
    with dragoman.open(tmp_path / "i") as again:
        assert "sv-water" in doc_ids(again, "water", "en", k=3)
        again.add([Document("sv-bread", "bröd", language="sv")])
    with dragoman.open(tmp_path / "i") as changed:
        assert doc_ids(changed, "bread", "en", k=1, within=["sv"]) == ["sv-bread"]


def test_students_that_came_or_changed_since_the_build_are_told_apart(
    tmp_path, readers, monkeypatch
):
    family_of = dense.family_of

    def give(*students):
        def family(config):
            shipped = family_of(config)
            return EncoderFamily(shipped.teacher, [*shipped.students.values(), *students])

        monkeypatch.setattr(dense, "family_of", family)

    give(toy_encoder("fi", {"xyzzy": 0}))
    with built(tmp_path / "without", readers) as index:
        before = index.search("water", language="en").ranking
    finnish = Document("fi-water", "xyzzy", language="fi")
    built(tmp_path / "with", readers, [*DOCUMENTS, finnish]).close()
    give(toy_encoder("fi", {"xyzzy": 1}), toy_encoder("de", {"wasser": 0, "haus": 3}))
    with dragoman.open(tmp_path / "without") as index:
        assert index.search("water", language="en").ranking == before
        assert doc_ids(index, "xyzzy", "fi", k=1, within=["en"]) == ["en-fire"]
    with (
        dragoman.open(tmp_path / "with") as index,
        pytest.raises(IndexFault, match=r"documents in 'fi' were indexed with .* upgrade"),
    ):
        index.search("water", language="en")


@pytest.mark.parametrize("text", ["fire", "...", "qqqqqq"])
def test_as_a_second_stage_it_scores_any_document_by_both_parts(index, text):
    query = Query("q", text, "en")
    with index.snapshot() as snapshot:
        scores = index.system.score(snapshot, query, DOCUMENTS)
        assert index.system.score(snapshot, query, []).tolist() == []
    assert np.isfinite(scores).all()
    best = {DOCUMENTS[place].doc_id for place in np.argsort(-scores)[:2]}
    assert best == {"en-fire", "sw-fire"} or text != "fire"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"keyword_weight": 1.5}, "keyword_weight must lie between 0 and 1"),
        ({"depth": 0}, "depth must be 1 or more"),
        ({"fusion": "sum"}, "Unknown fusion 'sum'"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, message):
    with pytest.raises((ConfigError, UnknownName), match=message):
        parse_settings(HybridConfig, wrong)


VOCABULARY = {"en": [*AXES["en"]], "sw": [*AXES["sw"]], "de": ["wasser", "feuer", "haus", "brot"]}
SCOPES = (
    {},
    {"balance": Balance.OFF},
    {"balance": Balance.ROUND_ROBIN},
    {"within": ["sw"]},
    {"within": ["de", "sw"]},
    {"where": ["odd=true"]},
)


def invented(number, version):
    rng = np.random.default_rng(1_000 * number + version)
    language = str(rng.choice([*VOCABULARY]))
    words = rng.choice(VOCABULARY[language], int(rng.integers(0, 5)))
    return Document(
        f"d{number:03}", " ".join(words), language=language, metadata={"odd": bool(number % 2)}
    )


QUERIES = [
    Query(f"{code} {count}", " ".join(words[:count]), code)
    for code, words in VOCABULARY.items()
    for count in (1, 3)
] + [Query("nothing", "...", "en"), Query("unknown", "xylophon", "en")]


def rankings(index, k):
    return [
        [(hit.doc_id, *(part.added for part in hit.parts)) for hit in hits]
        for scope in (index.scope(**options) for options in SCOPES)
        for hits in (index.rank(query, k, scope).hits for query in QUERIES)
    ]


def assert_same(mine, other):
    """Equal but for rounding, which may change the places of documents with equal scores."""
    for one, two in zip(mine, other, strict=True):
        added = {doc_id: pytest.approx(parts, abs=1e-4) for doc_id, *parts in one}
        assert {doc_id: parts for doc_id, *parts in two} == added
        totals = [[sum(parts) for _, *parts in hits] for hits in (one, two)]
        assert totals[0] == pytest.approx(totals[1], abs=1e-4)


@pytest.fixture(scope="module")
def many(tmp_path_factory, readers):
    documents = [invented(n, 0) for n in range(3 * BEST)]
    with built(tmp_path_factory.mktemp("many") / "index", readers, documents) as made:
        yield made


def test_compiled_and_numpy_kernels_give_the_same_rankings(many, monkeypatch):
    by_form = []
    for compiled in (False, True):
        monkeypatch.setattr(compilation, "is_enabled", lambda compiled=compiled: compiled)
        by_form.append(rankings(many, 200))
    assert_same(*by_form)


@pytest.mark.parametrize("options", SCOPES, ids=lambda options: json.dumps(options, default=str))
def test_only_documents_of_the_scope_come_each_once(many, options):
    scope = many.scope(**options)
    for query in QUERIES:
        hits = many.rank(query, 100, scope).hits
        documents = many.documents([hit.doc_id for hit in hits])
        assert len({one.doc_id for one in documents}) == len(hits) <= 100
        assert {one.language for one in documents} <= {*options.get("within", VOCABULARY)}
        assert all(one.metadata["odd"] for one in documents) or "where" not in options
        scores = [hit.score for hit in hits]
        assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("seed", range(3))
def test_after_any_changes_rankings_are_those_of_a_fresh_build(tmp_path, readers, seed):
    rng = np.random.default_rng(seed)
    live = {one.doc_id: one for one in (invented(n, 0) for n in range(80))}
    with built(tmp_path / "index", readers, [*live.values()]) as index:
        for version in range(1, 5):
            new = [invented(n, version) for n in {*rng.integers(0, 100, 20).tolist()}]
            vectors = index.system.encode(new)
            records = [Record(*pair) for pair in zip(new, vectors, strict=True)]
            index.store_records(records, memtable=int(rng.integers(0, 2)) * 256)
            gone = [f"d{n:03}" for n in rng.integers(0, 100, 10).tolist()]
            index.delete(gone)
            live |= {one.doc_id: one for one in new}
            live = {name: one for name, one in live.items() if name not in gone}
            if version == 3:
                index.optimize()
        after = rankings(index, 200)
    with built(tmp_path / "fresh", readers, [*live.values()]) as fresh:
        assert_same(after, rankings(fresh, 200))
        assert replace(fresh.manifest, identity="") == replace(index.manifest, identity="")
