"""The report of a sync, as programs read it."""

import json
import os
from pathlib import Path

from dragoman.indexes.sync.report import FileOutcome, FileStatus, SyncReport
from dragoman.text.readers.languages import LanguageRun


def test_paths_of_any_bytes_are_lines_of_json_that_give_the_path_again():
    path = Path(os.fsdecode(b"/caf\xe9/men\xc3\xbc.txt"))
    report = SyncReport()
    report.add(FileOutcome(path, "text", FileStatus.READ))
    (line,) = report.lines()
    assert '"/caf\\udce9/menü.txt"' in line
    assert line.encode("utf-8")
    assert Path(json.loads(line)["path"]) == path


def test_a_text_inside_a_file_is_named_where_its_language_is_uncertain():
    report = SyncReport()
    report.note_uncertain(Path("/a/b.tar"), "c/d.txt", [LanguageRun("en", 0, 3, certain=False)])
    report.note_uncertain(Path("/a/e.txt"), "", [LanguageRun("de", 0, 3, certain=False)])
    report.note_uncertain(Path("/a/f.txt"), "", [LanguageRun("de", 0, 3, certain=True)])
    assert report.uncertain == {Path("/a/b.tar"): {"c/d.txt": "en"}, Path("/a/e.txt"): {"": "de"}}
    for name in ("/a/b.tar", "/a/f.txt"):
        report.add(FileOutcome(Path(name), "text", FileStatus.READ))
    (tar, certain) = map(json.loads, report.lines())
    assert (tar["uncertain"], certain["uncertain"]) == ({"c/d.txt": "en"}, {})


def test_what_was_left_out_is_listed_for_each_file_and_counted_for_all():
    report = SyncReport()
    for name in ("a", "b"):
        left_out = {"encoded data": 7}
        report.add(FileOutcome(Path(name), "text", FileStatus.READ, left_out=left_out))
    assert report.left_out == {"encoded data": 14}
    assert [json.loads(line)["left_out"] for line in report.lines()] == [left_out, left_out]
