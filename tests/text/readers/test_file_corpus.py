"""Real files in every format, built from Debian packages: their paragraphs are found again.

``DRAGOMAN_FILE_CORPUS`` is the folder of a corpus that ``tools/build_file_corpus.py`` has built, or
``build`` to build one now, which takes a minute and downloads 50 MB.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from dragoman import registry
from dragoman.text.readers.assembly import ReadReport, read_texts
from dragoman.text.readers.file_types import FileType, type_of
from dragoman.text.readers.pool import ReaderPool

TOOL = Path(__file__).parents[3] / "tools" / "build_file_corpus.py"
CORPUS = os.environ.get("DRAGOMAN_FILE_CORPUS", "")
MISSING = [name for name in ("apt-get", "dpkg-deb", "soffice") if not shutil.which(name)]
pytestmark = [
    pytest.mark.skipif(not CORPUS, reason="DRAGOMAN_FILE_CORPUS names no corpus of files"),
    pytest.mark.skipif(
        CORPUS == "build" and bool(MISSING),
        reason=f"a corpus of files is built by {', '.join(MISSING)}, which are not installed",
    ),
]
LEAST_SHARE = 0.99  # of the letters; hyphenation and fonts of PDF cost a few


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    if CORPUS != "build":
        return Path(CORPUS)
    folder = tmp_path_factory.mktemp("corpus")
    subprocess.run([sys.executable, TOOL, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def files(corpus):
    lines = (corpus / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return {one["path"]: one for one in map(json.loads, lines)}


@pytest.fixture(scope="module")
def texts(corpus, files):
    """The text of every file, and what was cleaned away, as the command reads it."""
    wanted = [(corpus / name, type_of(corpus / name)) for name in files]
    read, report = {}, ReadReport()
    with ReaderPool() as pool:
        for contents in pool.read(wanted):
            parts = read_texts(contents.answers, report)
            read[contents.path.name] = "\n\n".join(part.text for part in parts)
    return read, report


def letters(text):
    return re.sub(r"\W", "", unicodedata.normalize("NFKC", text))


def test_the_corpus_has_every_format_and_many_languages(corpus, files):
    assert len(files) >= 60
    assert {one["file_type"] for one in files.values()} == {*registry.FILE_READERS}
    assert len({one["language"] for one in files.values()}) >= 15
    assert all(type_of(corpus / name) is FileType(one["file_type"]) for name, one in files.items())


def test_the_paragraphs_of_every_file_are_read(files, texts):
    read, _ = texts
    shares = {}
    for name, one in files.items():
        whole = letters(read[name])
        pieces = [
            piece for text in one["paragraphs"] for piece in re.findall(".{1,8}", letters(text))
        ]
        shares[name] = sum(piece in whole for piece in pieces) / len(pieces)
    assert {name: share for name, share in shares.items() if share < LEAST_SHARE} == {}


def test_nothing_is_cleaned_away_and_nothing_passed_over(texts):
    _, report = texts
    assert report.skipped == []
    assert report.cleaned == {}
