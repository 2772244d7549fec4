"""apt in a folder of ours, against an archive on this disk: no network, nothing of the system."""

import hashlib
import os
import shutil
import subprocess

import pytest

from dragoman.errors import ConfigError, UnknownName
from dragoman.text.collections import apt, build
from dragoman.text.collections.catalogue import BuildRequest, parse_languages

needs_apt = pytest.mark.skipif(shutil.which("apt-get") is None, reason="this machine has no apt")


@pytest.fixture
def archive(tmp_path, monkeypatch, write_lists, packages, build_deb, help_page):
    """A Debian archive in a folder, and apt told to use no other."""
    root = tmp_path / "archive"
    lists = write_lists(packages)
    files = {}
    for path in lists.iterdir():
        _, _, name = path.name.partition("_dists_stable_main_")
        if name:
            files[f"main/{name.replace('_', '/')}"] = path.read_text(encoding="utf-8")
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    italian = files["main/i18n/Translation-it"]
    files["main/i18n/Translation-pt_BR"] = italian.replace("Description-it", "Description-pt_BR")
    stanzas = [files.pop("main/binary-amd64/Packages"), *_debs(root, build_deb, help_page)]
    files[f"main/binary-{architecture}/Packages"] = "\n".join(stanzas)
    release = "Origin: Debian\nSuite: stable\nCodename: stable\nVersion: 12.1\n"
    release += f"Date: Sat, 22 Jul 2023 09:00:00 UTC\nArchitectures: {architecture}\n"
    release += "Components: main\nSHA256:\n"
    for name, content in files.items():
        path = root / "dists" / "stable" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        raw = content.encode()
        release += f" {hashlib.sha256(raw).hexdigest()} {len(raw)} {name}\n"
    (root / "dists" / "stable" / "Release").write_text(release)
    _only_source(tmp_path, monkeypatch, f"deb [trusted=yes] file:{root} stable main\n")
    return root


def _debs(root, build_deb, help_page):
    (root / "pool").mkdir(parents=True)
    texts = {
        "en-us": "A careful explanation of how margins are set for every page you print. " * 3,
        "it": "Una spiegazione accurata di come si impostano i margini di ogni pagina. " * 3,
    }
    for code, text in texts.items():
        name, folder = f"libreoffice-help-{code}", code.replace("us", "US")
        page = help_page(folder, f"Page {code}", [("par_id1", text)])
        files = {f"usr/share/libreoffice/help/{folder}/text/a/b.html": page.encode()}
        content = build_deb(name, "4:7.4-1", files)
        (root / "pool" / f"{name}.deb").write_bytes(content)
        yield (
            f"Package: {name}\nVersion: 4:7.4-1\nArchitecture: all\nDescription: help\n"
            f"Filename: pool/{name}.deb\nSize: {len(content)}\n"
            f"SHA256: {hashlib.sha256(content).hexdigest()}\n"
        )


def _only_source(tmp_path, monkeypatch, line):
    (tmp_path / "sources.list").write_text(line)
    config = tmp_path / "machine.conf"
    marker = tmp_path / "hook-ran"
    config.write_text(
        f'Dir::Etc::sourcelist "{tmp_path}/sources.list";\nDir::Etc::sourceparts "/dev/null";\n'
        'Dir::Etc::parts "/dev/null";\nAPT::Sandbox::User "";\nAcquire::Languages "none";\n'
        f'APT::Update::Post-Invoke {{ "touch {marker}"; }};\n'
    )
    monkeypatch.setenv("APT_CONFIG", str(config))
    monkeypatch.setattr(apt, "SYSTEM_LISTS", tmp_path / "absent")


def build_request(languages="en,it", **settings):
    return BuildRequest(languages=parse_languages(languages), **settings)


@needs_apt
def test_packages_are_built_through_apt_and_the_system_is_left_alone(
    archive, tmp_path, no_progress
):
    before = _system()
    manifest = build("debian-packages", build_request(), tmp_path / "out", no_progress)
    assert manifest["aligned"] == {"en-it": 60}
    assert manifest["releases"][0]["version"] == "12.1"
    assert not (tmp_path / "hook-ran").exists(), "the machine's hooks must not run"
    assert _system() == before


def _system():
    folders = ("/var/lib/apt", "/var/lib/apt/lists", "/var/cache/apt", "/var/lib/dpkg")
    return {name: os.stat(name).st_mtime_ns for name in folders if os.path.isdir(name)}


@needs_apt
def test_a_language_with_a_country_is_found_under_apts_name(archive, tmp_path, no_progress):
    manifest = build("debian-packages", build_request("en,pt-BR"), tmp_path / "out", no_progress)
    assert manifest["aligned"] == {"en-pt": 60}
    assert manifest["languages"] == {"en": "en", "pt": "pt-BR"}


@needs_apt
def test_help_packages_are_fetched_not_installed(archive, tmp_path, no_progress):
    state = tmp_path / "state"
    manifest = build("libreoffice-help", build_request(state=state), tmp_path / "out", no_progress)
    assert manifest["documents"] == {"en": 1, "it": 1}
    assert [source["version"] for source in manifest["sources"]] == ["4:7.4-1", "4:7.4-1"]
    assert len(list((state / "archives").glob("*.deb"))) == 2, "what was fetched is kept"
    again = build("libreoffice-help", build_request(state=state), tmp_path / "again", no_progress)
    kept = build_request(debs=state / "archives")
    assert build("libreoffice-help", kept, tmp_path / "third", no_progress) == again == manifest


@needs_apt
def test_a_language_without_a_package_is_answered_with_the_known(archive, tmp_path, no_progress):
    with pytest.raises(
        UnknownName, match=r"language of libreoffice-help-\* 'fr'.* Known: en-us, it"
    ):
        build("libreoffice-help", build_request("en,fr"), tmp_path / "out", no_progress)
    assert not (tmp_path / "out").exists()


@needs_apt
def test_an_archive_out_of_reach_is_said_plainly(tmp_path, monkeypatch, no_progress):
    _only_source(tmp_path, monkeypatch, f"deb [trusted=yes] file:{tmp_path}/gone stable main\n")
    with pytest.raises(apt.AptFault, match=r"apt-get ended with code 100: .* Check the network"):
        build("debian-packages", build_request(), tmp_path / "out", no_progress)
    assert not (tmp_path / "out").exists()


@needs_apt
@pytest.mark.parametrize("name", ["-o=Dir::Etc=/tmp", "a b", "", "$(x)"])
def test_names_that_could_be_options_never_reach_apt(tmp_path, name):
    with apt.private_state(tmp_path / "state") as state:
        with pytest.raises(ConfigError, match="expected letters"):
            apt.download(state, [name])
        with pytest.raises(ConfigError, match="expected letters"):
            apt.update(state, [name])


def test_a_path_that_would_break_the_settings_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/apt-get")
    with pytest.raises(ConfigError, match="plain path"), apt.private_state(tmp_path / 'a"b'):
        pass


def test_a_temporary_state_is_removed(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/apt-get")
    with apt.private_state(None) as state:
        assert (state.lists / "partial").is_dir()
    assert not state.folder.exists()
