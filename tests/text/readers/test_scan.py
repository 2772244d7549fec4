import os
import unicodedata

import pytest

from closed_folders import refuse_folder
from dragoman.errors import InputError, UserError
from dragoman.text.readers.file_types import FileType
from dragoman.text.readers.scan import INDEX_FILES, Root, portable, scan


def test_files_come_in_the_order_of_their_paths_and_others_with_a_reason(tmp_path):
    root = tmp_path / "docs"
    (root / "sub").mkdir(parents=True)
    (root / "b.txt").write_text("b")
    (root / "sub" / "a.txt").write_text("a")
    (root / "picture.png").write_bytes(b"\x89PNG")
    (root / ".hidden").write_text("x")
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("x")
    (root / "linked").symlink_to(root / "sub")
    outside = tmp_path / "secret.txt"
    outside.write_text("secret")
    (root / "link.txt").symlink_to(outside)
    os.mkfifo(root / "pipe")
    scanned = {file.doc_id: file for file in scan(Root.of(root))}
    assert [*scanned] == [
        *("docs/.git", "docs/.hidden", "docs/b.txt", "docs/link.txt", "docs/linked"),
        *("docs/picture.png", "docs/pipe", "docs/sub/a.txt"),
    ]
    for hidden in ("docs/.git", "docs/.hidden"):
        assert scanned[hidden].reason == "hidden, by a name that begins with a dot"
    assert scanned["docs/linked"].reason == "a link to a folder"
    assert scanned["docs/b.txt"].file_type is FileType.TEXT
    assert scanned["docs/b.txt"].is_readable
    assert scanned["docs/link.txt"].reason == "a link that leads out of the folder"
    assert scanned["docs/picture.png"].reason == "image"
    assert scanned["docs/pipe"].reason == "no regular file"


def test_a_single_file_is_a_root_of_its_own(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("text")
    assert [file.doc_id for file in scan(Root.of(path))] == ["a.txt"]


def test_names_are_composed_and_other_bytes_are_escaped():
    assert portable(unicodedata.normalize("NFD", "Grüße")) == "Grüße"
    assert portable(os.fsdecode(b"caf\xe9")) == "caf%E9"
    assert portable("a#b") == "a%23b"
    assert portable("a\nb\x1b[1m\x85\u202e.txt") == "a%0Ab%1B[1m%C2%85%E2%80%AE.txt"
    assert portable("می\u200cروم 👩\u200d🔬.txt") == "می\u200cروم 👩\u200d🔬.txt"


def test_names_that_differ_only_in_composition_are_an_error_that_names_both(tmp_path):
    for form in ("NFC", "NFD"):
        (tmp_path / unicodedata.normalize(form, "é.txt")).write_text("text")
    if len([*tmp_path.iterdir()]) == 1:
        pytest.skip("this file system composes names")
    with pytest.raises(UserError, match="have the same id"):
        list(scan(Root.of(tmp_path)))


def test_a_missing_root_and_a_label_with_a_slash_are_refused(tmp_path):
    with pytest.raises(InputError, match="found no such file or folder"):
        Root.of(tmp_path / "nothing")
    with pytest.raises(UserError, match="expected a name without / and #"):
        Root.of(tmp_path, "a/b")


def test_an_index_among_the_files_is_passed_over_and_none_is_a_root(tmp_path):
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "index" / "store").mkdir(parents=True)
    for name in INDEX_FILES:
        (tmp_path / "index" / name).write_text("{}")
    (text, index) = scan(Root("docs", tmp_path))
    assert text.is_readable
    assert (index.doc_id, index.reason) == ("docs/index", "an index")
    with pytest.raises(UserError, match="found an index; expected a folder of documents"):
        next(scan(Root.of(tmp_path / "index")))


def test_a_folder_that_cannot_be_looked_at_is_passed_over(tmp_path, monkeypatch):
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text("text")
    refuse_folder(tmp_path / "closed", monkeypatch)
    (text, closed) = scan(Root("docs", tmp_path))
    assert (text.doc_id, text.is_closed) == ("docs/open/a.txt", False)
    assert (closed.doc_id, closed.is_closed) == ("docs/closed", True)
    assert closed.reason == "cannot be read (Permission denied)"


def test_a_root_that_cannot_be_looked_at_is_refused(tmp_path, monkeypatch):
    refuse_folder(tmp_path, monkeypatch)
    with pytest.raises(InputError, match="Permission denied; expected a readable folder"):
        next(scan(Root.of(tmp_path)))


def test_a_link_to_nothing_is_not_there(tmp_path):
    (tmp_path / "link.txt").symlink_to(tmp_path / "nowhere")
    (link,) = scan(Root.of(tmp_path))
    assert link.reason == "cannot be read (No such file or directory)"
    assert not link.is_closed
