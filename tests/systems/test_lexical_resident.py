"""psq in a store: a document's vector is its own, whatever was surveyed or asked before."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import dragoman
from dragoman.protocols import silent
from dragoman.systems.lexical.bags import Bags
from dragoman.systems.lexical.resident import ResidentPsq
from dragoman.types import Document

BODIES = {
    "en": ["The tide follows the moon", "A harbour, ships and the tide", "", "Bread and butter"],
    "it": ["La marea segue la luna", "Pane e burro", "Il porto, le navi e la marea", "Obamaz"],
    "ru": ["Прилив следует за луной", "Хлеб и масло", "Порт и корабли", "Вашингтон"],
}
DOCUMENTS = [
    Document(f"{language}-{number}", f"{bodies[number]}. {'abcd'[number]}", language=language)
    for number in range(4)
    for language, bodies in BODIES.items()
]


def prepared():
    system = ResidentPsq.prepare(ResidentPsq.configure({}))
    system.survey(DOCUMENTS, silent)
    return system


def plain(vectors):
    return [(one["psq"].dimensions.tobytes(), one["psq"].weights.tobytes()) for one in vectors]


@pytest.fixture(scope="module")
def expected():
    return plain(prepared().vectors(DOCUMENTS))


@pytest.mark.parametrize("size", [1, 5, len(DOCUMENTS)])
@pytest.mark.parametrize("first", [0, 3])
def test_vectors_are_the_same_in_any_batches_and_after_a_stop(expected, first, size):
    system = prepared()
    found = [
        vector
        for start in range(first, len(DOCUMENTS), size)
        for vector in plain(system.vectors(DOCUMENTS[start : start + size]))
    ]
    assert found == expected[first:]
    assert plain(system.vectors(DOCUMENTS)) == expected  # the survey is used up by now


def test_an_emptied_system_remembers_no_survey(expected):
    assert plain(prepared().emptied().vectors(DOCUMENTS[::-1])) == expected[::-1]


def test_the_words_of_a_build_are_saved_as_if_they_had_been_read_then(tmp_path):
    built, counted = prepared(), prepared().emptied()
    for number, system in enumerate((built, counted)):
        (tmp_path / str(number)).mkdir()
        for start in range(0, len(DOCUMENTS), 5):
            system.vectors(DOCUMENTS[start : start + 5])
        system.save(tmp_path / str(number))
    files = sorted(path.name for path in (tmp_path / "0").iterdir())
    assert "names-ru.hashes.npy" in files
    for name in files:
        assert (tmp_path / "0" / name).read_bytes() == (tmp_path / "1" / name).read_bytes(), name


def test_a_build_analyses_every_document_once(tmp_path, monkeypatch):
    counted = []
    count = Bags.__call__
    monkeypatch.setattr(
        Bags, "__call__", lambda bags, text: counted.append(text) or count(bags, text)
    )
    dragoman.index(DOCUMENTS, tmp_path / "index", system="psq").close()
    assert counted == [document.content for document in DOCUMENTS]


def test_threads_get_the_vectors_that_one_would_get(expected):
    system = prepared().emptied()
    with ThreadPoolExecutor(4) as threads:
        each = [threads.submit(system.vectors, [document]) for document in DOCUMENTS * 5]
        assert [plain(one.result())[0] for one in each] == expected * 5
