import pytest
from hypothesis import given, settings

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import dictionaries
from dragoman.types import DictionaryEntry
from text_strategies import WORDS, entries

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><title>x</title></teiHeader><text><body>
<entry><form><orth>colour</orth><orth>color</orth><pron>x</pron></form>
  <sense><cit type="trans" xml:lang="de"><quote>Farbe</quote></cit>
         <cit type="example"><quote>no</quote></cit></sense>
  <sense><cit type="translation"><quote>Farbe</quote><quote> der
     Farbton </quote></cit></sense></entry>
<entry><form><orth>lonely</orth></form></entry>
<entry><form><pron>x</pron></form></entry>
</body></text></TEI>
"""


@settings(max_examples=40)
@given(phrases=entries(), words=entries(WORDS))
def test_entries_come_back_as_written(phrases, words, tmp_path_factory):
    folder = tmp_path_factory.mktemp("dictionaries")
    assert dictionaries.write_tsv(folder / "a.tsv.gz", phrases) == len(phrases)
    assert list(dictionaries.read_tsv(folder / "a.tsv.gz", Faults())) == phrases
    assert dictionaries.write_muse(folder / "a.txt", words) == len(words)
    assert list(dictionaries.read_muse(folder / "a.txt", Faults())) == words


def test_muse_separates_by_blanks_or_tabs(tmp_path):
    path = tmp_path / "en-de.txt"
    path.write_text("house haus\ncat\tkatze\n")
    assert list(dictionaries.read_muse(path, Faults())) == [
        DictionaryEntry("house", "haus"),
        DictionaryEntry("cat", "katze"),
    ]
    path.write_text("house haus\nthe cat katze\n")
    with pytest.raises(InputError, match="line 2: found 3 words; expected 2"):
        list(dictionaries.read_muse(path, Faults()))


def test_muse_holds_no_phrases(tmp_path):
    with pytest.raises(InputError, match="line 1: found 'the cat'; expected a single word"):
        dictionaries.write_muse(tmp_path / "a", [DictionaryEntry("the cat", "katze")])


@pytest.mark.parametrize(
    ("line", "message"),
    [("cat", "1 column; expected 2"), ("\tKatze", "an empty source"), ("cat\t", "an empty target")],
)
def test_bad_lines_are_told_or_counted(line, message, tmp_path):
    path = tmp_path / "en-de.tsv"
    path.write_text(f"house\tHaus\tnoun\n{line}\n")
    with pytest.raises(InputError, match=f"line 2: found {message}"):
        list(dictionaries.read_tsv(path, Faults()))
    faults = Faults(OnError.SKIP)
    assert list(dictionaries.read_tsv(path, faults)) == [DictionaryEntry("house", "Haus")]
    assert faults.skipped == 1


def test_tei_entries_give_every_headword_with_every_translation(tmp_path):
    path = tmp_path / "eng-deu.tei"
    path.write_text(TEI)
    faults = Faults(OnError.SKIP)
    assert list(dictionaries.read_tei(path, faults)) == [
        DictionaryEntry("colour", "Farbe"),
        DictionaryEntry("colour", "der Farbton"),
        DictionaryEntry("color", "Farbe"),
        DictionaryEntry("color", "der Farbton"),
    ]
    assert faults.skipped == 1
    with pytest.raises(InputError, match="line 9: found an entry without <orth>"):
        list(dictionaries.read_tei(path, Faults()))
