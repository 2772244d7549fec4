"""Index the sample collection and ask it questions in several languages; `make demo` runs this."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
INDEX = ROOT / "demo-index"
QUESTIONS = [
    "why does bread rise",
    "wie schützt man Bienen",
    "почему меняются приливы",
    "jinsi ya kuzuia malaria",
    "πώς λειτουργεί το εμβόλιο",
]


def dragoman(*arguments: str) -> None:
    print(f"\n$ dragoman {' '.join(a if ' ' not in a else repr(a) for a in arguments)}", flush=True)
    subprocess.run([sys.executable, "-m", "dragoman", *arguments], cwd=ROOT, check=True)


def main() -> None:
    dragoman("index", "sample/corpus.jsonl", "-o", INDEX.name)
    for question in QUESTIONS:
        dragoman("search", INDEX.name, question, "-k", "4")
    dragoman("run", INDEX.name, "--queries", "sample/queries.jsonl", "-o", "demo-index.trec")
    dragoman("evaluate", "demo-index.trec", "--qrels", "sample/qrels.tsv")


if __name__ == "__main__":
    main()
