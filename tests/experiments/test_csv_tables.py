"""Rows as CSV."""

from dragoman.experiments.csv_tables import write_csv


def test_a_table_is_written_with_its_header(tmp_path):
    write_csv(tmp_path / "new" / "table.csv", ("name", "value"), [("a, b", 1), ("c", "")])
    assert (tmp_path / "new" / "table.csv").read_text() == 'name,value\n"a, b",1\nc,\n'
