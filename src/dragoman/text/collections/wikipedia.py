"""Wikipedia's dumps -> a collection built as that of Sasaki et al. (NAACL 2018).

In: for English ``pages-articles`` and ``langlinks``; for each other language ``pages-articles`` and
``pagelinks`` (with ``linktarget`` where the dump is new enough to have it). Out: queries from the
first sentence of English articles. Grade 2 has the article at the other end of a language link,
grade 1 the articles that link to it and that it links to.

Dumps are streamed once. Texts and links are in an SQLite file next to the output; titles, queries
and related names of the articles in two languages are in memory.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dragoman.errors import ConfigError
from dragoman.protocols import Advance, Stage
from dragoman.storage.digests import file_sha256
from dragoman.text.collections import sql_dump
from dragoman.text.collections.bitext import held_out_lines, without_leaks
from dragoman.text.collections.catalogue import PIVOT, BuildRequest, NamedCollection
from dragoman.text.collections.items import Item, Page, document_id
from dragoman.text.collections.output import (
    CollectionPlan,
    plan_collection,
    write_bitext,
    write_judgments,
    write_texts,
)
from dragoman.text.collections.sentences import first_sentence, without_title_words
from dragoman.text.collections.splits import Split
from dragoman.text.collections.wikitext import clean, lead
from dragoman.text.collections.xml_dump import Article, WikiFiles, articles, sort_files
from dragoman.types import Document, SentencePair

# A temporary file: it need not survive a crash.
SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE langlinks (item INTEGER, language TEXT, title TEXT, PRIMARY KEY (language, title))
    WITHOUT ROWID;
CREATE TABLE pages (item INTEGER, language TEXT, page INTEGER, title TEXT, text TEXT,
    PRIMARY KEY (item, language)) WITHOUT ROWID;
CREATE TABLE links (language TEXT, source INTEGER, target INTEGER,
    PRIMARY KEY (language, source, target)) WITHOUT ROWID;
"""
BATCH = 10_000


def build(request: BuildRequest, folder: Path, stage: Stage) -> Mapping[str, Any]:
    """Fill ``folder`` and return facts for its manifest."""
    files = _check(sort_files(request.dumps), request)
    with (
        TemporaryDirectory(prefix=".dumps-", dir=folder) as work,
        closing(sqlite3.connect(Path(work) / "dumps.sqlite")) as store,
    ):
        store.executescript(SCHEMA)
        read_dumps(store, files, request, stage)
        collection = plan_collection(items(store, request), request)
        total = sum(len(item.languages) for item in collection.items.values())
        counts = write_texts(folder, documents(store, collection), stage, total)
        counts |= write_judgments(folder, collection, request, stage)
        for code in request.others:
            pairs = title_pairs(list(_titles(store, code)), collection)
            advance = stage(f"bitext {PIVOT}-{code}", None)
            counts["bitext"][f"{PIVOT}-{code}"] = write_bitext(folder, code, pairs, advance)
    return {**counts, "sources": [_source(path) for path in _all_files(files, request)]}


def _check(files: Mapping[str, WikiFiles], request: BuildRequest) -> Mapping[str, WikiFiles]:
    needed = [(PIVOT, "pages"), (PIVOT, "langlinks")]
    needed += [(code, table) for code in request.others for table in ("pages", "pagelinks")]
    names = {"pages": "pages-articles.xml.bz2"}
    missing = [
        f"{code}wiki-DATE-{names.get(table, f'{table}.sql.gz')}"
        for code, table in needed
        if not getattr(files.get(code, WikiFiles()), table)
    ]
    if missing:
        raise ConfigError(
            f"Found {len(request.dumps)} dump files; expected also {', '.join(missing)}."
            " Name each with --pages-source, or the folder that holds them."
        )
    return files


def _all_files(files: Mapping[str, WikiFiles], request: BuildRequest) -> Iterator[Path]:
    for code in request.languages:
        own = files[code]
        tables = (own.pages, own.langlinks) if code == PIVOT else (own.pages, own.pagelinks)
        for table in (*tables, own.linktarget if code != PIVOT else []):
            yield from table


def _source(path: Path) -> dict[str, str]:
    return {"file": path.name, "sha256": file_sha256(path)}


def read_dumps(
    store: sqlite3.Connection, files: Mapping[str, WikiFiles], request: BuildRequest, stage: Stage
) -> None:
    """Store language links, then the articles they connect, then the links between those."""
    advance = stage("language links", None)
    for path in files[PIVOT].langlinks:
        _insert(store, "langlinks", _language_links(path, request, advance))
    for code in (*request.others, PIVOT):
        advance = stage(f"articles in {code}", None)
        known = _expected(store, code)
        for path in files[code].pages:
            _insert(store, "pages", _pages(path, code, known, advance))
    for code in request.others:
        advance = stage(f"links in {code}", None)
        _insert(store, "links", _links(store, files[code], code, advance))


def _insert(store: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    batch: list[tuple[Any, ...]] = []
    with store:
        for row in rows:
            batch.append(row)
            if len(batch) >= BATCH:
                _insert_batch(store, table, batch)
                batch.clear()
        _insert_batch(store, table, batch)


def _insert_batch(store: sqlite3.Connection, table: str, batch: list[tuple[Any, ...]]) -> None:
    if batch:
        placeholders = ",".join("?" * len(batch[0]))
        # the table's name is one of the three above
        store.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({placeholders})", batch)  # noqa: S608


def _language_links(
    path: Path, request: BuildRequest, advance: Advance
) -> Iterator[tuple[int, str, str]]:
    wanted = {name: code for code in request.others for name in (code, request.languages[code])}
    for page, wiki, title in sql_dump.rows(path, ("ll_from", "ll_lang", "ll_title")):
        advance()
        if wiki in wanted and title:
            yield int(page), wanted[wiki], title


def _expected(store: sqlite3.Connection, code: str) -> Mapping[str, int]:
    """Title -> item of the wanted articles; for English, page number -> item."""
    if code == PIVOT:
        rows = store.execute("SELECT DISTINCT item, item FROM pages ORDER BY item")
    else:
        rows = store.execute("SELECT title, item FROM langlinks WHERE language = ?", (code,))
    return {str(key): item for key, item in rows}


def _pages(
    path: Path, code: str, known: Mapping[str, int], advance: Advance
) -> Iterator[tuple[int, str, int, str, str]]:
    for article in articles(path):
        advance()
        key = str(article.page_id) if code == PIVOT else article.title
        if key in known and (text := "\n".join(_text(article))):
            yield known[key], code, article.page_id, article.title, text


def _text(article: Article) -> tuple[str, ...]:
    return lead(clean(article.markup, article.media))


def _links(
    store: sqlite3.Connection, files: WikiFiles, code: str, advance: Advance
) -> Iterator[tuple[str, int, int]]:
    """The links between stored articles, for both versions of the dump's table."""
    rows = store.execute("SELECT page, title, item FROM pages WHERE language = ?", (code,))
    of_page: dict[str, int] = {}
    of_title: dict[str, int] = {}
    for page, title, item in rows:
        of_page[str(page)] = item
        of_title[title.replace(" ", "_")] = item
    targets = {
        target: of_title[title]
        for path in files.linktarget
        for target, space, title in sql_dump.rows(path, ("lt_id", "lt_namespace", "lt_title"))
        if space == "0" and title in of_title
    }
    for path in files.pagelinks:
        if "pl_title" in sql_dump.columns(path):
            wanted, known = ("pl_from", "pl_namespace", "pl_title"), of_title
        elif files.linktarget:  # the namespace is the target's, and was checked there
            wanted, known = ("pl_from", "pl_from_namespace", "pl_target_id"), targets
        else:
            raise ConfigError(
                f"{path}: found links by number (pl_target_id); expected also"
                f" {code}wiki-DATE-linktarget.sql.gz, which names them."
            )
        for page, space, target in sql_dump.rows(path, wanted):
            advance()
            if space == "0" and page in of_page and target in known:
                yield code, of_page[page], known[target]


def items(store: sqlite3.Connection, request: BuildRequest) -> Iterator[Item]:
    """The articles that exist in English and another language."""
    names = {
        item: title.replace(" ", "_")
        for item, title in store.execute(
            "SELECT item, title FROM pages WHERE language = ?", (PIVOT,)
        )
    }
    related: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    mutual = store.execute(
        "SELECT a.language, a.source, a.target FROM links a JOIN links b"
        " ON a.language = b.language AND a.source = b.target AND a.target = b.source"
        " WHERE a.source <> a.target"
    )
    for language, source, target in mutual:
        if target in names:
            related[source][language].append(names[target])
    languages: dict[int, list[str]] = defaultdict(list)
    for item, language in store.execute("SELECT item, language FROM pages"):
        languages[item].append(language)
    english = store.execute(
        "SELECT item, title, text FROM pages WHERE language = ? ORDER BY item", (PIVOT,)
    )
    for item, title, text in english:
        sentence = first_sentence(text.split("\n"))
        yield Item(
            name=names[item],
            group=names[item],
            languages=tuple(code for code in request.languages if code in languages[item]),
            sentence=sentence,
            query=without_title_words(sentence, title),
            related={code: tuple(sorted(titles)) for code, titles in related[item].items()},
        )


def documents(store: sqlite3.Connection, collection: CollectionPlan) -> Iterator[Document]:
    """The articles of the collection, by item and language."""
    rows = store.execute(
        "SELECT english.title, pages.language, pages.title, pages.text FROM pages"
        " JOIN pages english ON english.item = pages.item AND english.language = ?"
        " ORDER BY pages.item, pages.language",
        (PIVOT,),
    )
    for english, language, title, text in rows:
        name = english.replace(" ", "_")
        if name in collection.items:
            yield Document(document_id(language, name), text, title, language)


def _titles(store: sqlite3.Connection, code: str) -> Iterator[tuple[str, SentencePair]]:
    rows = store.execute(
        "SELECT english.title, other.title FROM pages english JOIN pages other"
        " ON english.item = other.item WHERE english.language = ? AND other.language = ?"
        " ORDER BY english.title",
        (PIVOT, code),
    )
    for english, other in rows:
        yield english.replace(" ", "_"), SentencePair(english, other)


def title_pairs(
    titles: list[tuple[str, SentencePair]], collection: CollectionPlan
) -> Iterator[SentencePair]:
    """The titles of training articles: articles on one subject are no translations."""
    held_out = held_out_lines(
        Page(text, ())
        for name, pair in titles
        if collection.splits[name] != Split.TRAIN
        for text in (pair.source, pair.target)
    )
    training = (pair for name, pair in titles if collection.splits[name] is Split.TRAIN)
    return without_leaks(training, held_out)


COLLECTION = NamedCollection(
    name="wikipedia",
    what="the openings of Wikipedia's articles, joined by language links",
    languages="en with any language that has a Wikipedia",
    size="as large as the dumps: about one item for each article in two languages",
    needs="dump files that you name with --pages-source",
    licence="CC BY-SA 4.0",
    sources=frozenset({"--pages-source"}),
    build=build,
)
