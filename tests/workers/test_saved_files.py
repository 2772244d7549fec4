"""A system as files in memory: loaded elsewhere it encodes alike, or is refused."""

from dataclasses import replace

import pytest

import dragoman
from dragoman import registry
from dragoman.errors import IndexFault
from dragoman.types import Document
from dragoman.workers.saved_files import LoadedSystem, SystemFiles

DOCUMENTS = [
    Document("a", "Wie entstehen Ebbe und Flut?", "Gezeiten", "de"),
    Document("b", "The moon pulls at the sea.", "", "en"),
]
TREATED = ("de", "en")


@pytest.fixture(scope="module")
def psq():
    kind = registry.system("psq")
    return kind.create(kind.configure({}))


def test_a_loaded_system_encodes_alike(psq):
    loaded = LoadedSystem(SystemFiles.of(psq))
    found = loaded.treating({code: psq.treatment(code) for code in TREATED}).encode(DOCUMENTS)
    for mine, expected in zip(found, psq.encode(DOCUMENTS), strict=True):
        assert repr(mine) == repr(expected)


def test_equal_systems_have_equal_digests(psq):
    files = SystemFiles.of(psq)
    assert files.digest == SystemFiles.of(psq).digest
    assert files.digest != replace(files, version="0").digest


def test_another_version_and_other_settings_are_refused(psq, tmp_path):
    files = SystemFiles.of(psq)
    with pytest.raises(IndexFault, match=rf"found dragoman {dragoman.__version__}; expected 0\.1"):
        replace(files, version="0.1").load(tmp_path)
    with pytest.raises(IndexFault, match=r"found the settings .*; expected \{\}"):
        replace(files, settings="{}").load(tmp_path)


def test_a_language_that_is_treated_otherwise_here_is_refused(psq):
    loaded = LoadedSystem(SystemFiles.of(psq))
    with pytest.raises(IndexFault, match=r"this worker: documents in 'de' were indexed with other"):
        loaded.treating({"de": "other"})
    assert loaded.treating({"en": psq.treatment("en")}).encode(DOCUMENTS[1:])
