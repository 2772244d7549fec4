import gzip

import pytest

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import dictd
from dragoman.types import DictionaryEntry

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
ARTICLES = {
    "00databaseinfo": "00-database-info\nabout\n",
    "brake": "brake //bɹeɪk// <n>\n1. спирачка, спирачки\ndevice that stops\n2. мъначка <f>\n",
    "sunset": "sunset glow /sˈʌnsɛt/\nAbendrot <neut>, Abendröte <fem> [poet.]  [meteo.]\n"
    "   Synonym: {red sunset}\n\n",
    "arrange": "arrange /ɐɹˈeɪndʒ/\n\nτακτοποιώ, κανονίζω\n",
    "benki": "benki <n>\n\n Plural of {benki}: bank\n",
    "branch": "branch <v>\n1. разклонявам се 2.\nto arise\n 3.\nto jump\n",
    "kofi": "kofi <n>\npalm (of the hand); applause\n",
}


def base64(number):
    text = DIGITS[number % 64]
    while number := number // 64:
        text = DIGITS[number % 64] + text
    return text


def write(folder, name="freedict-a-b"):
    lines, data = [], b""
    for word, article in ARTICLES.items():
        raw = article.encode()
        lines.append(f"{word}\t{base64(len(data))}\t{base64(len(raw))}\n")
        data += raw
    lines.append(lines[1].replace("brake", "brakes"))  # a second word for the same article
    (folder / f"{name}.index").write_text("".join(sorted(lines)))
    (folder / f"{name}.dict.dz").write_bytes(gzip.compress(data))
    return folder / f"{name}.index"


def test_articles_give_headwords_and_translations(tmp_path):
    expected = [
        ("brake", "спирачка"),
        ("brake", "спирачки"),
        ("brake", "мъначка"),
        ("sunset glow", "Abendrot"),
        ("sunset glow", "Abendröte"),
        ("arrange", "τακτοποιώ"),
        ("arrange", "κανονίζω"),
        ("branch", "разклонявам се"),
        ("kofi", "palm"),
        ("kofi", "applause"),
    ]
    index = write(tmp_path)
    for path in (index, index.with_name("freedict-a-b.dict.dz")):
        found = list(dictd.read_entries(path, Faults()))
        assert found == [DictionaryEntry(*pair) for pair in expected]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("word\tA", "2 columns; expected 3: word, offset and length"),
        ("word\tA\t!", "the number '!'; expected base 64"),
        ("word\tA\t////", "an article of 16,777,215 bytes that ends after"),
    ],
)
def test_a_bad_index_line_is_told_or_counted(line, message, tmp_path):
    index = write(tmp_path)
    with index.open("a") as stream:
        stream.write(f"{line}\n")
    with pytest.raises(InputError, match=f"index, line 9: found {message}"):
        list(dictd.read_entries(index, Faults()))
    faults = Faults(OnError.SKIP)
    assert len(list(dictd.read_entries(index, faults))) == 10
    assert faults.skipped == 1


def test_both_files_are_needed(tmp_path):
    index = write(tmp_path)
    index.with_name("freedict-a-b.dict.dz").unlink()
    with pytest.raises(InputError, match=r"found no freedict-a-b.dict.dz next to it"):
        list(dictd.read_entries(index, Faults()))
