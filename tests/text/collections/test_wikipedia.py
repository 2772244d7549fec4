"""Small dumps in the real format -> a collection, by both forms of the link table."""

import bz2
import gzip

import pytest

from dragoman.errors import ConfigError
from dragoman.text.collections import build
from dragoman.text.collections.catalogue import BuildRequest, parse_languages
from dragoman.text.files import Faults
from dragoman.text.formats.plain import read_documents, read_judgments, read_queries

CITIES = ("Lyon", "Paris", "Nice", "Lille", "Nantes", "Brest", "Toulon", "Dijon", "Metz", "Le Mans")


def pages_dump(path, articles):
    pages = "".join(
        f"<page><title>{title}</title><ns>0</ns><id>{number}</id>"
        f"<revision><id>1</id><text>{text}</text></revision></page>"
        for number, title, text in articles
    )
    head = (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="fr"><siteinfo>'
        '<namespaces><namespace key="6">Fichier</namespace></namespaces></siteinfo>'
    )
    path.write_bytes(bz2.compress(f"{head}{pages}</mediawiki>".encode()))


def table(path, name, columns, rows):
    declared = ",\n".join(f"  `{column}` int(8) NOT NULL" for column in columns)
    values = ",".join(
        "({})".format(",".join(str(v) if isinstance(v, int) else f"'{v}'" for v in row))
        for row in rows
    )
    content = f"CREATE TABLE `{name}` (\n{declared}\n);\nINSERT INTO `{name}` VALUES {values};\n"
    path.write_bytes(gzip.compress(content.encode()))


@pytest.fixture(params=["by title", "by target"])
def dumps(tmp_path, request):
    """Ten cities in English and French; Lyon and Paris link to each other, Nice only to Lyon."""
    folder = tmp_path / "dumps"
    folder.mkdir()
    english = [
        (
            10 + n,
            city,
            f"{{{{Infobox}}}}'''{city}''' is a [[city]] of trade route {n} near old mills. More.",
        )
        for n, city in enumerate(CITIES)
    ]
    french = [
        (70 + n, f"{city} (ville)", f"'''{city}''' est une ville. [[Fichier:a.jpg|b]]")
        for n, city in enumerate(CITIES)
    ]
    pages_dump(
        folder / "enwiki-20240101-pages-articles.xml.bz2", [*english, (99, "Alone", "Alone here.")]
    )
    pages_dump(folder / "frwiki-20240101-pages-articles.xml.bz2", [*french, (98, "Seul", "Seul.")])
    table(
        folder / "enwiki-20240101-langlinks.sql.gz",
        "langlinks",
        ("ll_from", "ll_lang", "ll_title"),
        [(10 + n, "fr", f"{city} (ville)") for n, city in enumerate(CITIES)]
        + [(10, "de", "Lyon"), (99, "fr", "Absent")],
    )
    links = [(70, "Paris_(ville)"), (71, "Lyon_(ville)"), (72, "Lyon_(ville)"), (70, "Seul")]
    if request.param == "by title":
        columns = ("pl_from", "pl_namespace", "pl_title", "pl_from_namespace")
        rows = [(source, 0, target, 0) for source, target in links] + [(70, 1, "Nice_(ville)", 0)]
        table(folder / "frwiki-20240101-pagelinks.sql.gz", "pagelinks", columns, rows)
    else:
        targets = {title: n for n, (_, title) in enumerate(dict.fromkeys(links), start=500)}
        table(
            folder / "frwiki-20240101-linktarget.sql.gz",
            "linktarget",
            ("lt_id", "lt_namespace", "lt_title"),
            [(n, 0, title) for title, n in targets.items()] + [(900, 1, "Nice_(ville)")],
        )
        columns = ("pl_from", "pl_from_namespace", "pl_target_id")
        rows = [(source, 0, targets[target]) for source, target in links] + [(70, 0, 900)]
        table(folder / "frwiki-20240101-pagelinks.sql.gz", "pagelinks", columns, rows)
    return folder


def build_request(dumps, languages="en,fr"):
    return BuildRequest(languages=parse_languages(languages), dumps=(dumps,), negatives=3)


def test_the_collection_of_sasaki(dumps, tmp_path, no_progress):
    target = tmp_path / "out"
    manifest = build("wikipedia", build_request(dumps), target, no_progress)
    assert manifest["aligned"] == {"en-fr": 10}
    documents = {d.doc_id: d for d in read_documents(target / "corpus.jsonl.gz", Faults())}
    assert len(documents) == 20
    assert documents["fr:Le_Mans"].title == "Le Mans (ville)"
    assert documents["fr:Le_Mans"].text == "Le Mans est une ville."
    queries = {q.query_id: q.text for q in read_queries(target / "queries.jsonl.gz", Faults())}
    assert queries["Lyon"] == "is a city of trade route 0 near old mills"
    grades = {}
    for row in read_judgments(target / "qrels.tsv.gz", Faults()):
        grades.setdefault(row.grade, set()).add((row.query_id, row.doc_id))
    assert grades[2] == {(name, f"fr:{name}") for name in queries}
    assert grades[1] == {("Lyon", "fr:Paris"), ("Paris", "fr:Lyon")}
    assert len(grades[0]) == 30
    assert not list(target.glob(".dumps*")), "the scratch file is gone"
    with gzip.open(target / "bitext" / "en-fr.tsv.gz", "rt", encoding="utf-8") as lines:
        titles = {tuple(line.rstrip("\n").split("\t")) for line in lines}
    train = {
        q.query_id
        for q in read_queries(target / "queries.jsonl.gz", Faults())
        if q.metadata["split"] == "train"
    }
    assert titles == {
        (name.replace("_", " "), f"{name.replace('_', ' ')} (ville)") for name in train
    }


def test_both_forms_of_the_link_table_and_two_runs_give_the_same_bytes(
    dumps, tmp_path, no_progress
):
    for name in ("one", "two"):
        build("wikipedia", build_request(dumps), tmp_path / name, no_progress)
    files = sorted(path.name for path in (tmp_path / "one").rglob("*.*"))
    assert files == [
        "corpus.jsonl.gz",
        "en-fr.tsv.gz",
        "manifest.json",
        "qrels.tsv.gz",
        "queries.jsonl.gz",
    ]
    for path in (tmp_path / "one").rglob("*.*"):
        assert (
            path.read_bytes()
            == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()
        )


def test_missing_dumps_are_named(dumps, tmp_path, no_progress):
    with pytest.raises(
        ConfigError, match=r"dewiki-DATE-pages-articles.xml.bz2, dewiki-DATE-pagelinks.sql.gz"
    ):
        build("wikipedia", build_request(dumps, "en,de"), tmp_path / "out", no_progress)


@pytest.mark.parametrize("dumps", ["by target"], indirect=True)
def test_links_by_number_need_their_names(dumps, tmp_path, no_progress):
    (dumps / "frwiki-20240101-linktarget.sql.gz").unlink()
    with pytest.raises(ConfigError, match=r"pl_target_id.* frwiki-DATE-linktarget.sql.gz"):
        build("wikipedia", build_request(dumps), tmp_path / "out", no_progress)
    assert not (tmp_path / "out").exists()
