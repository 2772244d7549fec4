"""What every named collection promises: staged writes, the same bytes, and no leak into bitext."""

import errno
import gzip
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import ConfigError, UnknownName
from dragoman.registry import COLLECTIONS
from dragoman.text.collections import NoRoom, build, catalogue
from dragoman.text.collections.catalogue import BuildRequest, parse_languages
from dragoman.text.collections.items import Page, make_item
from dragoman.text.collections.output import plan_collection, write_pages

REQUEST = BuildRequest(languages=parse_languages("en,it"), negatives=3)


@pytest.mark.parametrize("name", COLLECTIONS)
def test_every_entry_says_what_it_is(name):
    (row,) = (row for row in catalogue() if row.name == name)
    assert all((row.what, row.languages, row.size, row.needs, row.licence))
    assert callable(row.build)


ENGLISH = [f"{verb} the {noun} of the old {place} quickly." for verb in ("Reads", "Sends")
           for noun in ("files", "letters", "maps") for place in ("tower", "harbour")]  # fmt: skip
OTHER = {line: " ".join(f"{word[::-1]}o" for word in line.split()) + "." for line in ENGLISH}


@st.composite
def worlds(draw):
    """Items whose pages share titles and sentences, as variants of one package do."""
    pages = {}
    for number in range(draw(st.integers(2, 25))):
        lines = draw(st.lists(st.sampled_from(ENGLISH), min_size=1, max_size=4))
        title = draw(st.sampled_from(ENGLISH)) if draw(st.booleans()) else f"Item {number}"
        pages[f"i{number}"] = {
            "en": Page(title, tuple(lines)),
            "it": Page(OTHER.get(title, f"Cosa {number}"), tuple(OTHER[line] for line in lines)),
        }
    return pages


@settings(max_examples=40, deadline=None)
@given(worlds(), st.integers(0, 3))
def test_nothing_of_a_validation_or_test_item_is_in_the_bitext(pages, seed):
    request = BuildRequest(languages=REQUEST.languages, seed=seed, negatives=2)
    collection = plan_collection((make_item(n, p, group=n) for n, p in pages.items()), request)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_pages(folder, collection, pages, request, lambda *_: lambda steps=1: None)
        with gzip.open(folder / "bitext" / "en-it.tsv.gz", "rt", encoding="utf-8") as stream:
            lines = [line.rstrip("\n").split("\t") for line in stream]
        with gzip.open(folder / "queries.jsonl.gz", "rt", encoding="utf-8") as stream:
            queries = [json.loads(line) for line in stream]
    held_out = [name for name, split in collection.splits.items() if split != "train"]
    assert {q["_id"] for q in queries if q["split"] != "train"} <= set(held_out)
    for column, language in enumerate(("en", "it")):
        written = {line[column].casefold() for line in lines}
        for item in held_out:
            page = pages[item][language]
            assert page.title.casefold() not in written
            assert not written & {text.casefold() for text in page.paragraphs}
    training = [
        page
        for item, split in collection.splits.items()
        if split == "train"
        for page in pages[item].values()
    ]
    known = {text for page in training for text in (page.title, *page.paragraphs)}
    assert {text for line in lines for text in line} <= known


def test_variants_of_one_group_are_never_on_both_sides(no_progress, tmp_path):
    pages = {
        f"{group}-{kind}": {
            "en": Page(f"{group} {kind}", (f"All about the {group} and its many uses, {kind}.",)),
            "it": Page(f"{group}o {kind}", (f"Tutto su {group} e i suoi molti usi, {kind}.",)),
        }
        for group in ("ab", "cd", "ef", "gh", "ij")
        for kind in ("dev", "doc", "dbg")
    }
    items = (make_item(n, p, group=n.partition("-")[0]) for n, p in pages.items())
    collection = plan_collection(items, REQUEST)
    sides = {(name.partition("-")[0], split) for name, split in collection.splits.items()}
    assert len(sides) == 5


def test_the_same_lists_give_the_same_bytes_and_another_seed_does_not(
    tmp_path, write_lists, packages, no_progress
):
    lists = write_lists(packages)
    folders = {}
    for name, seed in (("one", 0), ("two", 0), ("three", 1)):
        request = BuildRequest(languages=REQUEST.languages, lists=lists, seed=seed)
        build("debian-packages", request, tmp_path / name, no_progress)
        folders[name] = {
            str(path.relative_to(tmp_path / name)): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
    assert set(folders["one"]) == {
        "corpus.jsonl.gz",
        "queries.jsonl.gz",
        "qrels.tsv.gz",
        "bitext/en-it.tsv.gz",
        "manifest.json",
    }
    assert folders["one"] == folders["two"]
    assert folders["one"]["queries.jsonl.gz"] != folders["three"]["queries.jsonl.gz"]
    assert folders["one"]["corpus.jsonl.gz"] == folders["three"]["corpus.jsonl.gz"]


def test_a_failed_build_leaves_the_old_collection_and_nothing_else(
    tmp_path, write_lists, packages, no_progress, monkeypatch
):
    request = BuildRequest(languages=REQUEST.languages, lists=write_lists(packages))
    target = tmp_path / "out"
    manifest = build("debian-packages", request, target, no_progress)
    before = sorted(path.name for path in tmp_path.iterdir())

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device", "/somewhere/qrels.tsv.gz")

    monkeypatch.setattr("dragoman.text.collections.output.sample_judgments", full)
    with pytest.raises(
        NoRoom, match=r"qrels.tsv.gz: No space left on device\. Nothing was left behind"
    ):
        build("debian-packages", request, target, no_progress)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert json.loads((target / "manifest.json").read_text()) == manifest


def test_a_folder_that_is_not_a_collection_is_not_replaced(tmp_path, no_progress):
    (tmp_path / "letters.txt").write_text("mine")
    with pytest.raises(ConfigError, match="not a collection"):
        build("debian-packages", REQUEST, tmp_path, no_progress)
    with pytest.raises(ConfigError, match="not a collection"):
        build("debian-packages", REQUEST, tmp_path / "letters.txt", no_progress)
    assert (tmp_path / "letters.txt").read_text() == "mine"


def test_an_empty_language_is_an_error(tmp_path, write_lists, packages, no_progress):
    lists = write_lists(packages[:2], [(packages[0].md5, packages[0])])
    with pytest.raises(ConfigError, match=r"no item in both languages of en-it"):
        build(
            "debian-packages",
            BuildRequest(languages=REQUEST.languages, lists=lists),
            tmp_path / "o",
            no_progress,
        )


@pytest.mark.parametrize("name", COLLECTIONS)
def test_a_source_that_would_not_be_looked_at_is_refused(name, tmp_path, no_progress):
    foreign = {"dumps": (tmp_path,)} if name != "wikipedia" else {"lists": tmp_path}
    request = BuildRequest(languages=REQUEST.languages, **foreign)
    with pytest.raises(ConfigError, match=rf"for {name}; expected only --"):
        build(name, request, tmp_path / "out", no_progress)


def test_an_unknown_name_is_answered_with_the_known_ones(tmp_path, no_progress):
    with pytest.raises(UnknownName, match="Did you mean 'debian-packages'"):
        build("debian-package", REQUEST, tmp_path / "out", no_progress)
