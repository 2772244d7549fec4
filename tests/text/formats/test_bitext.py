import gzip

import pytest
from hypothesis import given, settings

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import bitext
from dragoman.types import SentencePair
from text_strategies import pairs


@settings(max_examples=40)
@given(written=pairs())
def test_pairs_come_back_as_written(written, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bitext")
    tsv, source, target = folder / "a.tsv.zst", folder / "a.en", folder / "a.de.gz"
    assert bitext.write_tsv(tsv, written, origin="tests") == len(written)
    assert list(bitext.read_tsv(tsv, Faults())) == written
    assert bitext.write_aligned(source, target, written) == len(written)
    assert list(bitext.read_aligned(source, target, Faults())) == written


def test_breaks_inside_a_side_become_blanks(tmp_path):
    path = tmp_path / "a.tsv"
    bitext.write_tsv(path, [SentencePair("one\r\ntwo\tthree", " vier ")])
    assert path.read_text() == "one two three\tvier\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("alone", "1 columns; expected 2 or 3: source, target and origin"),
        ("a\tb\tc\td", "4 columns; expected 2 or 3"),
        ("\tb", "an empty source; expected text on both sides"),
        ("a\t \tc", "an empty target; expected text on both sides"),
    ],
)
def test_a_bad_pair_is_told_with_its_line_or_counted(line, message, tmp_path):
    path = tmp_path / "en-de.tsv"
    path.write_text(f"one\teins\n{line}\nthree\tdrei\n")
    with pytest.raises(InputError, match=f"en-de.tsv, line 2: found {message}"):
        list(bitext.read_tsv(path, Faults()))
    faults = Faults(OnError.SKIP)
    assert len(list(bitext.read_tsv(path, faults))) == 2
    assert faults.skipped == 1


@pytest.mark.parametrize("longer", ["en", "de"])
def test_files_of_different_lengths_are_refused_with_both_counts(longer, tmp_path):
    sides = {side: tmp_path / f"a.{side}" for side in ("en", "de")}
    for side, path in sides.items():
        path.write_text("line\n" * (1200 if side == longer else 3))
    counts = ("1,200", "3") if longer == "en" else ("3", "1,200")
    message = f"line 4: found {counts[0]} lines in .*a.en and {counts[1]} in .*a.de; expected as"
    with pytest.raises(InputError, match=message):
        list(bitext.read_aligned(sides["en"], sides["de"], Faults(OnError.SKIP)))


def test_unreadable_lines_keep_the_sides_aligned(tmp_path):
    source, target = tmp_path / "a.en", tmp_path / "a.de"
    source.write_bytes(b"one\ntw\xff\n\nfour\nfi\xff")
    target.write_bytes(gzip.compress(b"eins\nzwei\ndrei\nvier\nf\n"))
    faults = Faults(OnError.SKIP)
    assert list(bitext.read_aligned(source, target, faults)) == [
        SentencePair("one", "eins"),
        SentencePair("four", "vier"),
    ]
    assert faults.counts == {str(source): 3}
    with pytest.raises(InputError, match=r"a.en, line 2: found the byte 0xff"):
        list(bitext.read_aligned(source, target, Faults()))


def test_an_empty_side_names_the_file_it_is_empty_in(tmp_path):
    source, target = tmp_path / "a.en", tmp_path / "a.de"
    source.write_text("one\ntwo\n")
    target.write_text("eins\n\n")
    with pytest.raises(InputError, match=r"a.de, line 2: found an empty target"):
        list(bitext.read_aligned(source, target, Faults()))
