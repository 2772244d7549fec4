"""Broken variants of small files: no reader crashes, hangs, or outgrows its limits.

``DRAGOMAN_FUZZ=N`` tries N variants of every file instead of a few, ``DRAGOMAN_FUZZ_MINUTES=M`` as
many as there is time for, ``DRAGOMAN_FUZZ_SEED=S`` begins with another seed than 0;
``--log-cli-level=INFO`` counts them. A variant is named by its seed; those that once failed
are in ``REGRESSIONS``.
"""

import itertools
import json
import logging
import os
import re
import time

import pytest

from dragoman import registry
from dragoman.text.readers.contents import ReaderConfig, UnreadableFile
from dragoman.text.readers.pool import Worker
from mutated_files import mutated, originals

VARIANTS = int(os.environ.get("DRAGOMAN_FUZZ", "25"))
SECONDS = 60 * float(os.environ.get("DRAGOMAN_FUZZ_MINUTES", "0"))
FIRST_SEED = int(os.environ.get("DRAGOMAN_FUZZ_SEED", "0"))
LIMITS = ReaderConfig(
    expanded_bytes=8 << 20, members=100, memory_bytes=2 << 30, cpu_seconds=10, stall_seconds=20.0
)
log = logging.getLogger(__name__)
UNEXPECTED = re.compile(r"^\w+(?:Error|Exception|Warning): ")
REGRESSIONS = [  # type, number of the file, seed
    ("compressed", 0, 3000000462),  # a table with 800 quotes in a row
    ("rtf", 0, 3000003782),  # a control word without its number
    ("text", 0, 3000045635),  # an escape sequence of 7 bits among letters of 8
    ("eml", 0, 2441),  # a date beyond every calendar
    ("eml", 0, 2934),
    ("eml", 0, 700010725),  # a parameter of a part without its value
    ("tar", 0, 10002206),  # a size beyond every number
    ("zip", 0, 50001326),  # cut off in a hidden file
    ("zip", 0, 50015662),  # an entry without a name
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return originals(tmp_path_factory.mktemp("originals"))


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """Reads bytes as a type of file in one worker process, which goes on after a failure."""
    folder = tmp_path_factory.mktemp("variants")
    worker = Worker(LIMITS, folder)

    def answers(kind, original, seed):
        path = folder / original.name
        path.write_bytes(original.read_bytes() if seed is None else mutated(original, seed))
        worker._send({"path": str(path), "type": kind})
        lines = []
        while not lines or {"done", "empty", "failed"}.isdisjoint(lines[-1]):
            lines.append(json.loads(worker._line()))  # raises where the process is lost
        return lines

    yield answers
    worker.stop()


def faults(lines):
    """What a reader should not say of a broken file: an error that it did not expect."""
    reasons = [lines[-1].get("failed", "")]
    reasons += [line["skipped"]["reason"] for line in lines if "skipped" in line]
    return [reason for reason in reasons if UNEXPECTED.search(reason)]


def seeds():
    """Those that a run was asked for: a number of them, or all until the time is over."""
    if not SECONDS:
        return iter(range(FIRST_SEED, FIRST_SEED + VARIANTS))
    end = time.monotonic() + SECONDS
    return itertools.takewhile(lambda seed: time.monotonic() < end, itertools.count(FIRST_SEED))


def test_every_reader_has_files_to_break(files):
    assert {*files} == {*registry.FILE_READERS}


@pytest.mark.parametrize("kind", sorted(registry.FILE_READERS))
def test_files_are_read_before_they_are_broken(kind, files, read):
    for original in files[kind]:
        lines = read(kind, original, None)
        assert "done" in lines[-1]
        assert any("section" in line for line in lines)


@pytest.mark.parametrize("kind", sorted(registry.FILE_READERS))
def test_broken_variants_of_a_file_are_read_or_refused(kind, files, read):
    found, number = [], 0
    for seed in seeds():
        for original in files[kind]:
            number += 1
            try:
                reasons = faults(read(kind, original, seed))
            except UnreadableFile as error:  # the process was lost
                reasons = [str(error)]
            for reason in reasons:
                log.info("%s, seed %d: %s", original.name, seed, reason)
                found.append((original.name, seed, reason))
    log.info("%s: %d variants, %d faults", kind, number, len(found))
    assert number
    assert not found, found[:20]


@pytest.mark.parametrize(("kind", "number", "seed"), REGRESSIONS)
def test_what_once_failed_is_read_or_refused(kind, number, seed, files, read):
    assert not faults(read(kind, files[kind][number], seed))
