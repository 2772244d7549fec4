"""Archives: what is read from them, and what they may not do."""

import bz2
import gzip
import io
import lzma
import random
import tarfile
import zipfile

import pytest
import zstandard

from dragoman.text.readers.contents import LeftOut, Member, ReaderConfig, UnreadableFile
from dragoman.text.readers.file_types import FileType, type_of
from dragoman.text.readers.formats.archives import label
from dragoman.text.readers.pool import ReaderPool
from file_contents import contents, contents_of_damaged
from small_files import docx, encrypted, paragraph, zipped

PACKERS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
}


def taken(found):
    """Names and bytes of files in an archive; the copies are removed."""
    members = [one for one in found if isinstance(one, Member)]
    result = [(one.name, one.path.read_bytes()) for one in members]
    for one in members:
        one.path.unlink()
    return result


def tarred(entries):
    """The bytes of a tar archive of names and contents, or ready-made entries."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in entries:
            info = content if isinstance(content, tarfile.TarInfo) else tarfile.TarInfo(name)
            data = b"" if isinstance(content, tarfile.TarInfo) else content
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def answers(path, file_type, **limits):
    """What a worker process says of an archive: texts by name, and what was passed over."""
    with ReaderPool(ReaderConfig(**limits), workers=1) as pool:
        (read,) = [[*one.answers] for one in pool.read([(path, file_type)])]
    texts, skipped, name = {}, {}, ""
    for answer in read:
        if "text" in answer:
            name = answer["text"]["name"]
            texts[name] = ""
        elif "section" in answer:
            texts[name] += answer["section"]["text"]
        else:
            skipped[answer["skipped"]["name"]] = answer["skipped"]["reason"]
    return texts, skipped


def left_out(found):
    """Names and reasons of files in an archive that are not read."""
    return [(one.name, one.reason) for one in found if isinstance(one, LeftOut)]


def test_the_files_of_a_zip_archive_are_read_and_hidden_ones_are_named_as_left_out(tmp_path):
    entries = {
        "a/b.txt": "B",
        "c.txt": "C",
        "__MACOSX/x": "x",
        ".hidden": "x",
        "a/.b/c": "x",
        "d/": "",
    }
    path = zipped(tmp_path / "a.zip", entries)
    found = contents(path, "zip")
    assert taken(found) == [("a/b.txt", b"B"), ("c.txt", b"C")]
    hidden = [("__MACOSX/x", "hidden, by a name that begins with a dot, and 2 more")]
    assert left_out(found) == hidden
    path.write_bytes(path.read_bytes()[:-10])  # without its directory
    found, damage = contents_of_damaged(path, "zip")
    assert taken(found) == [("a/b.txt", b"B"), ("c.txt", b"C")]
    assert left_out(found) == hidden
    assert "broken archive" in damage


@pytest.mark.parametrize("ending", ["", *PACKERS])
def test_the_files_of_a_packed_tar_archive_are_read(ending, tmp_path):
    data = tarred([("a.txt", b"A"), ("dir/b.txt", b"B")])
    path = tmp_path / "a.tar"
    path.write_bytes(PACKERS[ending](data) if ending else data)
    assert taken(contents(path, "tar")) == [("a.txt", b"A"), ("dir/b.txt", b"B")]


@pytest.mark.parametrize("ending", PACKERS)
def test_a_packed_file_is_read_as_what_its_name_says_also_inside_an_archive(ending, tmp_path):
    packed = PACKERS[ending](b"id,text\n1,words\n")
    path = tmp_path / f"a.csv.{ending}"
    path.write_bytes(packed)
    assert answers(path, FileType.COMPRESSED) == ({"a.csv/row-1": "words"}, {})
    outer = zipped(tmp_path / "a.zip", {f"in/a.csv.{ending}": packed})
    assert answers(outer, FileType.ZIP) == ({f"in/a.csv.{ending}/a.csv/row-1": "words"}, {})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a/b.txt", "a/b.txt"),
        ("/etc/passwd", "etc/passwd"),
        ("../../x", "x"),
        ("a/../b", "a/b"),
        ("..\\..\\x", "x"),
        ("./a", "a"),
        ("..", "unnamed"),
        ("", "unnamed"),
    ],
)
def test_names_never_lead_out_of_an_archive(name, expected):
    assert label(name) == expected


def test_entries_that_would_escape_are_read_under_harmless_names(tmp_path):
    path = zipped(tmp_path / "a.zip", {"../../escaped.txt": "x", "/abs.txt": "y"})
    assert taken(contents(path, "zip")) == [("escaped.txt", b"x"), ("abs.txt", b"y")]
    assert not (tmp_path.parent.parent / "escaped.txt").exists()


def test_links_devices_and_fifos_in_a_tar_archive_are_left_out(tmp_path):
    odd = []
    for kind in (
        tarfile.SYMTYPE,
        tarfile.LNKTYPE,
        tarfile.CHRTYPE,
        tarfile.BLKTYPE,
        tarfile.FIFOTYPE,
    ):
        info = tarfile.TarInfo("odd")
        info.type, info.linkname = kind, "/etc/passwd"
        odd.append(("odd", info))
    path = tmp_path / "a.tar"
    path.write_bytes(tarred([*odd, ("a.txt", b"A"), (".git/config", b"x")]))
    found = contents(path, "tar")
    assert taken(found) == [("a.txt", b"A")]
    assert left_out(found) == [
        ("odd", "a link or a device, and 4 more"),
        (".git/config", "hidden, by a name that begins with a dot"),
    ]
    assert answers(path, FileType.TAR) == ({"a.txt": "A"}, dict(left_out(found)))


def test_a_bomb_in_one_entry_is_refused(tmp_path):
    path = zipped(tmp_path / "a.zip", {"a.txt": "x" * 1_000_000})
    assert path.stat().st_size < 2_000
    with pytest.raises(UnreadableFile, match="expands beyond 100,000 bytes"):
        contents(path, "zip", expanded_bytes=100_000)
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(b"x" * 1_000_000))
    with pytest.raises(UnreadableFile, match="expands beyond 100,000 bytes"):
        contents(packed, "compressed", expanded_bytes=100_000)


def test_entries_that_are_a_bomb_together_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "copies"))
    (tmp_path / "copies").mkdir()
    path = zipped(tmp_path / "a.zip", {f"{n}.txt": "x" * 40_000 for n in range(3)})
    found = []
    with pytest.raises(UnreadableFile, match="expands beyond"):
        found += contents(path, "zip", expanded_bytes=100_000)
    assert len([*(tmp_path / "copies").iterdir()]) == 2  # those that were handed out


def test_bombs_in_nested_archives_share_one_limit(tmp_path):
    inner = zipped(
        tmp_path / "inner.zip", {f"{n}.txt": "x" * 40_000 for n in range(2)}
    ).read_bytes()
    path = zipped(tmp_path / "a.zip", {f"{n}.zip": inner for n in range(5)})
    with pytest.raises(UnreadableFile, match="more than 200,000 bytes in one file"):
        answers(path, FileType.ZIP, expanded_bytes=200_000)


def test_too_many_files_in_an_archive_are_refused(tmp_path):
    path = zipped(tmp_path / "a.zip", {f"{n}.txt": "x" for n in range(11)})
    with pytest.raises(UnreadableFile, match="more than 10 files in one"):
        answers(path, FileType.ZIP, members=10)


def test_archives_in_archives_are_read_down_to_a_depth(tmp_path):
    data = b"words"
    for level in range(3, 0, -1):
        path = zipped(tmp_path / f"{level}.zip", {"a.txt" if level == 3 else "in.zip": data})
        data = path.read_bytes()
    assert answers(path, FileType.ZIP) == ({"in.zip/in.zip/a.txt": "words"}, {})
    texts, skipped = answers(path, FileType.ZIP, depth=2)
    assert texts == {}
    assert skipped == {"in.zip/in.zip/a.txt": "packed more than 2 times"}


def test_a_broken_file_in_an_archive_costs_that_file_only(tmp_path):
    entries = {
        "a.docx": b"PK\x03\x04 broken",
        "b.txt": "words",
        "c.pdf": "%PDF-1.4",
        "d.png": b"\x89PNG",
    }
    texts, skipped = answers(zipped(tmp_path / "a.zip", entries), FileType.ZIP)
    assert texts == {"b.txt": "words"}
    assert {name: reason.split(" (")[0] for name, reason in skipped.items()} == {
        "a.docx": "a broken or encrypted zip file",
        "c.pdf": "a broken PDF",
        "d.png": "image",
    }


@pytest.mark.parametrize(
    ("file_type", "data"),
    [
        ("zip", b"PK\x03\x04 nothing"),
        ("tar", b"no archive" * 100),
        ("tar", gzip.compress(tarred([("a", b"x" * 9999)]))[:-30]),
        ("compressed", gzip.compress(b"x" * 9999)[:-10]),
        ("compressed", bz2.compress(b"x" * 9999)[:-10]),
        ("compressed", lzma.compress(b"x" * 9999)[:-10]),
        ("compressed", b"\x28\xb5\x2f\xfd nothing"),
    ],
)
def test_a_broken_archive_is_unreadable(file_type, data, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(data)
    with pytest.raises(UnreadableFile, match="a broken"):
        contents(path, file_type)


def test_an_encrypted_archive_is_unreadable(tmp_path):
    with pytest.raises(UnreadableFile, match="encrypted"):
        contents(encrypted(zipped(tmp_path / "a.zip", {"a.txt": "x"})), "zip")


def test_a_zip_entry_that_lies_about_its_size_is_unreadable(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", "x" * 1000)
    data = path.read_bytes()
    path.write_bytes(data.replace((1000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with pytest.raises(UnreadableFile, match="CRC"):
        contents(path, "zip")


def damaged(path, file_type, data):
    """Names and bytes that can be read of a damaged archive, and what is said of the damage."""
    path.write_bytes(data)
    found, damage = contents_of_damaged(path, file_type)
    return dict(taken(found)), damage


LINES = "".join(f"line {number}\n" for number in range(3000)).encode()
THREE = [(f"{name}.txt", random.Random(name).randbytes(20_000).hex().encode()) for name in "abc"]  # noqa: S311


@pytest.mark.parametrize("ending", ["", *PACKERS])
def test_a_tar_archive_that_is_cut_off_is_read_up_to_there(ending, tmp_path):
    data = tarred(THREE)
    packed = PACKERS[ending](data) if ending else data
    read, damage = damaged(tmp_path / "a.tar", "tar", packed[: len(packed) // 2])
    assert damage.startswith("a broken archive (")
    if ending not in ("bz2", "zst"):  # these two unpack large blocks or nothing
        assert read["a.txt"] == THREE[0][1]
        assert THREE[1][1].startswith(read["b.txt"])
        assert 0 < len(read["b.txt"]) < len(THREE[1][1])


def test_files_after_a_damaged_header_of_a_tar_archive_are_read(tmp_path):
    data = bytearray(tarred(THREE))
    second = data.index(b"b.txt")
    data[second : second + 300] = b"\xff" * 300
    read, damage = damaged(tmp_path / "a.tar", "tar", bytes(data))
    assert {*read} == {"a.txt", "c.txt"}
    assert "blocks between its files" in damage


def test_a_tar_archive_that_ends_between_two_files_is_said_to_be_cut_off(tmp_path):
    data = tarred(THREE)
    read, damage = damaged(tmp_path / "a.tar", "tar", data[: data.index(b"c.txt")])
    assert {*read} == {"a.txt", "b.txt"}
    assert damage == "an archive that is cut off (it has no end mark)"


def test_tar_archives_one_after_another_are_read(tmp_path):
    data = tarred(THREE[:1]) + tarred(THREE[1:])
    assert damaged(tmp_path / "a.tar", "tar", data) == (dict(THREE), "")


def test_a_broken_entry_of_a_zip_archive_costs_no_other(tmp_path):
    path = zipped(tmp_path / "a.zip", {"a.txt": "A" * 50, "b.txt": LINES, "c.txt": "C"})
    data = bytearray(path.read_bytes())
    middle = data.index(b"b.txt") + 2000
    data[middle : middle + 4] = b"\0\xff\0\xff"
    read, damage = damaged(path, "zip", bytes(data))
    assert (read["a.txt"], read["c.txt"]) == (b"A" * 50, b"C")
    assert damage.startswith("a broken or encrypted archive (b.txt: ")


class Unseekable(io.BytesIO):
    def seek(self, *_):
        raise OSError

    tell = seek


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
@pytest.mark.parametrize("streamed", [False, True])
def test_the_beginning_of_a_zip_archive_without_its_end_is_read(method, streamed, tmp_path):
    stream = Unseekable() if streamed else io.BytesIO()  # sizes come after the files
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in {"d/": b"", ".hidden": b"x", **dict(THREE)}.items():
            archive.writestr(name, content)
    data = stream.getvalue()
    cut = data.rindex(b"PK\x03\x04") + 3000
    read, damage = damaged(tmp_path / "a.zip", "zip", data[:cut])
    assert damage == "a broken archive (File is not a zip file)"
    if streamed and method == zipfile.ZIP_STORED:  # where the first file ends is not known
        assert read == {}
    else:
        assert (read["a.txt"], read["b.txt"]) == (THREE[0][1], THREE[1][1])
        assert THREE[2][1].startswith(read["c.txt"])
        assert 0 < len(read["c.txt"]) < len(THREE[2][1])


@pytest.mark.parametrize("ending", PACKERS)
def test_a_packed_text_that_is_cut_off_is_read_up_to_there(ending, tmp_path):
    rng = random.Random(0)  # noqa: S311 - no secret
    text = b"".join(b"%d\n" % rng.randrange(10**9) for _ in range(200_000))
    packed = PACKERS[ending](text)
    read, damage = damaged(tmp_path / "a", "compressed", packed[: len(packed) // 2])
    assert text.startswith(read[""])
    assert len(read[""]) > len(text) / 4
    assert damage.startswith("a broken archive (")


def test_a_damaged_document_is_no_archive_of_its_parts(tmp_path):
    path = docx(tmp_path / "a.docx", paragraph("Brot"))
    path.write_bytes(path.read_bytes()[:-40])
    assert type_of(path) is FileType.DOCX
    with pytest.raises(UnreadableFile, match="a broken or encrypted zip file"):
        contents(path, "docx")


def test_a_hidden_file_that_is_cut_off_ends_an_archive_without_its_end(tmp_path):
    path = zipped(tmp_path / "a.zip", {"a.txt": "A", ".hidden": THREE[0][1]})
    data = path.read_bytes()
    read, damage = damaged(path, "zip", data[: data.index(b".hidden") + 3000])
    assert read == {"a.txt": b"A"}
    assert damage == "a broken archive (File is not a zip file)"


def test_an_entry_without_a_name_is_read(tmp_path):
    path = zipped(tmp_path / "a.zip", {"x": "A"})
    data = bytearray(path.read_bytes())
    for signature, offset, header in ((b"PK\x03\x04", 26, 30), (b"PK\x01\x02", 28, 46)):
        start = data.index(signature)
        data[start + offset] = 0
        del data[start + header]
    end = data.index(b"PK\x05\x06")
    data[end + 12] -= 1  # the size of the directory and where it begins
    data[end + 16] -= 1
    path.write_bytes(bytes(data))
    assert taken(contents(path, "zip")) == [("unnamed", b"A")]
