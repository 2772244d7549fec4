import json

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import dragoman
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import IndexFault
from dragoman.ranking.balance import Balance
from dragoman.systems.bags.nbow import NbowSystem
from dragoman.systems.bags.system import UNREACHABLE
from dragoman.types import Document, Query
from lexical_examples import saved_lexicons

# two languages in one space of four; "harbour" and "hafen" are the same point
ENGLISH = {"house": (1, 0, 0, 0), "water": (0, 1, 0, 0), "ship": (0, 0, 1, 0), "red": (0, 0, 0, 1)}
GERMAN = {
    "haus": (1, 0, 0, 0),
    "wasser": (0, 1, 0, 0),
    "schiff": (0, 0, 1, 0),
    "rotes": (0, 0, 0, 1),
}
DOCUMENTS = [
    Document("en-house", "A red house by the water", language="en"),
    Document("en-ship", "ship ship water", language="en"),
    Document("de-haus", "Ein rotes Haus am Wasser", language="de"),
    Document("de-schiff", "Schiff Schiff Wasser", language="de"),
    Document("en-strange", "qqqq zzzz", language="en"),
    Document("fr-eau", "eau", language="fr"),
]


def saved(folder, language, words):
    vectors = np.array(list(words.values()), dtype=np.float32)
    WordVectors(language, tuple(words), vectors).save(folder)
    return str(folder)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    base = tmp_path_factory.mktemp("vectors")
    return [saved(base / "en", "en", ENGLISH), saved(base / "de", "de", GERMAN)]


@pytest.fixture
def build(tmp_path):
    built = []

    def index(folders, documents=DOCUMENTS, **settings):
        folder, given = tmp_path / f"index{len(built)}", {"vectors": folders, **settings}
        built.append(dragoman.index(documents, folder, system="nbow", settings=given))
        return built[-1]

    yield index
    for one in built:
        one.close()


def ranked(index, text, language, k=10, within=None):
    scope = index.scope(within, balance=Balance.OFF)
    return index.rank(Query("q", text, language), k, scope).hits


def ids(index, text, language, k=10, within=None):
    return [hit.doc_id for hit in ranked(index, text, language, k, within)]


def average(index, doc_id):
    with index.snapshot() as snapshot:
        row = index.system.collection(snapshot).ids.index(doc_id)
        return index.system.averages(snapshot)[row]


def explained(index, query, document):
    with index.snapshot() as snapshot:
        return index.system.explain(snapshot, query, document)


def scored(index, query, documents):
    with index.snapshot() as snapshot:
        scores = index.system.score(snapshot, query, documents)
    return dict(zip([document.doc_id for document in documents], scores.tolist(), strict=True))


def test_term_frequencies_average_the_vectors(build, folders):
    index = build(folders, weighting="tf")
    assert average(index, "en-ship") == pytest.approx([0, 1 / 3, 2 / 3, 0])
    expected = cdist([[0, 1, 0, 0]], [[1 / 3, 1 / 3, 0, 1 / 3], [0, 1 / 3, 2 / 3, 0]])[0]
    by_id = {hit.doc_id: -hit.score for hit in ranked(index, "water", "en")}
    assert by_id["en-house"] == by_id["de-haus"] == pytest.approx(expected[0], abs=1e-6)
    assert by_id["en-ship"] == by_id["de-schiff"] == pytest.approx(expected[1], abs=1e-6)


@pytest.mark.parametrize("weighting", ["idf", "bare-idf"])
def test_idf_weighs_by_the_documents_of_all_languages(build, folders, weighting):
    ship = average(build(folders, weighting=weighting), "en-ship")
    added = 1 if weighting == "idf" else 0
    weights = np.array([np.log(7 / 3) + added, 2 * (np.log(7 / 2) + added)])  # six documents
    assert ship[1:3] == pytest.approx(weights / weights.sum(), abs=1e-6)


def test_the_same_meaning_comes_first_in_every_language_and_ties_by_id(build, folders):
    index = build(folders)
    assert ids(index, "red house water", "en")[:2] == ["de-haus", "en-house"]
    assert ids(index, "Schiff", "de", 2) == ["de-schiff", "en-ship"]
    assert ids(index, "Schiff", "de", 2, ["en"]) == ["en-ship", "en-house"]


def test_a_copy_of_the_query_has_the_score_zero(build, folders):
    (hit,) = ranked(build(folders), "A red house by the water", "en", 1, ["en"])
    assert (hit.doc_id, hit.score) == ("en-house", 0.0)


@pytest.mark.parametrize("query", [("", "en"), ("qqq", "en"), ("eau", "fr")])
def test_a_query_without_a_known_word_finds_nothing(build, folders, query):
    assert ids(build(folders), *query) == []


def test_languages_without_vectors_are_warned_about(build, folders):
    index = build(folders)
    (warning,) = index.system.warnings(["en", "fr"])
    assert "no word vectors for fr" in warning
    assert "dragoman learn embeddings" in warning
    assert index.manifest.warnings == (warning,)
    assert [(hit.doc_id, hit.score) for hit in ranked(index, "water", "en")[-2:]] == [
        ("en-strange", UNREACHABLE),
        ("fr-eau", UNREACHABLE),
    ]


def test_scored_by_itself_a_document_has_the_score_of_the_search(build, folders):
    index = build(folders)
    for text, language in (("red water", "en"), ("Haus Schiff", "de")):
        by_id = scored(index, Query("q", text, language), DOCUMENTS)
        assert {hit.doc_id: hit.score for hit in ranked(index, text, language)} == by_id
        assert by_id["en-strange"] == by_id["fr-eau"] == UNREACHABLE


def test_encoding_does_not_depend_on_the_batch(folders):
    system = NbowSystem.create(NbowSystem.configure({"vectors": folders}))
    for document, together in zip(DOCUMENTS, system.encode(DOCUMENTS), strict=True):
        (alone,) = system.encode([document])
        assert alone.keys() == together.keys()
        for space, bag in alone.items():
            assert bag.keys == together[space].keys
            assert bag.counts.tolist() == together[space].counts.tolist()
            assert bag.points.tolist() == together[space].points.tolist()
    assert together == {}  # no vectors for fr


def test_misspelt_and_collapsed_words_borrow_vectors(build, folders):
    text = [Document("typo", "housee", language="en")]
    for distance, score in ((0, UNREACHABLE), (1, 0)):
        (hit,) = ranked(build(folders, text, misspelt=distance), "Haus", "de")
        assert hit.score == score


@pytest.fixture(scope="module")
def monolingual(tmp_path_factory):
    """German vectors in a space of their own: only translated queries meet them."""
    folder = tmp_path_factory.mktemp("german") / "de"
    turned = {word: vector[::-1] for word, vector in GERMAN.items()}
    return [saved(folder, "de", turned)]


def test_translated_queries_meet_monolingual_vectors(build, monolingual, tmp_path):
    lexicons = saved_lexicons(tmp_path)
    german = [document for document in DOCUMENTS if document.language == "de"]
    assert ids(build(monolingual, german), "ship", "en") == []
    index = build(monolingual, german, translate=True, lexicons=lexicons)
    assert ids(index, "ship", "en") == ["de-schiff", "de-haus"]
    assert ids(index, "red house", "en")[0] == "de-haus"
    assert ids(index, "красный дом", "ru")[0] == "de-haus"  # through English
    query = Query("q", "ship", "en")
    links = explained(index, query, german[1]).links
    assert [(link.query_word, link.document_word) for link in links] == [("schiff", "schiff")]
    assert "no translation table for xh" in index.system.warnings(["xh"])[-1]
    hits = ranked(index, "ship", "en")
    assert scored(index, query, german) == {hit.doc_id: hit.score for hit in hits}


def test_another_table_of_the_documents_language_is_another_treatment(monolingual, tmp_path):
    def treatment(language, **settings):
        config = NbowSystem.configure({"vectors": monolingual, **settings})
        return NbowSystem.create(config).treatment(language)

    lexicons = saved_lexicons(tmp_path)
    assert treatment("de") == treatment("de", lexicons=lexicons)
    assert treatment("de", translate=True) != treatment("de", translate=True, lexicons=lexicons)
    assert treatment("fi", translate=True) == treatment("fi", translate=True, lexicons=lexicons)
    assert treatment("de") != treatment("de", stop="none")


def test_an_explanation_links_the_words_that_meet(build, folders):
    index, query = build(folders), Query("q", "house house ship", "en")
    why = explained(index, query, DOCUMENTS[2])
    assert [(link.query_word, link.document_word) for link in why.links] == [("house", "haus")]
    assert why.links[0].weight == pytest.approx(1)
    assert sum(link.share for link in why.links) == pytest.approx(1)
    hits = {hit.doc_id: hit.score for hit in ranked(index, query.text, query.language)}
    assert why.score == hits["de-haus"]
    nothing = explained(index, query, DOCUMENTS[4])
    assert (nothing.links, nothing.score) == ((), UNREACHABLE)


@pytest.mark.parametrize("translate", [False, True])
def test_opened_again_it_answers_alike(build, folders, tmp_path, translate):
    lexicons = saved_lexicons(tmp_path / "lexicons")
    index = build(folders, translate=translate, lexicons=lexicons)
    with dragoman.open(index.folder) as again:
        for text, language in (("red water", "en"), ("Schiff", "de"), ("", "en")):
            assert ranked(again, text, language, 5) == ranked(index, text, language, 5)
        assert json.loads(json.dumps(again.system.settings)) == index.manifest.settings


def test_damaged_folders_are_refused(tmp_path):
    with pytest.raises(IndexFault, match="no settings"):
        NbowSystem.load(tmp_path)
    (tmp_path / "config.json").write_text('{"system": "dense"}')
    with pytest.raises(IndexFault, match="found 'dense'; expected 'nbow'"):
        NbowSystem.load(tmp_path)


def test_by_cosine_the_length_of_an_average_does_not_count(build, folders):
    documents = [
        Document("long", "house water ship red", language="en"),  # near to everything
        Document("right", "house water", language="en"),
    ]
    words, query = "Haus Schiff Wasser", np.array([1, 1, 1, 0]) / 3
    by_length = build(folders, documents, weighting="tf")
    expected = [-np.linalg.norm(query - x) for x in ([0.25] * 4, [0.5, 0.5, 0, 0])]
    assert {hit.doc_id: hit.score for hit in ranked(by_length, words, "de")} == pytest.approx(
        dict(zip(("long", "right"), expected, strict=True)), abs=1e-6
    )
    by_angle = build(folders, documents, weighting="tf", distance="cosine")
    assert np.linalg.norm(average(by_angle, "long")) == pytest.approx(1)
    for hit in ranked(by_angle, words, "de"):
        vector = {"long": [0.5] * 4, "right": [0.5**0.5, 0.5**0.5, 0, 0]}[hit.doc_id]
        unit = query / np.linalg.norm(query)
        assert hit.score == pytest.approx(-np.linalg.norm(unit - vector), abs=1e-6)


def test_an_index_that_changes_counts_like_one_that_was_built(build, folders):
    index = build(folders, DOCUMENTS[:3])
    index.add(DOCUMENTS[3:])
    index.delete(["en-ship"])
    rest = [document for document in DOCUMENTS if document.doc_id != "en-ship"]
    expected = ranked(build(folders, rest), "red ship water", "en")
    assert ranked(index, "red ship water", "en") == expected


def test_vectors_of_one_shape_that_differ_anywhere_have_different_settings(tmp_path):
    def words(name, vectors):
        folder = saved(tmp_path / name / "en", "en", vectors)
        config = NbowSystem.configure({"vectors": [folder]})
        return NbowSystem.create(config).settings["words"]

    turned = {**ENGLISH, "red": (0, 0, 1, 0)}
    assert words("a", ENGLISH) == words("b", ENGLISH) != words("c", turned)
