import gzip
import os

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import InputError
from dragoman.storage.staging import write_lines
from dragoman.text.files import Faults, OnError, read_lines

ENDINGS = ["", ".gz", ".zst"]


def lines_of(path, faults=None):
    return list(read_lines(path, faults or Faults()))


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=25)
@given(lines=st.lists(st.text().filter(lambda t: not set(t) & set("\r\n")), min_size=1))
def test_what_is_written_is_read_back(ending, lines, tmp_path_factory):
    path = tmp_path_factory.mktemp("lines") / f"a.txt{ending}"
    with write_lines(path) as stream:
        stream.writelines(line + "\n" for line in lines)
    assert lines_of(path) == list(enumerate(lines, start=1))


def test_archives_are_known_by_their_bytes_and_not_by_their_names(tmp_path):
    path = tmp_path / "plain.txt"
    path.write_bytes(gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    assert lines_of(path) == [(1, "one"), (2, "two")]
    path.write_bytes(zstandard.compress(b"one\n") + zstandard.compress(b"two\n"))
    assert lines_of(path) == [(1, "one"), (2, "two")]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_cut_archive_is_an_error_and_not_the_end(pack, tmp_path):
    path = tmp_path / "cut"
    packed = pack(os.urandom(50_000).hex().encode() + b"\n")
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match="line 1: found a broken archive"):
        lines_of(path, Faults(OnError.SKIP))


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_damage_to_an_archive_of_ours_is_an_error(ending, tmp_path):
    path = tmp_path / f"damaged{ending}"
    with write_lines(path) as stream:
        stream.write(os.urandom(50_000).hex() + "\n")
    packed = bytearray(path.read_bytes())
    packed[len(packed) // 2 : len(packed) // 2 + 50] = b"\xff" * 50
    path.write_bytes(packed)
    with pytest.raises(InputError, match="found a broken archive"):
        lines_of(path)


def test_line_ends_and_the_byte_order_mark_are_not_text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\x0b\xe2\x80\xa8still two\nlast")
    assert lines_of(path) == [(1, "one"), (2, "two\x0b\u2028still two"), (3, "last")]
    assert next(read_lines(path, Faults(), keep_ends=True)) == (1, "one\r\n")


def test_bytes_that_are_not_utf8_are_named_with_their_line_and_column(tmp_path):
    path = tmp_path / "latin.txt"
    path.write_bytes(b"one\nca\xe9\nthree\n")
    with pytest.raises(InputError, match="line 2: found the byte 0xe9 at column 3; expected UTF-8"):
        lines_of(path)
    faults = Faults(OnError.SKIP)
    assert lines_of(path, faults) == [(1, "one"), (3, "three")]
    assert (faults.skipped, faults.summary()) == (1, f"{path}: skipped 1")
    assert "0xe9" in faults.examples[0]


def test_a_file_read_twice_is_counted_once(tmp_path):
    path = tmp_path / "latin.txt"
    path.write_bytes(b"\xe9\nok\n\xe9\n")
    faults = Faults(OnError.SKIP)
    assert lines_of(path, faults) == lines_of(path, faults) == [(2, "ok")]
    assert (faults.skipped, len(faults.examples)) == (2, 2)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(tmp_path):
    path = tmp_path / "secret"
    path.write_text("text")
    path.chmod(0)
    with pytest.raises(InputError, match="secret: found a file that may not be read"):
        lines_of(path)


def test_only_some_faults_are_remembered_word_for_word(tmp_path):
    path = tmp_path / "latin.txt"
    path.write_bytes(b"\xe9\n" * 9)
    faults = Faults(OnError.SKIP, max_examples=2)
    assert lines_of(path, faults) == []
    assert (faults.skipped, len(faults.examples)) == (9, 2)


def test_files_that_cannot_be_read_are_named(tmp_path):
    empty, pipe = tmp_path / "empty", tmp_path / "pipe"
    empty.touch()
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="empty: found an empty file"):
        lines_of(empty)
    with pytest.raises(InputError, match="found a folder; expected a file"):
        lines_of(tmp_path)
    with pytest.raises(InputError, match="found no such file"):
        lines_of(tmp_path / "missing")
    with pytest.raises(InputError, match="found a pipe or a device"):
        lines_of(pipe)


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("dragoman.text.files.LONGEST_LINE", 100)
    path = tmp_path / "long.txt"
    path.write_text("short\n" + "x" * 200)
    with pytest.raises(InputError, match="line 2: found a line above 100 bytes"):
        lines_of(path)
