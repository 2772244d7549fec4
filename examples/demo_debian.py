"""Make Debian's package descriptions searchable in every language; `make demo-debian` runs this.

What was done already is not done again: interrupt it and run it once more, and it goes on.
"""

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from dragoman.systems.dense.collected import document_passages

import dragoman
from dragoman.encoders.models import UNIVERSAL
from dragoman.encoders.passages import PassageConfig
from dragoman.encoders.sentence import load_encoder
from dragoman.protocols import silent
from dragoman.text.collections import apt
from dragoman.text.collections.debian_packages import read_descriptions
from dragoman.text.collections.lists import scan
from dragoman.types import Document

ROOT = Path(__file__).parent.parent
FOLDER = Path("demo-debian")
CORPUS, INDEX = FOLDER / "descriptions.jsonl", FOLDER / "index"
SAMPLE = 200  # descriptions that are encoded to tell how long all of them will take
QUESTIONS = {
    "de": "Fotos bearbeiten und entwickeln",
    "fr": "lecteur de musique en ligne de commande",
    "es": "jugar al ajedrez contra el ordenador",
    "ru": "чтение электронных книг",
    "ja": "楽譜を作成するソフト",
    "ar": "تحرير مقاطع الفيديو",
    "fi": "tietokannan varmuuskopiointi",
    "sw": "kujifunza kuandika kwa kibodi",
}


def command(*arguments: str | Path, check: bool = True) -> None:
    words = [str(argument) for argument in arguments]
    print(f"\n$ dragoman {shlex.join(words)}", flush=True)
    subprocess.run([sys.executable, "-m", "dragoman", *words], cwd=ROOT, check=check)


def descriptions() -> Iterator[dict[str, str]]:
    """Every English description once, named by its first package."""
    with apt.private_state(None) as state:
        apt.update(state, ("en",))
        found = read_descriptions(scan(state.lists), {"en": "en"}, lambda *_: silent)
    seen: set[str] = set()
    for description in found.values():
        package, page = min(description.packages), description.pages["en"]
        if package not in seen:  # others differ by architecture alone
            seen.add(package)
            yield {"_id": package, "title": page.title, "text": page.text, "lang": "en"}


def written() -> list[str]:
    """The descriptions as lines, kept in a file."""
    path = ROOT / CORPUS
    if not path.is_file():
        print("\nasking apt for the list of descriptions ...", flush=True)
        lines = [json.dumps(each, ensure_ascii=False) for each in descriptions()]
        staged = path.with_suffix(".part")
        staged.write_text("\n".join(lines) + "\n", encoding="utf-8")
        staged.replace(path)
    return path.read_text(encoding="utf-8").splitlines()


def minutes(lines: list[str]) -> float:
    """How long the encoder will take for all of them, from a sample."""
    chosen = [json.loads(line) for line in lines[:: max(1, len(lines) // SAMPLE)]]
    documents = [Document(d["_id"], d["text"], d["title"], "en") for d in chosen]
    passages = [p.body for d in documents for p in document_passages(d, PassageConfig())]
    encoder = load_encoder("default")
    encoder.encode(passages[:10])
    started = time.perf_counter()
    encoder.encode(passages)
    return (time.perf_counter() - started) * len(lines) / len(documents) / 60


def main() -> None:
    (ROOT / FOLDER).mkdir(exist_ok=True)
    command("models", "get", "default", check=False)  # without it, words alone rank
    if not (ROOT / INDEX / "manifest.json").is_file():
        lines = written()
        said = f"{len(lines):,} package descriptions"
        if UNIVERSAL.installed:
            said += f"; their sentence vectors take about {minutes(lines):.0f} minutes here, once"
        print(f"\n{said}. Interrupt it when you like: `make demo-debian` goes on.", flush=True)
        command("index", CORPUS, "-o", INDEX)
    for language, question in QUESTIONS.items():
        command("search", INDEX, question, "-k", "3", "--query-language", language)
    with dragoman.open(ROOT / INDEX) as index:
        print(f"\n{index.count():,} descriptions in {INDEX}; ask your own:")
    print(f'$ dragoman search {INDEX} "your question"')


if __name__ == "__main__":
    main()
