"""What both systems of bags promise, whatever their distance."""

import numpy as np
import pytest

import dragoman
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import IndexFault
from dragoman.indexes.spaces import Record
from dragoman.ranking.balance import Balance
from dragoman.systems.bags.system import UNREACHABLE, scores_of
from dragoman.types import Document, Query
from toys import toy_encoder

WORDS = ("water", "bread", "house")
DOCUMENTS = [
    Document("a", "water bread", language="en"),
    Document("b", "house", language="en", metadata={"year": 2001}),
    Document("c", "maison", language="fr", metadata={"year": 2002}),
    Document("d", "...", language="en"),
]
HOUSE = Query("q", "house", "en")

every_system = pytest.mark.parametrize("name", ["nbow", "wasserstein"])


@pytest.fixture
def vectors(tmp_path):
    points = np.eye(3, dtype=np.float32)
    WordVectors("en", WORDS, points).save(tmp_path / "vectors" / "en")
    WordVectors("fr", ("eau", "pain", "maison"), points).save(tmp_path / "vectors" / "fr")
    return tmp_path / "vectors"


@pytest.fixture
def build(tmp_path, vectors):
    built = []

    def index(name, documents=DOCUMENTS, **settings):
        folder = tmp_path / f"index{len(built)}"
        given = {"vectors": [str(vectors)], **settings}
        built.append(dragoman.index(documents, folder, system=name, settings=given))
        return built[-1]

    yield index
    for one in built:
        one.close()


def ranked(index, query, k=10, within=None, where=()):
    return index.rank(query, k, index.scope(within, where, balance=Balance.OFF)).hits


@every_system
def test_the_order_of_the_documents_does_not_matter(name, build):
    query = Query("q", "house water", "en")
    forwards = ranked(build(name), query)
    assert ranked(build(name, DOCUMENTS[::-1]), query) == forwards
    assert [hit.doc_id for hit in forwards][-1] == "d"
    assert forwards[-1].score == UNREACHABLE


@every_system
def test_a_document_that_comes_again_replaces_the_first(name, build):
    index = build(name)
    index.add([Document("b", "bread", language="en")])
    assert ranked(index, Query("q", "bread", "en"), 1)[0].doc_id == "b"


@every_system
def test_languages_and_conditions_leave_documents_out(name, build):
    index = build(name)
    everything = ranked(index, HOUSE)
    assert [hit.doc_id for hit in everything] == ["b", "c", "a", "d"]
    assert ranked(index, HOUSE, within=["fr"]) == everything[1:2]
    assert ranked(index, HOUSE, where=["year>=2002"]) == everything[1:2]
    assert ranked(index, HOUSE, within=["en"], where=["year!=2001"]) == everything[2:]
    assert ranked(index, HOUSE, where=["year=1999"]) == ()


@every_system
def test_a_query_is_scored_in_the_language_of_each_document(name, build):
    index = build(name, translate=True)
    with index.snapshot() as snapshot:
        scores = index.system.score(snapshot, HOUSE, DOCUMENTS)
    assert dict(zip("abcd", scores.tolist(), strict=True)) == pytest.approx(
        {hit.doc_id: hit.score for hit in ranked(index, HOUSE)}, abs=1e-6
    )
    assert scores[1] == pytest.approx(0, abs=1e-6)


@every_system
def test_documents_that_are_not_in_the_index_are_scored_by_its_statistics(name, build):
    index, query = build(name), Query("q", "bread water", "en")
    strangers = [Document("x", "house house bread", language="en"), DOCUMENTS[0]]
    with index.snapshot() as snapshot:
        stranger, known = index.system.score(snapshot, query, strangers)
        (alone,) = index.system.score(snapshot, query, strangers[:1])
    assert known == pytest.approx(0, abs=1e-5)
    assert stranger == alone < -0.1
    index.add([Document(f"e{number}", "house", language="en") for number in range(9)])
    with index.snapshot() as snapshot:  # house says less now, so that bread is more of the text
        assert index.system.score(snapshot, query, strangers[:1])[0] > stranger + 0.01


@every_system
def test_a_query_without_a_known_word_reaches_nothing(name, build):
    index, query = build(name), Query("q", "qqqq", "en")
    assert ranked(index, query) == ()
    with index.snapshot() as snapshot:
        scores = index.system.score(snapshot, query, DOCUMENTS)
    assert scores.tolist() == [UNREACHABLE] * len(DOCUMENTS)


@every_system
def test_documents_of_which_none_has_a_known_word_are_all_unreachable(name, build):
    hits = ranked(build(name, [DOCUMENTS[3], Document("e", "qqqq", language="en")]), HOUSE)
    assert [(hit.doc_id, hit.score) for hit in hits] == [("d", UNREACHABLE), ("e", UNREACHABLE)]


@every_system
def test_an_index_is_refused_where_vectors_have_changed(name, build, vectors):
    folder = build(name).folder
    with dragoman.open(folder) as index:
        assert index.search("house", language="en").results
    turned = np.eye(3, dtype=np.float32)[::-1].copy()
    WordVectors("en", WORDS, turned).save(vectors / "en")  # the shape stays
    with (
        dragoman.open(folder) as index,
        pytest.raises(IndexFault, match="built with words = 'en:3x3:"),
    ):
        index.search("house", language="en")


@every_system
def test_a_new_student_matters_to_documents_of_its_language_alone(name, tmp_path, monkeypatch):
    teacher, student = toy_encoder("en", {"house": 0}), toy_encoder("sw", {"nyumba": 0})
    monkeypatch.setattr("dragoman.encoders.family.load_encoder", lambda _: teacher)
    monkeypatch.setattr("dragoman.encoders.family.shipped_students", lambda: ())
    swahili = Document("sw", "nyumba", language="sw")
    for folder, documents in (("en", DOCUMENTS[:2]), ("both", [*DOCUMENTS[:2], swahili])):
        dragoman.index(documents, tmp_path / folder, system=name).close()
    monkeypatch.setattr("dragoman.encoders.family.shipped_students", lambda: (student,))
    with dragoman.open(tmp_path / "en") as index:
        assert index.search("house", language="en").results[0].hit.doc_id == "b"
    with (
        dragoman.open(tmp_path / "both") as index,
        pytest.raises(IndexFault, match="documents in 'sw' were indexed with"),
    ):
        index.search("house", language="en")


@every_system
@pytest.mark.parametrize("translate", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_rankings_do_not_depend_on_segments_or_on_what_was_deleted(
    name, translate, seed, tmp_path, build
):
    """Equal to the last bit, by vectors whose sums are rounded."""
    rng = np.random.default_rng(seed)
    words = [f"{a}{b}" for a in "bdfgkl" for b in ("aru", "emo", "isa", "ovi", "una")]
    for code in ("en", "fr"):
        rows = rng.standard_normal((len(words), 24)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        WordVectors(code, tuple(words), rows).save(tmp_path / "random" / code)
    stay, leave = ([*_texts(rng, words, start, 24)] for start in ("d", "x"))
    settings = {"vectors": [str(tmp_path / "random")], "translate": translate}
    whole = build(name, stay, **settings)
    grown = build(name, [stay[0], leave[0]], **settings)
    waiting = [*stay[1:], *leave[1:]]
    rng.shuffle(waiting)
    while waiting:
        some, waiting = waiting[: (size := int(rng.integers(1, 9)))], waiting[size:]
        encoded = grown.system.encode(some)
        records = [Record(document, mine) for document, mine in zip(some, encoded, strict=True)]
        grown.store_records(records, memtable=int(rng.integers(0, 12)))
    grown.delete([document.doc_id for document in leave])
    queries = [Query("q", " ".join(rng.choice(words, 5)), code) for code in ("en", "fr")]
    expected = [ranked(whole, query, 24) for query in queries]
    assert all(map(len, expected))
    for merge in (False, True):
        if merge:
            grown.optimize()
        with grown.snapshot() as snapshot:
            assert (len(snapshot.readers) > 2) != merge  # the memtable may stay beside one segment
            scores = grown.system.score(snapshot, queries[0], stay)
        assert [ranked(grown, query, 24) for query in queries] == expected
        with whole.snapshot() as snapshot:
            assert (scores == whole.system.score(snapshot, queries[0], stay)).all()


def _texts(rng, words, start, count):
    for number in range(count):
        text = " ".join(rng.choice(words, int(rng.integers(0, 9))))
        yield Document(f"{start}{number}", text, language=str(rng.choice(["en", "fr"])))


def test_infinite_distances_become_the_lowest_score():
    assert scores_of(np.array([0.0, 0.5, np.inf])).tolist() == [0.0, -0.5, UNREACHABLE]
