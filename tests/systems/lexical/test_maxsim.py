"""Word MaxSim against a plain computation over the words of the documents."""

import numpy as np
import pytest

import dragoman
from dragoman.lexicons.word_neighbours import shipped_neighbours
from dragoman.systems.lexical.maxsim import SimilarWords
from dragoman.types import Document, Text

DOCUMENTS = [
    Document("king", "The king lives in a castle by the water.", "", "en"),
    Document("monarch", "A monarch reigns.", "", "en"),
    Document("bread", "Bread is baked from flour.", "", "en"),
    Document("König", "Der König wohnt in einer Burg.", "", "de"),
    Document("Brot", "Brot wird aus Mehl gebacken.", "", "de"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("maxsim") / "index"
    dragoman.index(DOCUMENTS, folder, system="psq")
    with dragoman.open(folder) as opened:
        yield opened


def scores(index, query, language, searched):
    """MaxSim of the documents in one language, by id."""
    with index.snapshot() as snapshot:
        chosen = [one for one in DOCUMENTS if one.language == searched]
        known = {
            one: number for number, one in enumerate(snapshot.doc_ids(np.arange(snapshot.size)))
        }
        numbers = np.array([known[one.doc_id] for one in chosen])
        found = index.system.maxsim(snapshot, Text(query, language), [searched], numbers)
    return {one.doc_id: float(score) for one, score in zip(chosen, found, strict=True)}


def test_each_word_counts_by_its_nearest_word_in_the_document(index):
    analyze = index.system.analyzer
    query, english = "king castle", [one for one in DOCUMENTS if one.language == "en"]
    bags = {one.doc_id: {*analyze(one.text, "en")} for one in english}
    expected = dict.fromkeys(bags, 0.0)
    for word in analyze(query, "en"):
        frequency = sum(word in bag for bag in bags.values())
        idf = np.log1p((len(bags) - frequency + 0.5) / (frequency + 0.5))
        neighbours = shipped_neighbours()
        numbers, similarities = neighbours.similar_to_any([word])
        named = [neighbours.words[number] for number in numbers]
        similar = {**dict(zip(named, similarities, strict=True)), word: 1.0}
        for doc_id, bag in bags.items():
            expected[doc_id] += idf * max((similar.get(other, 0.0) for other in bag), default=0.0)
    assert scores(index, query, "en", "en") == pytest.approx(expected, rel=1e-5)
    assert expected["king"] > expected["monarch"] > expected["bread"] == 0


def test_a_repeated_word_counts_once(index):
    assert scores(index, "king king", "en", "en") == scores(index, "king", "en", "en")


@pytest.mark.parametrize(("query", "language"), [("monarch", "en"), ("König", "de")])
def test_words_of_two_languages_meet_by_their_translations(index, query, language):
    found = scores(index, query, language, "de")
    assert found["König"] > found["Brot"] == 0


def test_a_query_without_words_has_no_score(index):
    assert set(scores(index, "the", "en", "en").values()) == {0.0}


def test_similarities_fall_and_the_word_itself_is_direct(index):
    similar = SimilarWords(index.system._mapper, "de", "de")["könig"]
    assert np.all(np.diff(similar.similarities) <= 0)
    assert similar.similarities[similar.direct].tolist() == [1.0]
    assert len({*similar.dimensions.tolist()}) == len(similar.dimensions)
