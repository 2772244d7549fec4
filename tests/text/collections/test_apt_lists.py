"""apt's lists: found by name, read plain or packed, stanza by stanza."""

import bz2
import gzip
import lzma
import shutil
import subprocess

import pytest
import zstandard

from dragoman.errors import InputError, UserError
from dragoman.text.collections import apt, apt_lists

STANZAS = (
    "Package: a\nDescription-it: uno\n riga\n .\n altra\n\n\nPackage: b\nDescription-it: due\n"
)
PACKERS = {
    "": bytes,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("ending", PACKERS)
def test_every_packing_gives_the_same_stanzas_and_the_same_hash(tmp_path, ending):
    path = tmp_path / f"mirror_dists_stable_main_i18n_Translation-it{ending}"
    path.write_bytes(PACKERS[ending](STANZAS.encode()))
    found = apt_lists.scan_lists(tmp_path)
    assert found.translations == {"it": [path]}
    assert list(found.stanzas(path)) == [
        {"Package": "a", "Description-it": "uno\n riga\n .\n altra"},
        {"Package": "b", "Description-it": "due"},
    ]
    # sha256sum of STANZAS
    assert found.sources == [
        {
            "file": "stable_main_i18n_Translation-it",
            "sha256": "f979da502c28b5de599561faa86e965b3816a5c61a20feeae185cbd7753866e3",
        }
    ]


@pytest.mark.skipif(
    shutil.which("lz4") is None or not apt.HELPER.exists(), reason="needs lz4 and apt-helper"
)
def test_lz4_lists_are_read_by_apt_helper(tmp_path):
    path = tmp_path / "mirror_dists_stable_main_i18n_Translation-it.lz4"
    packed = subprocess.run(["lz4", "-c"], input=STANZAS.encode(), capture_output=True, check=True)
    path.write_bytes(packed.stdout)
    assert [stanza["Package"] for stanza in apt_lists.scan_lists(tmp_path).stanzas(path)] == [
        "a",
        "b",
    ]
    path.write_bytes(packed.stdout[:30])
    with pytest.raises(apt.AptFault, match="could not read it"):
        list(apt_lists.scan_lists(tmp_path).stanzas(path))


def test_an_lz4_list_without_apt_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(apt, "HELPER", tmp_path / "absent")
    path = tmp_path / "Packages.lz4"
    path.write_bytes(b"")
    with pytest.raises(UserError, match=r"expected apt .* lz4 -d"):
        list(apt_lists.scan_lists(tmp_path).stanzas(path))


def test_a_line_of_spaces_does_not_end_a_stanza(tmp_path):
    path = tmp_path / "Translation-fr"
    path.write_text("Package: a\nDescription-fr: un\n deux\n \n trois\n\nPackage: b\n")
    assert list(apt_lists.scan_lists(tmp_path).stanzas(path)) == [
        {"Package": "a", "Description-fr": "un\n deux\n \n trois"},
        {"Package": "b"},
    ]


def test_names_decide_what_a_list_is(tmp_path):
    for name in (
        "m_dists_stable_main_binary-amd64_Packages.xz",
        "m_dists_stable_main_binary-i386_Packages",
        "m_dists_stable_main_i18n_Translation-pt%5fBR",
        "m_dists_stable_main_i18n_Translation-pt_AO.xz",
        "m_dists_stable_InRelease",
        "m_dists_stable_main_source_Sources",
        "lock",
    ):
        (tmp_path / name).write_text("Suite: stable\n")
    (tmp_path / "partial").mkdir()
    found = apt_lists.scan_lists(tmp_path)
    assert len(found.packages) == 2
    assert set(found.translations) == {"pt_BR", "pt_AO"}
    assert len(found.releases) == 1


def test_what_the_release_says(write_lists, packages):
    found = apt_lists.scan_lists(write_lists(packages[:2]))
    assert found.versions() == [
        {
            "origin": "Debian",
            "suite": "stable",
            "version": "12.1",
            "date": "Sat, 22 Jul 2023 09:00:00 UTC",
        }
    ]
    assert found.offered() == ["it", "sk"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Package: a\nno colon here\n", r"line 2: found 'no colon here'; expected Field: value"),
        (" before any field\n", r"line 1: found a continuation line; expected a field"),
    ],
)
def test_a_broken_list_is_named_with_its_line(tmp_path, content, message):
    path = tmp_path / "Packages"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        list(apt_lists.scan_lists(tmp_path).stanzas(path))


def test_a_cut_archive_and_a_missing_folder_are_errors(tmp_path):
    path = tmp_path / "Packages.xz"
    path.write_bytes(lzma.compress(STANZAS.encode())[:40])
    with pytest.raises(InputError, match=r"cannot be read .* apt-get update"):
        list(apt_lists.scan_lists(tmp_path).stanzas(path))
    with pytest.raises(InputError, match="no such folder"):
        apt_lists.scan_lists(tmp_path / "nowhere")
