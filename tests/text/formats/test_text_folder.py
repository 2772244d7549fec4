import gzip
import os

import pytest

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import text_folder
from dragoman.types import Document


def fill(root, files):
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def test_files_become_documents_in_the_order_of_their_paths(tmp_path):
    fill(
        tmp_path,
        {
            "b.txt": "\ufeffplain\n",
            "a/page.HTML": '<html lang="sw"><title>Mkate</title><p>Unga</html>',
            "a/notes.md": "\n# Bread #\n\nFlour",
            "a/packed.txt.gz": gzip.compress(b"packed"),
            "with blank.md": "no heading",
            ".hidden/x.txt": "no",
            "a/.x.txt": "no",
            "a/data.bin": b"\xff",
        },
    )
    assert list(text_folder.read_documents(tmp_path, Faults())) == [
        Document("b.txt", "plain"),
        Document("with blank.md", "no heading"),
        Document("a/notes.md", "Flour", "Bread"),
        Document("a/packed.txt.gz", "packed"),
        Document("a/page.HTML", "Unga", "Mkate", "sw"),
    ]


def test_a_single_file_is_a_folder_of_one(tmp_path):
    fill(tmp_path, {"a.txt": "text"})
    assert list(text_folder.read_documents(tmp_path / "a.txt", Faults())) == [
        Document("a.txt", "text")
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("b.txt", b"one\ncaf\xe9\n", "b.txt, line 2: found the byte 0xe9; expected UTF-8"),
        ("b.txt", b" \n", "b.txt: found no text"),
        ("b.txt", b"", "b.txt: found no text"),
        ("b.html", b"\n<html lang='klingonish'>x", "b.html, line 2: found the language 'klingoni"),
        ("b.html", b"<![odd[x]]>", "b.html: found broken HTML"),
        ("b.txt.gz", gzip.compress(b"x" * 99, mtime=0)[:20], "b.txt.gz: found a broken archive"),
        ("b\n.txt", b"text", "the id 'b\\\\n.txt'; expected an id without tabs"),
    ],
)
def test_a_bad_file_is_told_or_counted(name, content, message, tmp_path):
    fill(tmp_path, {"a.txt": "one", name: content, "c.txt": "three"})
    with pytest.raises(InputError, match=message):
        list(text_folder.read_documents(tmp_path, Faults()))
    faults = Faults(OnError.SKIP)
    kept = [document.doc_id for document in text_folder.read_documents(tmp_path, faults)]
    assert (kept, faults.skipped) == (["a.txt", "c.txt"], 1)


def test_links_do_not_lead_out_of_the_folder(tmp_path):
    fill(tmp_path, {"secret/key.txt": "secret", "docs/a.txt": "text"})
    root = tmp_path / "docs"
    os.symlink("../secret/key.txt", root / "b.txt")
    os.symlink("../secret", root / "c")
    os.symlink("a.txt", root / "inside.txt")
    os.symlink("nowhere.txt", root / "z.txt")
    faults = Faults(OnError.SKIP)
    kept = [document.doc_id for document in text_folder.read_documents(root, faults)]
    assert (kept, faults.skipped) == (["a.txt", "inside.txt"], 2)
    with pytest.raises(InputError, match=r"b.txt: found a link that leads out of the folder"):
        list(text_folder.read_documents(root, Faults()))


def test_a_folder_without_text_is_an_error(tmp_path):
    fill(tmp_path, {"a.bin": b"x"})
    with pytest.raises(InputError, match=r"found no text file; expected files that end in .htm, "):
        list(text_folder.read_documents(tmp_path, Faults()))
    with pytest.raises(InputError, match="found no such folder"):
        list(text_folder.read_documents(tmp_path / "missing", Faults()))
