import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.text.readers.contents import FileText, UnreadableFile
from dragoman.text.readers.formats import tables
from file_contents import contents, texts


def written(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def begun(found):
    return [one for one in found if isinstance(one, FileText)]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_row_is_a_text_and_other_columns_are_metadata(separator, tmp_path):
    lines = [
        ("id", "title", "text", "lang"),
        ("1", "Brot", '"Mehl, Salz; Wasser"', "de"),
        ("2", "Suppe", "Gemüse", "de"),
    ]
    path = written(tmp_path / "a.csv", "\n".join(map(separator.join, lines)))
    found = contents(path, "csv")
    assert texts(found) == ["Mehl, Salz; Wasser", "Gemüse"]
    first, _ = begun(found)
    assert (first.name, first.title, first.language) == ("row-1", "Brot", "de")
    assert first.metadata == {"id": "1"}


@pytest.mark.parametrize("line", ["sep=|\r\n", '"sep=|"\n'])
def test_a_first_line_may_name_the_separator(line, tmp_path):
    path = written(tmp_path / "a.csv", line + "name,first|text\nx|a, b\n", "utf-16")
    found = contents(path, "csv")
    assert texts(found) == ["a, b"]
    assert begun(found)[0].metadata == {"name,first": "x"}


def test_chosen_columns_are_the_text(tmp_path):
    path = written(tmp_path / "a.csv", "a,b,c\n1,2,3\n4\n")
    found = contents(path, "csv", text_field="b, c", title_field="a")
    assert texts(found) == ["b: 2\nc: 3"]
    assert begun(found)[0].title == "1"
    with pytest.raises(UnreadableFile, match="no column 'd'; it has 'a', 'b', 'c'"):
        contents(path, "csv", text_field="d")


def test_without_a_usual_name_every_column_is_text(tmp_path):
    path = written(tmp_path / "a.csv", "Ort,Anzahl\nBern,3\n\n,\n")
    assert texts(contents(path, "csv")) == ["Ort: Bern\nAnzahl: 3"]


def test_a_table_without_names_of_columns_loses_no_row(tmp_path):
    path = written(tmp_path / "a.csv", "1,Brot\n2,Suppe\n")
    assert texts(contents(path, "csv")) == [
        "column-1: 1\ncolumn-2: Brot",
        "column-1: 2\ncolumn-2: Suppe",
    ]


def test_cells_beyond_the_columns_and_columns_of_one_name_are_read(tmp_path):
    path = written(tmp_path / "a.csv", "a,a,text\n1,2,x,more\n")
    found = contents(path, "csv")
    assert texts(found) == ["x"]
    assert begun(found)[0].metadata == {"a": "1", "column-2": "2", "column-4": "more"}


def test_tabs_separate_whatever_else_is_in_a_line(tmp_path):
    path = written(tmp_path / "a.tsv", "id\ttext\n1\ta,b;c\n")
    assert texts(contents(path, "tsv")) == ["a,b;c"]


def test_other_encodings_and_lines_in_cells_are_read(tmp_path):
    text = 'id,text\r\n1,"Die Bäckerei öffnet früh,\r\nund die Brötchen sind heiß"\r\n'
    path = written(tmp_path / "a.csv", text, "cp1252")
    assert texts(contents(path, "csv")) == [
        "Die Bäckerei öffnet früh,\r\nund die Brötchen sind heiß"
    ]


def test_a_cell_that_is_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "LONGEST_FIELD", 100)
    path = written(tmp_path / "a.csv", f"id,text\n1,{'x' * 200}\n")
    with pytest.raises(UnreadableFile, match="field larger than field limit"):
        contents(path, "csv")


@given(st.lists(st.lists(st.text(st.sampled_from("abc1 "), max_size=5), max_size=4), max_size=6))
def test_no_cell_is_lost(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("tables") / "a.tsv"
    written(path, "\n".join("\t".join(row) for row in [["one", "two"], *rows]))
    found = contents(path, "tsv")
    shown = "".join(texts(found)) + "".join(str(one.metadata) for one in begun(found))
    assert all(cell.strip() in shown for row in rows for cell in row)
