"""Debian packages, read without unpacking them; checked against dpkg-deb where it is there."""

import io
import shutil
import subprocess
import tarfile

import pytest
import zstandard

from dragoman.errors import InputError
from dragoman.text.collections import deb_archive

FILES = {"usr/share/help/a.html": b"<p>a</p>", "usr/share/help/b.html": b"<p>bb</p>"}


def test_files_and_version(tmp_path, build_deb):
    path = tmp_path / "a.deb"
    path.write_bytes(build_deb("a", "4:7.4-1", FILES))
    assert dict(deb_archive.read_files(path)) == FILES
    assert deb_archive.version(path) == "4:7.4-1"


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb")
def test_dpkg_deb_built_and_read_packages_agree(tmp_path, build_deb):
    ours = tmp_path / "ours.deb"
    ours.write_bytes(build_deb("a", "1.0", FILES))
    subprocess.run(["dpkg-deb", "-x", ours, tmp_path / "out"], check=True)
    assert {
        str(path.relative_to(tmp_path / "out")): path.read_bytes()
        for path in (tmp_path / "out").rglob("*.html")
    } == FILES
    control = tmp_path / "tree" / "DEBIAN"
    control.mkdir(parents=True)
    (control / "control").write_text(
        "Package: a\nVersion: 2.0\nArchitecture: all\nMaintainer: a <a@b>\nDescription: a\n"
    )
    (tmp_path / "tree" / "page.html").write_bytes(b"page")
    theirs = tmp_path / "theirs.deb"
    for packing in ("xz", "zstd", "gzip", "none"):
        built = subprocess.run(
            ["dpkg-deb", f"-Z{packing}", "-b", tmp_path / "tree", theirs],
            check=True,
            capture_output=True,
        )
        assert built.returncode == 0
        assert dict(deb_archive.read_files(theirs)) == {"page.html": b"page"}, packing
        assert deb_archive.version(theirs) == "2.0"


def test_zstandard_as_ubuntu_packs(tmp_path, build_deb):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo("./a")
        member.size = 1
        archive.addfile(member, io.BytesIO(b"x"))
    content = zstandard.ZstdCompressor().compress(packed.getvalue())
    header = f"{'data.tar.zst/':<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n"
    path = tmp_path / "a.deb"
    path.write_bytes(b"!<arch>\n" + header.encode() + content)
    assert dict(deb_archive.read_files(path)) == {"a": b"x"}


def test_links_are_passed_over_and_nothing_is_written(tmp_path, build_deb):
    path = tmp_path / "a.deb"
    path.write_bytes(build_deb("a", "1", {"../../escape.html": b"x"}, link="usr/passwd"))
    assert dict(deb_archive.read_files(path)) == {"../../escape.html": b"x"}
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_too_large_is_refused_unread(tmp_path, build_deb, monkeypatch):
    path = tmp_path / "a.deb"
    path.write_bytes(build_deb("a", "1", {"big": b"x" * 2000}))
    monkeypatch.setattr(deb_archive, "LARGEST_FILE", 1000)
    with pytest.raises(InputError, match=r"big of 2,000 bytes"):
        list(deb_archive.read_files(path))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda whole: b"PK" + whole, "without the header of a package"),
        (lambda whole: whole[:-60], "a broken archive"),
        (lambda whole: whole[:100], "a broken ar header|no data.tar"),
        (lambda whole: whole.replace(b"data.tar", b"date.tar"), "no data.tar"),
    ],
)
def test_broken_packages_are_named(tmp_path, build_deb, change, message):
    path = tmp_path / "a.deb"
    path.write_bytes(change(build_deb("a", "1", FILES)))
    with pytest.raises(InputError, match=message):
        list(deb_archive.read_files(path))
