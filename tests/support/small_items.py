"""Items in English and three other languages, written to a folder as collections are built."""

import json
from pathlib import Path

from dragoman.text.formats.plain import write_documents, write_judgments, write_queries
from dragoman.types import Document, Query

ITEMS, TOPICS = 80, 2
SPLITS = ("train", "train", "train", "validation", "test")
LANGUAGES = ("de", "fr", "es")  # with pages of all items, of all but some, of still fewer
MISSING = {"fr": 10, "es": 4}  # every so many-th item has no page


def words_of(language: str, item: int) -> list[str]:
    """What a page is made of: three words of the item, one of its topic."""
    topic = item // len(SPLITS) % TOPICS
    return [f"{language}{letter}{item}" for letter in "abc"] + [f"{language}t{topic}"]


def vocabulary() -> list[str]:
    """Every word of every page."""
    codes = ("en", *LANGUAGES)
    found = {word for code in codes for item in range(ITEMS) for word in words_of(code, item)}
    more = {f"{code}{kind}{item}" for code in codes for item in range(ITEMS)
            for kind in ("title", "more", "last")}  # fmt: skip
    return sorted(found | more)


def page(language: str, item: int) -> Document:
    """A title with the topic in it, and two sentences."""
    first = " ".join(words_of(language, item))
    text = f"{first}. Then {language}more{item} {language}last{item} follow."
    title = f"{language}title{item} {words_of(language, item)[-1]}"
    return Document(f"{language}:item{item}", text, title, language)


def has_page(language: str, item: int) -> bool:
    """Whether an item has a page in a language."""
    return language not in MISSING or item % MISSING[language] != 0


def write_items(folder: Path) -> Path:
    """The collection; an item is related to those of its split that stand 25 before and behind."""
    folder.mkdir(parents=True, exist_ok=True)
    documents = [page(code, item) for item in range(ITEMS) for code in ("en", *LANGUAGES)
                 if code == "en" or has_page(code, item)]  # fmt: skip
    queries = [
        Query(f"item{item}", " ".join(words_of("en", item)), "en", {"split": SPLITS[item % 5]})
        for item in range(ITEMS)
    ]
    step = 5 * len(SPLITS)
    judgments = {}
    for item in range(ITEMS):
        related = [other for other in (item - step, item + step) if 0 <= other < ITEMS]
        judgments[f"item{item}"] = {f"de:item{item}": 2, **{f"de:item{o}": 1 for o in related}}
    write_documents(folder / "corpus.jsonl", documents)
    write_queries(folder / "queries.jsonl", queries)
    write_judgments(folder / "qrels.tsv", judgments)
    bitext = folder / "bitext"
    bitext.mkdir(exist_ok=True)
    learnt = [item for item in range(ITEMS) if SPLITS[item % len(SPLITS)] == "train"]
    lines = [f"{page('en', item).text}\t{page('de', item).text}\n" for item in learnt]
    (bitext / "en-de.tsv").write_text("".join(lines), encoding="utf-8")
    facts = {"format": 1, "collection": "toy-items"}
    (folder / "manifest.json").write_text(json.dumps(facts), encoding="utf-8")
    return folder
