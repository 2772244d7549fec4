import gzip
import json
import tracemalloc

import pytest

from dragoman.errors import ConfigError, InputError, UnknownLanguage, UnknownName
from dragoman.text import source
from dragoman.text.files import Faults
from dragoman.types import Click, DictionaryEntry, Document, Query, SentencePair


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_given_language_fills_only_what_the_records_leave_open(tmp_path):
    records = ({"_id": "1", "text": "a", "lang": "fr"}, {"_id": "2", "text": "b"})
    path = write(tmp_path / "a.jsonl", "\n".join(map(json.dumps, records)))
    documents = source.read_documents(path, Faults(), language="deu")
    assert [document.language for document in documents] == ["fr", "de"]
    queries = source.read_queries(str(path), Faults(), language="deu")
    assert list(queries) == [Query("1", "a", "fr"), Query("2", "b", "de")]
    with pytest.raises(UnknownLanguage, match="Unknown language 'klingonish'"):
        list(source.read_documents(path, Faults(), language="klingonish"))


def test_a_named_format_wins_over_the_ending(tmp_path):
    path = write(tmp_path / "sw.tsv", "1\tMkate\n")
    with pytest.raises(InputError, match="The first line must name the columns"):
        list(source.read_documents(path, Faults()))
    found = source.read_documents(path, Faults(), format="clirmatrix")
    assert list(found) == [Document("1", "Mkate", language="sw")]
    with pytest.raises(UnknownName, match=r"Unknown document format 'clirmatrx'. Did you mean"):
        list(source.read_documents(path, Faults(), format="clirmatrx"))


def test_a_plain_folder_is_read_by_its_name(tmp_path):
    write(tmp_path / "corpus.jsonl", '{"_id": "d", "text": "a"}')
    write(tmp_path / "queries.jsonl", '{"_id": "q", "text": "b"}')
    write(tmp_path / "qrels.tsv", "query-id\tcorpus-id\tscore\nq\td\t1\n")
    assert list(source.read_documents(tmp_path, Faults(), format="plain")) == [Document("d", "a")]
    assert list(source.read_queries(tmp_path, Faults())) == [Query("q", "b")]
    assert source.read_judgments(tmp_path, Faults()) == {"q": {"d": 1}}


def test_a_fault_in_a_folder_names_the_file(tmp_path):
    write(tmp_path / "qrels.tsv", "query-id\tcorpus-id\tscore\nq\td\t1\nq\td\t1\n")
    with pytest.raises(InputError, match=r"qrels.tsv, line 3: found a second judgment"):
        source.read_judgments(tmp_path, Faults())
    with pytest.raises(ConfigError, match="Found columns for the format 'plain'"):
        source.read_judgments(tmp_path, Faults(), format="plain", columns="query,document,grade")


def test_the_order_of_columns_can_be_named(tmp_path):
    path = write(tmp_path / "qrels.txt", "1 0 0 1\n")
    with pytest.raises(InputError, match="option columns"):
        source.read_judgments(path, Faults())
    judgments = source.read_judgments(path, Faults(), columns="document,0,query,grade")
    assert judgments == {"0": {"1": 1}}


def test_bitext_comes_from_files_of_every_kind_together(tmp_path):
    tsv = write(tmp_path / "one.tsv", "a\tA\n")
    en, de = write(tmp_path / "two.en", "b\nc\n"), write(tmp_path / "two.de", "B\nC\n")
    tmx = write(
        tmp_path / "more" / "three.tmx",
        "<tmx><tu><tuv xml:lang='en'><seg>d</seg></tuv><tuv xml:lang='de'><seg>D</seg></tuv>"
        "<tuv xml:lang='fr'><seg>x</seg></tuv></tu></tmx>",
    )
    pairs = source.read_bitext([tsv, en, de, tmx.parent], Faults(), languages=("en", "de"))
    assert list(pairs) == [SentencePair(letter, letter.upper()) for letter in "abcd"]
    with pytest.raises(InputError, match=r"two.en: found one file without tabs and no second"):
        list(source.read_bitext([tsv, en], Faults()))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="found no bitext"):
        list(source.read_bitext([tmp_path / "empty"], Faults()))


def test_dictionaries_and_clicks_are_told_by_their_endings(tmp_path):
    words = write(tmp_path / "en-de.txt", "house haus\n")
    assert list(source.read_dictionary(words, Faults())) == [DictionaryEntry("house", "haus")]
    log = write(tmp_path / "a.tsv", "query\tdoc_id\timpressions\tclicks\nbread\td1\t2\t1\n")
    assert list(source.read_clicks(log, Faults())) == [Click("bread", "d1", 2, 1)]


LINES = {
    "corpus.jsonl": lambda n: json.dumps({"_id": f"d{n}", "text": "word " * 300}),
    "corpus.tsv": lambda n: f"d{n}\t" + "word " * 300 if n else "id\ttext",
    "corpus.csv": lambda n: f'd{n},"' + "word " * 300 + '\nend"' if n else "id,text",
    "wiki_sw.documents": lambda n: f"{n}\ttitle\t" + "word " * 300,
}


@pytest.mark.parametrize("name", LINES)
def test_a_file_of_30_megabytes_is_read_in_two(name, tmp_path):
    path, size = tmp_path / f"{name}.gz", 0
    with gzip.open(path, "wt", compresslevel=1) as stream:
        for number in range(20_000):
            size += stream.write(LINES[name](number) + "\n")
    assert size > 30_000_000
    assert peak_memory(source.read_documents(path, Faults())) < 2_000_000


@pytest.mark.parametrize("name", ["a.tmx", "a.tsv"])
def test_bitext_of_8_megabytes_is_read_in_one(name, tmp_path):
    side = "word " * 100
    unit = {
        "a.tmx": f"<tu><tuv xml:lang='en'><seg>{side}</seg></tuv>"
        f"<tuv xml:lang='de'><seg>{side}</seg></tuv></tu>\n",
        "a.tsv": f"{side}\t{side}\n",
    }[name]
    path = tmp_path / name
    with path.open("w") as stream:
        stream.write("<tmx><body>\n" if name == "a.tmx" else "")
        stream.writelines(unit for _ in range(8_000))
        stream.write("</body></tmx>\n" if name == "a.tmx" else "")
    assert path.stat().st_size > 8_000_000
    assert peak_memory(source.read_bitext([path], Faults())) < 1_000_000


def test_a_grouped_run_of_4_megabytes_is_read_in_one(tmp_path):
    path = tmp_path / "run.trec"
    with path.open("w") as stream:
        for query in range(800):
            rows = (f"q{query} Q0 document-{n} {n} {1 / (n + 1)} a-long-tag\n" for n in range(100))
            stream.writelines(rows)
    assert path.stat().st_size > 4_000_000
    assert peak_memory(source.read_run(path, Faults())) < 1_000_000


def peak_memory(records):
    """The most bytes that were held at once while ``records`` were read and thrown away."""
    next(records)  # imports are not the reader's
    tracemalloc.start()
    for _ in records:
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak
