"""A graded collection in two languages, written to a folder: what neural systems train on."""

from pathlib import Path

from dragoman.text.formats.plain import write_documents, write_judgments, write_queries
from dragoman.types import Document, Query

TOPICS, COPIES = 5, 12
SPLITS = ("train", "train", "validation", "test")


def write_collection(folder: Path) -> Path:
    """English queries about five topics; each has an Italian page and related ones."""
    names = [(topic, copy) for copy in range(COPIES) for topic in range(TOPICS)]
    documents = [
        Document(f"it-{topic}-{copy}", f"cosa{topic} tema{topic} pagina{copy}", language="it")
        for topic, copy in names
    ]
    queries = [
        Query(f"q-{topic}-{copy}", f"thing{topic} page{copy}", "en", {"split": SPLITS[copy % 4]})
        for topic, copy in names
    ]
    judgments = {
        f"q-{topic}-{copy}": {
            f"it-{other}-{page}": 2 if (other, page) == (topic, copy) else int(other == topic)
            for other, page in names
            if other == topic or (page + copy + other) % 4 == 0
        }
        for topic, copy in names
    }
    write_documents(folder / "corpus.jsonl", documents)
    write_queries(folder / "queries.jsonl", queries)
    write_judgments(folder / "qrels.tsv", judgments)
    return folder
