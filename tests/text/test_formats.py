"""Every reader that the registry names, on files that are not there, empty, or no text at all."""

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import registry
from dragoman.errors import InputError, UnknownName
from dragoman.text.files import Faults, OnError

TABLES = {
    "document": registry.DOCUMENT_FORMATS,
    "query": registry.QUERY_FORMATS,
    "judgment": registry.JUDGMENT_FORMATS,
    "run": registry.RUN_FORMATS,
    "bitext": registry.BITEXT_FORMATS,
    "dictionary": registry.DICTIONARY_FORMATS,
    "click": registry.CLICK_FORMATS,
}
READERS = [(kind, name) for kind, table in TABLES.items() for name in table]
OF_FILES = [(kind, name) for kind, name in READERS if name not in ("irds", "beir")]
GARBAGE = bytes(range(256)) * 4
LAYOUT = {"document": "corpus.jsonl", "query": "queries.jsonl", "judgment": "qrels/test.tsv"}


def reader(kind, name):
    return registry.find(TABLES[kind], name, f"{kind} format")


def write_source(folder, kind, name, content):
    """``content`` where the reader ``name`` looks for it; what to hand to the reader."""
    path = folder / {"beir": LAYOUT.get(kind, ""), "dictd": "a.index"}.get(name, "file")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if name == "dictd":
        (folder / "a.dict.dz").write_bytes(gzip.compress(content))
    return folder if name == "beir" else path


@pytest.mark.parametrize(("kind", "name"), READERS)
def test_what_is_missing_is_named(kind, name, tmp_path):
    with pytest.raises((InputError, UnknownName), match="missing"):
        list(reader(kind, name)(tmp_path / "missing", Faults(OnError.SKIP)))


@pytest.mark.parametrize(("kind", "name"), [item for item in READERS if item[1] != "irds"])
@pytest.mark.parametrize("content", [b"", GARBAGE], ids=["empty", "garbage"])
def test_nothing_and_garbage_are_errors_that_name_the_file(content, kind, name, tmp_path):
    path = write_source(tmp_path, kind, name, content)
    with pytest.raises(InputError, match=str(tmp_path)):
        list(reader(kind, name)(path, Faults()))


def attempt(kind, name, path, faults):
    """The records that could be read, or the error that stopped the reading."""
    try:
        return list(reader(kind, name)(path, faults)), ""
    except InputError as error:
        return [], str(error)


@pytest.mark.parametrize(("kind", "name"), OF_FILES)
def test_garbage_that_is_skipped_is_counted_or_refused(kind, name, tmp_path):
    faults = Faults(OnError.SKIP)
    _, error = attempt(kind, name, write_source(tmp_path, kind, name, GARBAGE), faults)
    assert faults.skipped > 0 or str(tmp_path) in error


PIECES = st.sampled_from(
    (
        *(b"\t", b"\n", b"\r", b" ", b'"', b"{", b"}", b"[[", b"0", b"q1", b"1e999", b"A\tB\tC\n"),
        *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\x1f\x8b\x08", b"(\xb5/\xfd"),
        *(b"<?xml ", b"<tu>", b"</tu>", b"<entry>", b"<![x[", b"1 Q0 2 1 nan x\n"),
        *(b'{"_id": "1", "text": "a"}\n', b"query-id\tcorpus-id\tscore\n"),
        *(b"<top>", b"<num>1", b"</top>", b"<DOC>", b"<DOCNO>", b"</DOCNO>", b"</DOC>", b"<TEXT>"),
        *(b"id\ttext\n", b"id,text\n", b"query\tdoc_id\timpressions\tclicks\n"),
    )
)
SOUP = st.lists(PIECES | st.binary(max_size=6), max_size=25).map(b"".join)


@pytest.mark.parametrize(("kind", "name"), OF_FILES)
@settings(max_examples=30, deadline=None)  # the first example imports a parser
@given(content=SOUP)
def test_no_bytes_raise_anything_but_an_input_error(kind, name, content, tmp_path_factory):
    path = write_source(tmp_path_factory.mktemp("soup"), kind, name, content)
    _, error = attempt(kind, name, path, Faults(OnError.SKIP))
    assert not error or str(path.parent) in error
