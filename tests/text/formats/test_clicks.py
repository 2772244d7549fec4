import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import clicks as log
from dragoman.types import Click
from text_strategies import clicks


@settings(max_examples=40)
@given(written=st.lists(clicks(), min_size=1, max_size=5))
def test_rows_come_back_as_written(written, tmp_path_factory):
    folder = tmp_path_factory.mktemp("clicks")
    assert log.write_tsv(folder / "a.tsv", written) == len(written)
    assert list(log.read_tsv(folder / "a.tsv", Faults())) == written
    assert log.write_jsonl(folder / "a.jsonl.gz", written) == len(written)
    assert list(log.read_jsonl(folder / "a.jsonl.gz", Faults())) == written


def test_the_language_column_may_be_missing(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("query\tdoc_id\timpressions\tclicks\nbread\td1\t10\t3\n")
    assert list(log.read_tsv(path, Faults())) == [Click("bread", "d1", 10, 3)]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("bread\td1\t3\t4\ten", "4 clicks in 3 impressions; expected no more clicks than impress"),
        ("bread\td1\t-1\t-1\ten", "-1 clicks in -1 impressions"),
        ("bread\td1\tten\t3\ten", "the number of impressions 'ten'"),
        ("bread\td1\t10\t3", "4 columns; expected 5, as in the header"),
        (" \td1\t10\t3\ten", "an empty query"),
        ("bread\t\t10\t3\ten", "an empty id"),
        ("bread\td1\t10\t3\tklingonish", "the language 'klingonish'"),
    ],
)
def test_a_bad_row_is_told_or_counted(row, message, tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("\t".join(log.HEADER) + f"\nbread\td0\t2\t1\ten\n{row}\n")
    with pytest.raises(InputError, match=f"a.tsv, line 3: found {message}"):
        list(log.read_tsv(path, Faults()))
    faults = Faults(OnError.SKIP)
    assert len(list(log.read_tsv(path, faults))) == faults.skipped == 1


def test_json_numbers_are_whole_and_headers_are_checked(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"query": "a", "doc_id": "d", "impressions": 1.5, "clicks": 0}')
    with pytest.raises(InputError, match=r"found 1.5 in 'impressions'; expected a whole number of"):
        list(log.read_jsonl(path, Faults()))
    path.write_text('{"query": "a", "doc_id": "d", "impressions": 1}')
    with pytest.raises(InputError, match="found no field 'clicks'"):
        list(log.read_jsonl(path, Faults()))
    path.write_text("bread\td1\t3\t2\n")
    with pytest.raises(InputError, match=r"line 1: found the header 'bread.*expected the columns"):
        list(log.read_tsv(path, Faults()))
