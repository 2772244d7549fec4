"""Index the sample collection and search it in several languages; `make demo` runs this."""

import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
INDEX, RUN = "demo-index", "demo-index.trec"
QUERIES = [
    "why does bread rise",
    "wie schützt man sich vor Malaria",
    "почему бывают приливы",
    "kupika bila kuni wala mkaa",
    "γιατί εκρήγνυνται τα ηφαίστεια",
]


def dragoman(*arguments: str, check: bool = True) -> None:
    print(f"\n$ dragoman {shlex.join(arguments)}", flush=True)
    subprocess.run([sys.executable, "-m", "dragoman", *arguments], cwd=ROOT, check=check)


def main() -> None:
    dragoman("models", "get", "default", check=False)  # without it, words alone rank
    dragoman("index", "sample", "-o", INDEX)
    for query in QUERIES:
        dragoman("search", INDEX, query, "-k", "3")
    dragoman("explain", INDEX, QUERIES[0], "bread-ru", "--query-language", "en")
    dragoman("run", INDEX, "--queries", "sample/queries.jsonl", "-o", RUN)
    dragoman("evaluate", RUN, "--qrels", "sample/qrels.tsv", "--measures", "nDCG@10 RR(rel=2)")
    print("\nThe same in a browser: make serve")


if __name__ == "__main__":
    main()
