import numpy as np
import pytest

from dragoman import registry
from dragoman.embeddings.readers.loader import convert, open_vectors, read_vectors, vector_format
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import ConfigError, InputError, UnknownLanguage, UnknownName
from dragoman.text.files import Faults, OnError
from published import MATRIX, WORDS, uris, write_binary, write_hdf5, write_polyglot, write_text

UNITS = MATRIX / np.linalg.norm(MATRIX, axis=1, keepdims=True)
FILES = {
    "binary": lambda folder: write_binary(folder / "news.bin"),
    "numberbatch": lambda folder: write_text(folder / "numberbatch.txt.gz", words=uris()),
    "numberbatch-hdf5": lambda folder: write_hdf5(folder / "mini.h5"),
    "polyglot": lambda folder: write_polyglot(folder / "polyglot-fr.pkl"),
    "text": lambda folder: write_text(folder / "wiki.fr.vec"),
}


@pytest.fixture(params=sorted(registry.WORD_VECTOR_FORMATS))
def name(request):
    if request.param == "numberbatch-hdf5":
        pytest.importorskip("h5py", reason="needs the extra hdf5")
    return request.param


def test_every_format_is_told_and_read_at_length_one(name, tmp_path):
    path = FILES[name](tmp_path)
    assert vector_format(path) == name
    found = read_vectors(path, "fr")
    assert tuple(found.words) == WORDS
    np.testing.assert_allclose(found.matrix, UNITS, rtol=1e-5)
    np.testing.assert_allclose(found.lengths, np.linalg.norm(MATRIX, axis=1), rtol=1e-5)
    assert (found.language, found.facts["format"]) == ("fr", name)


def test_every_format_is_converted_to_a_folder_that_is_mapped(name, tmp_path):
    found = convert(FILES[name](tmp_path), tmp_path / "saved", "fr")
    assert isinstance(found.matrix, np.memmap)
    np.testing.assert_allclose(found.matrix, UNITS, rtol=1e-5)
    assert tuple(open_vectors(tmp_path / "saved", "fr").words) == WORDS


def test_every_format_keeps_to_a_vocabulary_and_a_number(name, tmp_path):
    path = FILES[name](tmp_path)
    assert list(open_vectors(path, "fr", {"ελλάδα", "chat", "x"}).words) == ["chat", "Ελλάδα"]
    assert list(read_vectors(path, "fr", most=2).words) == list(WORDS[:2])


def test_every_format_says_where_no_word_is_wanted(name, tmp_path):
    path = FILES[name](tmp_path)
    with pytest.raises(InputError, match="found no vector of a wanted word in 'fr'"):
        read_vectors(path, "fr", vocabulary={"nothing"})
    with pytest.raises(InputError, match="found no vector of a wanted word"):
        convert(path, tmp_path / "saved", "fr", vocabulary={"nothing"})
    assert not (tmp_path / "saved").exists()


def test_a_missing_file_is_named(name, tmp_path):
    with pytest.raises(InputError, match="found no such file"):
        read_vectors(tmp_path / "none.vec", "fr", format=name)


def test_numberbatch_gives_the_language_that_is_asked_for(tmp_path):
    path = write_text(tmp_path / "numberbatch.txt", words=[*uris("fr")[:3], *uris("de")[3:]])
    assert list(read_vectors(path, "de").words) == list(WORDS[3:])


def test_a_folder_of_languages_is_opened_by_language(tmp_path):
    for language in ("en", "fr"):
        WordVectors(language, ["a"], np.eye(1, 3, dtype=np.float32)).save(tmp_path / language)
    assert open_vectors(tmp_path, "fr").language == "fr"
    assert list(open_vectors(tmp_path, "fr", {"a"}).words) == ["a"]
    with pytest.raises(InputError, match="found vectors of 'fr'; expected those of 'de'"):
        open_vectors(tmp_path / "fr", "de")


def test_zero_vectors_and_second_sightings_are_left_out(tmp_path):
    (tmp_path / "wiki.vec").write_text("4 2\na 3 4\nzero 0 0\na 1 1\nb 0 2\n")
    found = read_vectors(tmp_path / "wiki.vec", "en")
    assert list(found.words) == ["a", "b"]
    np.testing.assert_allclose(found.matrix, [[0.6, 0.8], [0, 1]], rtol=1e-6)


def test_bad_lines_can_be_skipped_and_are_counted(tmp_path):
    (tmp_path / "wiki.vec").write_text("2 2\na 3 4\nb 1\n")
    faults = Faults(OnError.SKIP)
    assert list(read_vectors(tmp_path / "wiki.vec", "en", faults=faults).words) == ["a"]
    assert faults.skipped == 1


def test_progress_counts_every_word(name, tmp_path):
    told = []
    read_vectors(FILES[name](tmp_path), "fr", advance=lambda steps=1: told.append(steps))
    assert sum(told) == len(WORDS)


def test_an_unknown_format_names_the_known_ones(tmp_path):
    with pytest.raises(UnknownName, match="Unknown word vector format 'vec'"):
        read_vectors(FILES["text"](tmp_path), "fr", format="vec")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"language": "qq"}, UnknownLanguage, "'qq'"),
        ({"format": "vec"}, UnknownName, "word vector format 'vec'"),
        ({"most": 0}, ConfigError, "Found most = 0; expected at least 1"),
    ],
)
@pytest.mark.parametrize("work", [read_vectors, convert])
def test_wrong_arguments_are_refused_before_anything_is_read_or_written(
    work, options, error, message, tmp_path
):
    path = write_text(tmp_path / "wiki.fr.vec")
    target = [] if work is read_vectors else [tmp_path / "saved"]
    given = {"language": "fr", **options}
    with pytest.raises(error, match=message):
        work(path, *target, given.pop("language"), **given)
    assert [file.name for file in tmp_path.iterdir()] == ["wiki.fr.vec"]
