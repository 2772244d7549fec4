"""Worker processes: in order, within limits, replaced when a file kills them."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.text.readers import worker
from dragoman.text.readers.contents import NoTextInFile, ReaderConfig, UnreadableFile
from dragoman.text.readers.file_types import FileType
from dragoman.text.readers.pool import ReaderPool

HOSTILE = '''
"""A reader that does what the file says."""
import os, signal, socket, time
from dragoman.text.readers.contents import FileText, NoTextInFile, Section

def read(path, config):
    order = path.read_text()
    yield FileText(title=order)
    if order == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if order == "hang":
        time.sleep(60)
    if order == "memory":
        bytearray(8 << 30)
    if order == "loop":
        while True: pass
    if order == "network":
        socket.create_connection(("127.0.0.1", 9))
    if order == "flood":
        while True: yield Section("x" * 60000)
    if order == "empty":
        raise NoTextInFile("nothing in it")
    if order == "print":
        print("not an answer")
    if order == "secret":
        yield Section(os.environ.get("SECRET", "no secret"))
    yield Section("the end")
'''


@pytest.fixture
def hostile(tmp_path, monkeypatch):
    """Reads files by a reader that misbehaves; its answers by the text of each file."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "sitecustomize.py").write_text(
        "import sys; sys.path.insert(0, " + repr(str(package)) + ")\n"
        "import dragoman.registry as r\nr.FILE_READERS = {'text': 'hostile:read'}\n"
    )
    (package / "hostile.py").write_text(HOSTILE)
    packages = str(Path(worker.__file__).parents[3])
    monkeypatch.setattr(
        "dragoman.text.readers.pool.PACKAGES", os.pathsep.join((str(package), packages))
    )
    monkeypatch.setenv("SECRET", "of the parent")
    folder = tmp_path / "files"
    folder.mkdir()

    def read(*orders):
        paths = []
        for number, order in enumerate(orders):
            paths.append(folder / str(number))
            paths[-1].write_text(order)
        limits = {"memory_bytes": 2 << 30, "cpu_seconds": 2, "stall_seconds": 4.0}
        config = ReaderConfig(**limits, expanded_bytes=10 << 20)
        with ReaderPool(config, workers=1) as pool:
            results = []
            for contents in pool.read((path, FileType.TEXT) for path in paths):
                try:
                    results.append([*contents.answers])
                except (NoTextInFile, UnreadableFile) as error:
                    results.append(error)
        return results

    return read


def test_a_file_that_kills_its_parser_costs_that_file_only(hostile):
    crashed, good = hostile("crash", "good")
    assert isinstance(crashed, UnreadableFile)
    assert str(crashed).startswith("a parser that ended with status")
    assert good[-1]["section"]["text"] == "the end"


def test_a_parser_that_hangs_is_stopped(hostile):
    hung, good = hostile("hang", "good")
    assert str(hung) == "nothing within 4 seconds of parsing"
    assert good[-1]["section"]["text"] == "the end"


def test_processor_time_memory_and_text_are_limited(hostile):
    looped, memory, flood, good = hostile("loop", "memory", "flood", "good")
    assert isinstance(looped, UnreadableFile)
    assert str(memory) == "more than fits in memory"
    assert str(flood) == "more than 10,485,760 letters of text"
    assert good[-1]["section"]["text"] == "the end"


def test_a_parser_has_no_network_and_no_secrets(hostile):
    network, secret = hostile("network", "secret")
    assert isinstance(network, UnreadableFile)
    assert "PermissionError" in str(network)
    assert secret[1]["section"]["text"] == "no secret"


def test_what_a_parser_prints_is_no_answer_and_a_file_without_text_says_why(hostile):
    printed, empty = hostile("print", "empty")
    assert printed[-1]["section"]["text"] == "the end"
    assert isinstance(empty, NoTextInFile)
    assert str(empty) == "nothing in it"


def test_files_come_in_their_order_and_a_caller_may_stop_early(tmp_path):
    paths = [tmp_path / f"{number}.txt" for number in range(30)]
    for number, path in enumerate(paths):
        path.write_text(f"text {number}" * (1 if number % 3 else 5000))
    with ReaderPool(workers=2) as pool:
        read = pool.read((path, FileType.TEXT) for path in paths)
        for path, contents in zip(paths, read, strict=True):
            assert contents.path == path
            text = "".join(a["section"]["text"] for a in contents.answers if "section" in a)
            assert text == path.read_text()
    with ReaderPool(workers=2) as pool:
        first = next(pool.read((path, FileType.TEXT) for path in paths))
        assert first.path == paths[0]


LIMITED = """
import resource, sys
from pathlib import Path
from dragoman.text.readers.file_types import FileType
from dragoman.text.readers.pool import ReaderPool
for kind, most in (("CPU", 100), ("AS", 1 << 30), ("FSIZE", 1 << 28)):
    resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (most, most))
with ReaderPool(workers=1) as pool:
    for contents in pool.read([(Path(sys.argv[1]), FileType.TEXT)]):
        print([answer["section"]["text"] for answer in contents.answers if "section" in answer])
"""


def test_lower_limits_of_the_user_stay(tmp_path):
    (tmp_path / "a.txt").write_text("words")
    command = [sys.executable, "-c", LIMITED, tmp_path / "a.txt"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("['words']\n", "")


def test_a_small_file_does_not_unpack_to_very_much(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"words " * 12_000_000))
    assert path.stat().st_size < 1 << 20
    with ReaderPool(workers=1) as pool:
        contents = next(pool.read([(path, FileType.COMPRESSED)]))
        with pytest.raises(UnreadableFile, match="beyond 67,108,864 bytes; unpack it"):
            list(contents.answers)


def test_a_packed_file_is_read_as_what_is_inside(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"packed words", mtime=0))
    with ReaderPool(workers=1) as pool:
        for contents in pool.read([(path, FileType.COMPRESSED)]):
            text, section = contents.answers
    assert (text["text"]["name"], text["text"]["type"]) == ("a.txt", "text")
    assert section["section"]["text"] == "packed words"
