"""Inputs that commands name are checked before any work: nothing is read, nothing is written."""

import os

import pytest

from commands import run
from dragoman.cli import inputs
from dragoman.errors import InputError, UnknownLanguage, UserError
from processes import unprivileged


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bitext.tsv").write_text("bread\tmkate\n")
    (tmp_path / "docs.jsonl").write_text('{"_id": "a", "text": "bread", "lang": "en"}\n')
    (tmp_path / "empty.tsv").touch()
    return tmp_path


PAIR = ("--languages", "en-sw")


@pytest.mark.parametrize(
    "arguments",
    [
        ("learn", "lexicon", "missing", *PAIR),
        ("learn", "lexicon", "bitext.tsv", "--dictionary", "missing", *PAIR),
        ("learn", "embeddings", "bitext.tsv", "--dictionary", "missing", *PAIR),
        ("learn", "encoder", "bitext.tsv", "missing", *PAIR),
        ("train", "bilda", "bitext.tsv", "missing", *PAIR),
        ("train", "searcher", "missing", *PAIR),
        ("train", "encoder", "bitext.tsv", "--collection", "missing"),
        ("train", "smooth", "missing"),
        ("train", "smooth", ".", "--vectors", "en=missing"),
        ("train", "transformer", "missing", "--architecture", "interactive", "--encoder", "x"),
        ("index", "docs.jsonl", "--lexicon", "missing"),
        ("index", "docs.jsonl", "--student", "missing"),
        ("index", "docs.jsonl", "--vectors", "missing", "--system", "nbow"),
        ("index", "docs.jsonl", "--model", "missing", "--system", "smooth"),
    ],
    ids=" ".join,
)
def test_a_missing_input_is_named_as_it_was_typed(folder, arguments):
    before = sorted(os.listdir(folder))
    with pytest.raises(InputError, match=r"^missing: found no such file; expected a readable"):
        run(*arguments, "-o", "out")
    assert sorted(os.listdir(folder)) == before


def test_an_input_that_may_not_be_read_or_is_empty_is_refused(folder):
    (folder / "locked.tsv").write_text("a\tb\n")
    (folder / "locked.tsv").chmod(0)
    (folder / "closed").mkdir(mode=0)
    for name, found in {
        "locked.tsv": "a file that may not be read",
        "closed": "a folder that may not be read",
        "empty.tsv": "an empty file",
    }.items():
        done = unprivileged(folder, "learn", "lexicon", name, *PAIR, "-o", "out")
        assert done.stderr.startswith(f"error: {name}: found {found}; expected ")
        assert done.returncode == 2
    (folder / "closed").chmod(0o755)


def test_word_vectors_are_a_folder_or_a_language_with_its_file(folder):
    (folder / "a=b.vec").write_text("bread 1 2\n")
    for given in (["en=bitext.tsv"], ["."], ["a=b.vec"], None):
        assert inputs.readable_vectors(given) == given
    with pytest.raises(UserError, match=r"'sw.vec', and no such file; .*as in en=FILE"):
        inputs.readable_vectors(["sw.vec"])
    with pytest.raises(UnknownLanguage, match="'qq'"):
        inputs.readable_vectors(["qq=bitext.tsv"])


def test_a_dataset_by_name_is_not_looked_for_as_a_folder():
    assert inputs.readable_collection("irds:antique") == "irds:antique"
