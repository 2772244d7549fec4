"""Small data for every experiment at once: a data folder, and a collection in four languages."""

import gzip
import json
from pathlib import Path

import numpy as np

from dragoman.experiments.tasks import XQUAD_LANGUAGES
from dragoman.text.formats.plain import write_documents, write_judgments, write_queries
from dragoman.types import Document, Query
from toy_bitext import sentences

ITEMS = 60
SPLITS = ("train", "train", "train", "validation", "test")
ENDINGS = {"en": "", "fr": "eau", "de": "ung", "es": "ado"}
SYLLABLES = [f"{first}{vowel}" for first in "bdfgklmnprst" for vowel in "aeiou"]


def word(number: int, language: str) -> str:
    """A made-up word of letters alone, and its translations."""
    stem = SYLLABLES[number % 60] + SYLLABLES[number // 60 % 60] + SYLLABLES[number * 7 % 60]
    return stem + ENDINGS[language]


# of the toy encoder, whose space has eight axes
WORDS = {"house": 0, "nyumba": 0, "water": 1, "maji": 1} | {
    word(3 * item, code): 2 + item % 6 for item in range(ITEMS) for code in ENDINGS
}


def page(item: int, language: str) -> Document:
    """Eight words, three of which are the item's own."""
    rng = np.random.default_rng(item)
    common = rng.integers(300, 330, 5).tolist()
    numbers = [3 * item, 3 * item + 1, 3 * item + 2, *common]
    text = " ".join(word(number, language) for number in numbers)
    title = f"{word(3 * item, language)} {word(common[0], language)}"
    return Document(f"{language}:item{item}", f"{text}.", title, language)


def write_items(folder: Path) -> Path:
    """The collection, as ``dragoman collection get`` writes it."""
    (folder / "bitext").mkdir(parents=True)
    write_documents(
        folder / "corpus.jsonl", [page(item, code) for item in range(ITEMS) for code in ENDINGS]
    )
    write_queries(
        folder / "queries.jsonl",
        [
            Query(f"item{n}", page(n, "en").title, "en", {"split": SPLITS[n % len(SPLITS)]})
            for n in range(ITEMS)
        ],
    )
    judged = {
        f"item{n}": {
            f"fr:item{other}": 2 if other == n else int(other == (n + 5) % ITEMS)
            for other in range(n % 5, ITEMS, 5)
        }
        for n in range(ITEMS)
    }
    write_judgments(folder / "qrels.tsv", judged)
    learnt = [n for n in range(ITEMS) if SPLITS[n % len(SPLITS)] == "train"]
    for code in ("fr", "de", "es"):
        with gzip.open(folder / "bitext" / f"en-{code}.tsv.gz", "wt", encoding="utf-8") as stream:
            stream.writelines(f"{page(n, 'en').text}\t{page(n, code).text}\n" for n in learnt)
    facts = {"format": 1, "collection": "made-up-items"}
    (folder / "manifest.json").write_text(json.dumps(facts), encoding="utf-8")
    return folder


def write_data(folder: Path) -> Path:
    """XQuAD-R's paragraphs and sentences, AfriQA in Swahili, bitext of English and Swahili."""
    codes = ["en", *XQUAD_LANGUAGES]
    for name in ("paragraphs", "sentences"):
        place = folder / "xquad-r" / name
        place.mkdir(parents=True)
        documents = [
            Document(f"{code}-{number}-0", text, language=code)
            for code in codes
            for number, text in enumerate(("the house", "water"))
        ]
        write_documents(place / "corpus.jsonl.gz", documents)
        own = {
            f"{code}-q{number}": {f"{other}-{number}-0": 2 for other in codes}
            for code in codes
            for number in (0, 1)
        }
        write_judgments(place / "qrels.tsv.gz", own)
    queries = [
        Query(f"{code}-q{number}", text, code)
        for code in codes
        for number, text in enumerate(("house", "water"))
    ]
    write_queries(folder / "xquad-r" / "queries.jsonl.gz", queries)
    (folder / "bitext").mkdir()
    with gzip.open(folder / "bitext" / "en-sw.tsv.gz", "wt", encoding="utf-8") as stream:
        for number, (english, swahili) in enumerate(sentences(240)):
            rare = f" rare{'abcdefgh'[number % 8]}" if number % 5 == 0 else ""
            stream.write(f"{english}{rare}\t{swahili}{rare.upper()}\tsource{number // 120}\n")
    return folder
