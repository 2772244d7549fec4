"""A graded collection in three languages whose pages have titles, written to a folder."""

from pathlib import Path

from dragoman.text.formats.plain import write_documents, write_judgments, write_queries
from dragoman.types import Document, Query

ITEMS = 24
SPLITS = ("train", "train", "validation", "test")
WORDS = {"en": "thing", "it": "cosa", "fr": "chose"}


def write_collection(folder: Path) -> Path:
    """English queries, Italian pages; titles in English, Italian and French."""
    topics = [item % 6 for item in range(ITEMS)]
    documents = [
        Document(f"{code}:{item}", f"{word}{topic} noise{item % 4}", f"{word}{topic}", code)
        for item, topic in enumerate(topics)
        for code, word in WORDS.items()
    ]
    queries = [
        # every fourth query of a split asks what a title says
        Query(
            str(item),
            f"thing{topic}" + " noise1" * (item % 5 > 0),
            "en",
            {"split": SPLITS[item % 4]},
        )
        for item, topic in enumerate(topics)
    ]
    judgments = {
        str(item): {
            f"it:{other}": 2 if other == item else int(topics[other] == topic)
            for other in range(ITEMS)
            if topics[other] == topic or (item + other) % 3 == 0
        }
        for item, topic in enumerate(topics)
    }
    write_documents(folder / "corpus.jsonl", documents)
    write_queries(folder / "queries.jsonl", queries)
    write_judgments(folder / "qrels.tsv", judgments)
    return folder
