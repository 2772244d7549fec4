import json

import numpy as np
import pytest
from lexical_examples import saved_lexicons
from scipy.spatial.distance import cdist

import dragoman
from dragoman.errors import ConfigError, IndexFault, UnknownName
from dragoman.indexes.bag_system import UNREACHABLE
from dragoman.protocols import silent
from dragoman.ranking.balance import Balance
from dragoman.registry import system
from dragoman.systems.nbow.system import NbowSystem
from dragoman.types import Document, Query, Text
from dragoman.vectors.words import WordVectors

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


def built(folders, documents=DOCUMENTS, **settings):
    config = NbowSystem.configure({"vectors": folders, **settings})
    return NbowSystem.build(iter(documents), config, silent)


def found(searched, text, language, k=10, languages=None):
    return [hit.doc_id for hit in searched.search(Query("q", text, language), k, languages).hits]


def test_term_frequencies_average_the_vectors(folders):
    searched = built(folders, weighting="tf")
    (ship,) = searched.averages[searched.bags.weighed.rows(["en-ship"])]
    assert ship == pytest.approx([0, 1 / 3, 2 / 3, 0])
    hits = searched.search(Query("q", "water", "en"), 10).hits
    expected = cdist([[0, 1, 0, 0]], [[1 / 3, 1 / 3, 0, 1 / 3], [0, 1 / 3, 2 / 3, 0]])[0]
    by_id = {hit.doc_id: -hit.score for hit in hits}
    assert by_id["en-house"] == by_id["de-haus"] == pytest.approx(expected[0], abs=1e-6)
    assert by_id["en-ship"] == by_id["de-schiff"] == pytest.approx(expected[1], abs=1e-6)


@pytest.mark.parametrize("weighting", ["idf", "bare-idf"])
def test_idf_weighs_by_the_documents_of_all_languages(folders, weighting):
    searched = built(folders, weighting=weighting)
    (ship,) = searched.averages[searched.bags.weighed.rows(["en-ship"])]
    added = 1 if weighting == "idf" else 0
    weights = np.array([np.log(7 / 3) + added, 2 * (np.log(7 / 2) + added)])  # six documents
    assert ship[1:3] == pytest.approx(weights / weights.sum(), abs=1e-6)


def test_the_same_meaning_comes_first_in_every_language_and_ties_by_id(folders):
    searched = built(folders)
    assert found(searched, "red house water", "en")[:2] == ["de-haus", "en-house"]
    assert found(searched, "Schiff", "de", 2) == ["de-schiff", "en-ship"]
    assert found(searched, "Schiff", "de", 2, ["en"]) == ["en-ship", "en-house"]


def test_a_copy_of_the_query_has_the_score_zero(folders):
    hit = built(folders).search(Query("q", "A red house by the water", "en"), 1, ["en"]).hits[0]
    assert (hit.doc_id, hit.score) == ("en-house", 0.0)


@pytest.mark.parametrize("asked", [("", "en"), ("qqq", "en"), ("eau", "fr")])
def test_a_query_without_a_known_word_finds_nothing(folders, asked):
    assert found(built(folders), *asked) == []


def test_what_cannot_be_found_is_told(folders):
    searched = built(folders)
    (notice,) = searched.notices(["en", "fr"])
    assert "no word vectors for fr" in notice
    assert "dragoman learn embeddings" in notice
    hits = searched.search(Query("q", "water", "en"), 10).hits
    assert [(hit.doc_id, hit.score) for hit in hits[-2:]] == [
        ("en-strange", UNREACHABLE),
        ("fr-eau", UNREACHABLE),
    ]


def test_encoded_and_scored_it_gives_what_search_gives(folders):
    searched = built(folders)
    for text, language in (("red water", "en"), ("Haus Schiff", "de")):
        (asked,) = searched.encode_queries([Text(text, language)])
        encoded = searched.encode_documents([document.content for document in DOCUMENTS])
        scores = searched.score(asked, encoded)
        by_id = dict(zip([d.doc_id for d in DOCUMENTS], scores, strict=True))
        hits = searched.search(Query("q", text, language), 10).hits
        assert {hit.doc_id: hit.score for hit in hits} == by_id
        assert by_id["en-strange"] == by_id["fr-eau"] == UNREACHABLE


def test_encoding_does_not_depend_on_the_batch(folders):
    searched = built(folders)
    texts = [document.content for document in DOCUMENTS]
    for text, together in zip(texts, searched.encode_documents(texts), strict=True):
        (alone,) = searched.encode_documents([text])
        for code, bag in alone.items():
            assert bag.words == together[code].words
            assert (bag.weights == together[code].weights).all()


def test_misspelt_and_collapsed_words_borrow_vectors(folders):
    text = [Document("typo", "housee", language="en")]
    scores = {
        distance: built(folders, text, misspelt=distance).search(Query("q", "Haus", "de"), 1)
        for distance in (0, 1)
    }
    assert scores[0].hits[0].score == UNREACHABLE
    assert scores[1].hits[0].score == 0


@pytest.fixture(scope="module")
def monolingual(tmp_path_factory):
    """German vectors in a space of their own: only translated queries meet them."""
    folder = tmp_path_factory.mktemp("german") / "de"
    turned = {word: vector[::-1] for word, vector in GERMAN.items()}
    return [saved(folder, "de", turned)]


def test_translated_queries_meet_monolingual_vectors(monolingual, tmp_path):
    lexicons = saved_lexicons(tmp_path)
    german = [document for document in DOCUMENTS if document.language == "de"]
    plain = built(monolingual, german)
    assert found(plain, "ship", "en") == []
    searched = built(monolingual, german, translate=True, lexicons=lexicons)
    assert found(searched, "ship", "en") == ["de-schiff", "de-haus"]
    assert found(searched, "red house", "en")[0] == "de-haus"
    assert found(searched, "красный дом", "ru")[0] == "de-haus"  # through English
    why = searched.explain(Query("q", "ship", "en"), german[1])
    assert [(link.query_word, link.document_word) for link in why.links] == [("schiff", "schiff")]
    assert "no translation table for xh" in searched.notices(["xh"])[-1]
    (asked,) = searched.encode_queries([Text("ship", "en")])
    scores = searched.score(asked, searched.encode_documents([d.content for d in german]))
    hits = searched.search(Query("q", "ship", "en"), 10).hits
    assert sorted(scores, reverse=True) == [hit.score for hit in hits]


def test_an_explanation_links_the_words_that_meet(folders):
    searched = built(folders)
    query = Query("q", "house house ship", "en")
    why = searched.explain(query, DOCUMENTS[2])
    assert [(link.query_word, link.document_word) for link in why.links] == [("house", "haus")]
    assert why.links[0].weight == pytest.approx(1)
    assert sum(link.share for link in why.links) == pytest.approx(1)
    hits = {hit.doc_id: hit.score for hit in searched.search(query, 10).hits}
    assert why.score == hits["de-haus"]
    nothing = searched.explain(query, DOCUMENTS[4])
    assert (nothing.links, nothing.score) == ((), UNREACHABLE)


@pytest.mark.parametrize("translate", [False, True])
def test_saved_and_loaded_it_answers_alike(folders, tmp_path, translate):
    lexicons = saved_lexicons(tmp_path / "lexicons")
    searched = built(folders, translate=translate, lexicons=lexicons)
    (tmp_path / "index").mkdir()
    searched.save(tmp_path / "index")
    again = system("nbow").load(tmp_path / "index")
    queries = [Query("1", "red water", "en"), Query("2", "Schiff", "de"), Query("3", "", "en")]
    assert again.search_many(queries, 5) == searched.search_many(queries, 5)
    assert json.loads(json.dumps(again.settings)) == json.loads(json.dumps(searched.settings))


def test_vectors_that_changed_are_refused(tmp_path):
    folders = [saved(tmp_path / "en", "en", ENGLISH)]
    (tmp_path / "index").mkdir()
    built(folders).save(tmp_path / "index")
    saved(tmp_path / "en", "en", {**ENGLISH, "red": (0, 0, 1, 0)})
    with pytest.raises(IndexFault, match="was built with the vectors en:4x4"):
        NbowSystem.load(tmp_path / "index")


def test_damaged_folders_are_told(folders, tmp_path):
    with pytest.raises(IndexFault, match="no settings"):
        NbowSystem.load(tmp_path)
    built(folders).save(tmp_path)
    (tmp_path / "rows.npy").unlink()
    with pytest.raises(IndexFault, match="build the index again"):
        NbowSystem.load(tmp_path)
    (tmp_path / "config.json").write_text('{"system": "dense"}')
    with pytest.raises(IndexFault, match="found 'dense'; expected 'nbow'"):
        NbowSystem.load(tmp_path)


def test_settings_are_checked(folders):
    with pytest.raises(UnknownName, match="Did you mean 'vectors'"):
        NbowSystem.configure({"vector": []})
    with pytest.raises(UnknownName, match="Did you mean 'cosine'"):
        NbowSystem.configure({"distance": "cosin"})
    with pytest.raises(ConfigError, match="vectors must be a list"):
        NbowSystem.configure({"vectors": "en"})
    with pytest.raises(UnknownName, match="Did you mean 'idf'"):
        NbowSystem.configure({"vectors": folders, "weighting": "idff"})
    with pytest.raises(ConfigError, match="misspelt must be"):
        NbowSystem.configure({"vectors": folders, "misspelt": -1})


def test_by_cosine_the_length_of_an_average_does_not_count(folders):
    documents = [
        Document("long", "house water ship red", language="en"),  # near to everything
        Document("right", "house water", language="en"),
    ]
    query = "Haus Schiff Wasser"
    lengths = np.linalg.norm(built(folders, documents, distance="cosine").averages, axis=1)
    assert lengths == pytest.approx(1)
    asked = np.array([1, 1, 1, 0]) / 3
    tf = {"weighting": "tf"}
    near = built(folders, documents, **tf).search(Query("q", query, "de"), 2).hits
    expected = [-np.linalg.norm(asked - x) for x in ([0.25] * 4, [0.5, 0.5, 0, 0])]
    assert {hit.doc_id: hit.score for hit in near} == pytest.approx(
        dict(zip(("long", "right"), expected, strict=True)), abs=1e-6
    )
    by_angle = built(folders, documents, distance="cosine", **tf)
    for hit in by_angle.search(Query("q", query, "de"), 2).hits:
        vector = {"long": [0.5] * 4, "right": [0.5**0.5, 0.5**0.5, 0, 0]}[hit.doc_id]
        unit = asked / np.linalg.norm(asked)
        assert hit.score == pytest.approx(-np.linalg.norm(unit - vector), abs=1e-6)


def test_an_index_that_changes_counts_like_one_that_was_built(tmp_path, folders):
    settings = {"vectors": folders}
    with dragoman.index(DOCUMENTS[:3], tmp_path / "i", system="nbow", settings=settings) as index:
        index.add(DOCUMENTS[3:])
        index.delete(["en-ship"])
        rest = [document for document in DOCUMENTS if document.doc_id != "en-ship"]
        query = Query("q", "red ship water", "en")
        wanted = built(folders, rest).search(query, 10).hits
        assert index.rank(query, 10, index.scope(balance=Balance.OFF)).hits == wanted


def test_vectors_of_one_shape_that_differ_anywhere_are_told_apart(tmp_path):
    first = built([saved(tmp_path / "a" / "en", "en", ENGLISH)]).settings["words"]
    again = built([saved(tmp_path / "b" / "en", "en", ENGLISH)]).settings["words"]
    turned = {**ENGLISH, "red": (0, 0, 1, 0)}
    other = built([saved(tmp_path / "c" / "en", "en", turned)]).settings["words"]
    assert first == again != other
