"""A folder of two small collections in English and Swahili, one of them named as AfriQA's."""

from pathlib import Path

from dragoman.text.formats.plain import write_documents, write_judgments, write_queries
from dragoman.types import Document, Query

TEXTS = {"en": ("house", "water"), "sw": ("nyumba", "maji")}


def write_data(folder: Path) -> Path:
    """Write ``afriqa-sw`` (Swahili queries) and ``packages`` (English ones) into ``folder``."""
    for name, query_language, language in [("afriqa-sw", "sw", "en"), ("packages", "en", "sw")]:
        collection = folder / name
        collection.mkdir(parents=True)
        documents = [
            Document(f"{code}:{n}", texts[n], language=code)
            for code, texts in TEXTS.items()
            for n in (0, 1)
        ]
        query = Query("q", TEXTS[query_language][0], query_language)
        write_documents(collection / "corpus.jsonl.gz", documents)
        write_queries(collection / "queries.jsonl.gz", [query])
        write_judgments(collection / "qrels.tsv.gz", {"q": {f"{language}:0": 1}})
    return folder
