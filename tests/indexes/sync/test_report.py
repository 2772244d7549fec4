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
    assert report.uncertain == {"/a/b.tar/c/d.txt": "en", "/a/e.txt": "de"}
