import numpy as np
import ot
import pytest

import dragoman
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import IndexFault
from dragoman.ranking.balance import Balance
from dragoman.systems.bags.system import UNREACHABLE
from dragoman.systems.bags.wasserstein import WassersteinSystem
from dragoman.types import Document, Query, Text
from toys import toy_encoder

ENGLISH = {"water": 0, "river": 1, "horse": 2, "house": 3, "bread": 4}
SWAHILI = {"maji": 0, "moto": 1, "mtu": 2, "nyumba": 3, "mkate": 4}
DOCUMENTS = [
    Document("en-house", "horse house river", language="en"),
    Document("en-silent", "...", language="en"),
    Document("en-water", "water water bread", language="en"),
    Document("sw-river", "moto moto", language="sw"),
    Document("sw-house", "mtu nyumba moto", language="sw"),
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


@pytest.fixture
def build(tmp_path):
    built = []

    def index(settings, documents=DOCUMENTS):
        folder = tmp_path / f"index{len(built)}"
        built.append(dragoman.index(documents, folder, system="wasserstein", settings=settings))
        return built[-1]

    yield index
    for one in built:
        one.close()


@pytest.fixture(params=[None, 0.1])
def index(request, build, readers):
    return build({**readers, "epsilon": request.param})


def ranked(index, text, language, k=10, within=None):
    scope = index.scope(within, balance=Balance.OFF)
    return index.rank(Query("q", text, language), k, scope).hits


def ids(index, text, language, k=10, within=None):
    return [hit.doc_id for hit in ranked(index, text, language, k, within)]


def explained(index, query, document):
    with index.snapshot() as snapshot:
        return index.system.explain(snapshot, query, document)


def test_the_same_words_in_another_language_come_first(index):
    assert ids(index, "horse house river", "en", k=2) == ["en-house", "sw-house"]
    assert ids(index, "moto", "sw", k=1) == ["sw-river"]


def test_the_score_is_the_transport_cost_that_pot_finds(index):
    query = index.system.source.points(["en:water", "en:house"])
    document = index.system.source.points(["en:horse", "en:house", "en:river"])
    idf = np.log((len(DOCUMENTS) + 1) / 2) + 1  # each of these stands in one document
    a, b = idf * np.array([1.0, 2.0]), idf * np.array([1.0, 1.0, 1.0])
    cost = np.linalg.norm(query[:, None] - document[None], axis=2)
    a, b = a / a.sum(), b / b.sum()
    epsilon = index.system.config.epsilon
    wanted = ot.emd2(a, b, cost) if epsilon is None else ot.sinkhorn2(a, b, cost, epsilon)
    scores = {hit.doc_id: hit.score for hit in ranked(index, "water house house", "en")}
    assert scores["en-house"] == pytest.approx(-float(wanted), abs=1e-5)


def test_a_document_without_a_known_word_stands_last(index):
    last = ranked(index, "water", "en")[-1]
    assert (last.doc_id, last.score) == ("en-silent", UNREACHABLE)


def test_a_query_without_a_known_word_finds_nothing(index):
    assert ids(index, "...", "en") == []


def test_a_language_filter_keeps_the_others_out(index):
    assert set(ids(index, "water", "en", within=["sw"])) == {"sw-river", "sw-house"}


def test_search_gives_the_scores_of_score_whatever_the_batch(index):
    query = Query("q", "horse water", "en")
    expected = {hit.doc_id: hit.score for hit in ranked(index, query.text, query.language)}
    for documents in (*([document] for document in DOCUMENTS), DOCUMENTS):
        with index.snapshot() as snapshot:
            scores = index.system.score(snapshot, query, documents)
        wanted = [expected[document.doc_id] for document in documents]
        assert scores.tolist() == pytest.approx(wanted, abs=1e-5)


def test_added_one_by_one_is_built_at_once(build, readers):
    grown = build(readers, DOCUMENTS[-1:])
    for document in reversed(DOCUMENTS[:-1]):
        grown.add([document])
    query = "horse bread river", "en"
    assert ranked(grown, *query) == ranked(build(readers), *query)


def test_a_deleted_document_is_no_longer_counted(build, readers):
    shrunk = build(readers)
    shrunk.delete(["en-water", "absent"])
    rest = [document for document in DOCUMENTS if document.doc_id != "en-water"]
    query = "horse bread river", "en"
    assert ranked(shrunk, *query) == ranked(build(readers, rest), *query)


def test_opened_again_it_answers_alike_and_grows(index):
    with dragoman.open(index.folder) as again:
        assert ranked(again, "horse bread", "en") == ranked(index, "horse bread", "en")
        again.add([Document("en-bread", "horse bread", language="en")])
        assert ids(again, "horse bread", "en", k=1) == ["en-bread"]
    assert ids(index, "horse bread", "en", k=1) == ["en-bread"]


def test_a_folder_without_a_system_is_refused(tmp_path):
    with pytest.raises(IndexFault, match="found no settings"):
        WassersteinSystem.load(tmp_path)


def test_the_plan_explains_and_its_shares_sum_to_one(build, readers):
    exact = build({**readers, "epsilon": None})
    why = explained(exact, Query("q", "river house", "en"), DOCUMENTS[4])
    pairs = {(link.query_word, link.document_word) for link in why.links}
    assert {("river", "moto"), ("house", "nyumba")} <= pairs
    assert sum(link.share for link in why.links) == pytest.approx(1, abs=1e-6)
    assert why.score == ranked(exact, "river house", "en", within=["sw"])[0].score


def test_given_vectors_with_and_without_the_oov_protocol(build, tmp_path):
    axes = np.eye(4, dtype=np.float32)
    english = WordVectors("en", ("water", "river", "transition"), axes[:3])
    french = WordVectors("fr", ("eau", "feu", "transition"), axes[[0, 1, 3]])
    english.save(tmp_path / "en")
    french.save(tmp_path / "fr")
    documents = [
        Document("fr-eau", "eaux", language="fr"),
        Document("fr-transition", "transition", language="fr"),
    ]
    settings = {"vectors": [str(tmp_path / "en"), str(tmp_path / "fr")]}
    plain = build(settings, documents)
    assert ids(plain, "water", "en")[-1] == "fr-eau"
    assert ranked(plain, "transition", "en")[0].score < -1
    repaired = build({**settings, "misspelt": 1, "collapse": True}, documents)
    assert ids(repaired, "waters", "en", k=1) == ["fr-eau"]
    assert ranked(repaired, "transition", "en")[0].score == pytest.approx(0)


def test_a_translated_query_meets_the_documents_in_their_own_language(build, tmp_path):
    WordVectors("de", ("brot", "haus"), np.eye(2, dtype=np.float32)).save(tmp_path / "de")
    documents = [Document("bread", "Brot", language="de"), Document("house", "Haus", language="de")]
    settings = {"vectors": [str(tmp_path / "de")]}
    assert ids(build(settings, documents), "house", "en") == []
    translating = build({**settings, "translate": True}, documents)
    hits = ranked(translating, "the house", "en")
    assert [hit.doc_id for hit in hits] == ["house", "bread"]
    assert hits[0].score == pytest.approx(0, abs=1e-6)
    (link,) = explained(translating, Query("q", "the house", "en"), documents[1]).links
    assert (link.query_word, link.document_word) == ("haus", "haus")
    assert "no translation table for xx" in " ".join(translating.system.warnings(["xx"]))


def test_a_language_without_vectors_is_warned_about(tmp_path):
    WordVectors("en", ("water",), np.ones((1, 1), dtype=np.float32)).save(tmp_path / "en")
    system = WassersteinSystem.create(
        WassersteinSystem.configure({"vectors": [str(tmp_path / "en")]})
    )
    assert "no word vectors for sw" in system.warnings(["en", "sw"])[0]


def test_text_of_no_language_is_read(index):
    with index.snapshot() as snapshot:
        assert index.system.document_bag(snapshot, Text("water", "")).weights.sum() > 0
