import zipfile
from datetime import datetime

import openpyxl
import pytest

from dragoman.text.readers.contents import UnreadableFile
from file_contents import contents, texts
from small_files import zipped


def workbook(path, sheets, title=""):
    book = openpyxl.Workbook()
    book.remove(book.active)
    book.properties.title = title
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_sheets_are_headings_and_rows_are_lines(tmp_path):
    path = workbook(
        tmp_path / "a.xlsx",
        {
            "Bread": [["name", "grams"], ["flour", 500], [None, None], ["água", 0.5, True]],
            "Days": [[datetime(2024, 3, 1), datetime(2024, 3, 1, 12, 30)]],
        },
        "Recipes",
    )
    begun, first, second = contents(path, "xlsx")
    assert begun.title == "Recipes"
    assert (first.heading, first.text) == ("Bread", "name | grams\nflour | 500\nágua | 0.5 | True")
    assert (second.heading, second.text) == ("Days", "2024-03-01 | 2024-03-01 12:30:00")


def test_long_sheets_come_in_pieces_and_whole(tmp_path):
    rows = [[f"row {number}"] for number in range(950)]
    found = contents(workbook(tmp_path / "a.xlsx", {"S": rows}), "xlsx")
    assert texts(found) == ["\n".join(row[0] for row in rows)]
    assert len(found) > 3


def test_a_declared_size_of_a_sheet_is_not_believed(tmp_path):
    path = workbook(tmp_path / "a.xlsx", {"S": [["text"]]})
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    name = "xl/worksheets/sheet1.xml"
    entries[name] = entries[name].replace(b'ref="A1"', b'ref="A1:XFD1048576"')
    assert texts(contents(zipped(path, entries), "xlsx")) == ["text"]


def test_a_spreadsheet_that_expands_too_far_is_refused(tmp_path):
    path = workbook(tmp_path / "a.xlsx", {"S": [["x" * 30_000]] * 10})
    with pytest.raises(UnreadableFile, match="expand beyond"):
        contents(path, "xlsx", expanded_bytes=20_000)


@pytest.mark.parametrize("entries", [{"a": "b"}, {"xl/workbook.xml": "<workbook/>"}])
def test_a_broken_spreadsheet_is_unreadable(entries, tmp_path):
    with pytest.raises(UnreadableFile, match="broken spreadsheet"):
        contents(zipped(tmp_path / "a.xlsx", entries), "xlsx")
