import numpy as np
import ot
import pytest

import dragoman
from dragoman.errors import ConfigError, IndexFault, UnknownName
from dragoman.indexes.bag_system import UNREACHABLE
from dragoman.protocols import silent
from dragoman.ranking.balance import Balance
from dragoman.systems.wasserstein.system import Wasserstein
from dragoman.types import Document, Query, Text
from dragoman.vectors.words import WordVectors
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


@pytest.fixture(params=[None, 0.1])
def system(request, readers):
    return built({**readers, "epsilon": request.param})


def built(settings, documents=DOCUMENTS):
    return Wasserstein.build(documents, Wasserstein.configure(settings), silent)


def found(system, text, language, k=10, languages=None):
    hits = system.search(Query("q", text, language), k, languages).hits
    return [hit.doc_id for hit in hits]


def test_the_same_words_in_another_language_come_first(system):
    assert found(system, "horse house river", "en", k=2) == ["en-house", "sw-house"]
    assert found(system, "moto", "sw", k=1) == ["sw-river"]


def test_the_score_is_the_transport_cost_that_pot_finds(system):
    query = system.bags.source.points(["en:water", "en:house"])
    document = system.bags.source.points(["en:horse", "en:house", "en:river"])
    idf = np.log((len(DOCUMENTS) + 1) / 2) + 1  # each of these stands in one document
    a, b = idf * np.array([1.0, 2.0]), idf * np.array([1.0, 1.0, 1.0])
    cost = np.linalg.norm(query[:, None] - document[None], axis=2)
    a, b = a / a.sum(), b / b.sum()
    epsilon = system.config.epsilon
    wanted = ot.emd2(a, b, cost) if epsilon is None else ot.sinkhorn2(a, b, cost, epsilon)
    hits = system.search(Query("q", "water house house", "en"), 10).hits
    scores = {hit.doc_id: hit.score for hit in hits}
    assert scores["en-house"] == pytest.approx(-float(wanted), abs=1e-5)


def test_a_document_without_a_known_word_stands_last(system):
    hits = system.search(Query("q", "water", "en"), 10).hits
    assert hits[-1].doc_id == "en-silent"
    assert hits[-1].score == UNREACHABLE


def test_a_query_without_a_known_word_finds_nothing(system):
    assert found(system, "...", "en") == []


def test_a_language_filter_keeps_the_others_out(system):
    assert set(found(system, "water", "en", languages=["sw"])) == {"sw-river", "sw-house"}


def test_search_gives_the_scores_of_encode_and_score_whatever_the_batch(system):
    query = Query("q", "horse water", "en")
    hits = system.search(query, 10).hits
    (asked,) = system.encode_queries([query.content])
    for batch in ([d] for d in DOCUMENTS), [DOCUMENTS]:
        for documents in batch:
            encoded = system.encode_documents([d.content for d in documents])
            scores = dict(
                zip([d.doc_id for d in documents], system.score(asked, encoded), strict=True)
            )
            expected = {hit.doc_id: hit.score for hit in hits if hit.doc_id in scores}
            assert scores == pytest.approx(expected, abs=1e-5)


def test_added_one_by_one_is_built_at_once(readers):
    grown = built(readers, ())
    for document in reversed(DOCUMENTS):
        grown.add([document])
    query = Query("q", "horse bread river", "en")
    assert grown.search(query, 10) == built(readers).search(query, 10)


def test_a_removed_document_is_no_longer_counted(readers):
    shrunk = built(readers)
    shrunk.remove(["en-water", "nobody"])
    rest = [document for document in DOCUMENTS if document.doc_id != "en-water"]
    query = Query("q", "horse bread river", "en")
    assert shrunk.search(query, 10) == built(readers, rest).search(query, 10)


def test_saved_and_loaded_it_answers_alike(system, tmp_path):
    (tmp_path / "saved").mkdir()
    system.save(tmp_path / "saved")
    query = Query("q", "horse bread", "en")
    again = Wasserstein.load(tmp_path / "saved")
    assert again.search(query, 10) == system.search(query, 10)
    again.add([Document("en-bread", "horse bread", language="en")])
    assert found(again, "horse bread", "en", k=1) == ["en-bread"]


def test_a_folder_without_a_system_is_refused(tmp_path):
    with pytest.raises(IndexFault, match="found no settings"):
        Wasserstein.load(tmp_path)


def test_the_plan_explains_and_its_shares_sum_to_one(readers):
    exact = built({**readers, "epsilon": None})
    told = exact.explain(Query("q", "river house", "en"), DOCUMENTS[4])
    pairs = {(link.query_word, link.document_word) for link in told.links}
    assert {("river", "moto"), ("house", "nyumba")} <= pairs
    assert sum(link.share for link in told.links) == pytest.approx(1, abs=1e-6)
    assert told.score == exact.search(Query("q", "river house", "en"), 10, ["sw"]).hits[0].score


def test_given_vectors_with_and_without_the_oov_protocol(tmp_path):
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
    plain = built(settings, documents)
    assert found(plain, "water", "en")[-1] == "fr-eau"
    assert plain.search(Query("q", "transition", "en"), 1).hits[0].score < -1
    repaired = built({**settings, "misspelt": 1, "collapse": True}, documents)
    assert found(repaired, "waters", "en", k=1) == ["fr-eau"]
    assert repaired.search(Query("q", "transition", "en"), 1).hits[0].score == pytest.approx(0)


def test_a_translated_query_meets_the_documents_in_their_own_language(tmp_path):
    WordVectors("de", ("brot", "haus"), np.eye(2, dtype=np.float32)).save(tmp_path / "de")
    documents = [Document("bread", "Brot", language="de"), Document("house", "Haus", language="de")]
    settings = {"vectors": [str(tmp_path / "de")]}
    assert found(built(settings, documents), "house", "en") == []
    translating = built({**settings, "translate": True}, documents)
    hits = translating.search(Query("q", "the house", "en"), 2).hits
    assert [hit.doc_id for hit in hits] == ["house", "bread"]
    assert hits[0].score == pytest.approx(0, abs=1e-6)
    (link,) = translating.explain(Query("q", "the house", "en"), documents[1]).links
    assert (link.query_word, link.document_word) == ("haus", "haus")
    assert "no translation table for xx" in " ".join(translating.notices(["xx"]))


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"epsilon": 0}, ConfigError, "epsilon must be above 0"),
        ({"lambda": 1}, UnknownName, "lambda"),
        ({"weighting": "bm25"}, UnknownName, "bm25"),
        ({"vectors": "folder"}, ConfigError, "list of folders"),
        ({"misspelt": 1}, ConfigError, "name some"),
        ({"first": 0}, ConfigError, "first 1 or more"),
    ],
)
def test_bad_settings_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        Wasserstein.configure(settings)


def test_a_language_without_vectors_is_said(tmp_path):
    WordVectors("en", ("water",), np.ones((1, 1), dtype=np.float32)).save(tmp_path / "en")
    system = built({"vectors": [str(tmp_path / "en")]}, ())
    assert "no word vectors for sw" in system.notices(["en", "sw"])[0]


def test_an_index_that_changes_counts_like_one_that_was_built(tmp_path, readers):
    with dragoman.index(
        DOCUMENTS[:3], tmp_path / "i", system="wasserstein", settings=readers
    ) as index:
        index.add(DOCUMENTS[3:])
        index.delete(["en-water"])
        rest = [document for document in DOCUMENTS if document.doc_id != "en-water"]
        query = Query("q", "horse bread river", "en")
        wanted = built(readers, rest).search(query, 10).hits
        scope = index.scope(balance=Balance.OFF)
        assert index.rank(query, 10, scope).hits == wanted


def test_text_of_no_language_is_read(readers):
    (bag,) = built(readers).encode_queries([Text("water", "")])
    assert bag[""].weights.sum() > 0
