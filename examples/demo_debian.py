"""Make Debian's package descriptions searchable in every language; `make demo-debian` runs this.

Interrupt it and run it once more, and it continues where it stopped.
"""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dragoman
from dragoman.protocols import no_progress
from dragoman.text.collections import apt
from dragoman.text.collections.apt_lists import scan_lists
from dragoman.text.collections.debian_packages import read_descriptions

ROOT = Path(__file__).parent.parent
FOLDER = Path("demo-debian")
CORPUS, INDEX = FOLDER / "descriptions.jsonl", FOLDER / "index"
QUERIES = {
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
        by_md5 = read_descriptions(scan_lists(state.lists), {"en": "en"}, lambda *_: no_progress)
    seen: set[str] = set()
    for description in by_md5.values():
        package, page = min(description.packages), description.pages["en"]
        if package not in seen:  # others differ by architecture alone
            seen.add(package)
            yield {"_id": package, "title": page.title, "text": page.text, "lang": "en"}


def write_corpus() -> int:
    """Write the descriptions to ``CORPUS``, unless they are there; how many there are."""
    path = ROOT / CORPUS
    if not path.is_file():
        print("\nfetching the list of descriptions by apt ...", flush=True)
        lines = [json.dumps(each, ensure_ascii=False) for each in descriptions()]
        staged = path.with_suffix(".part")
        staged.write_text("\n".join(lines) + "\n", encoding="utf-8")
        staged.replace(path)
    return len(path.read_text(encoding="utf-8").splitlines())


def main() -> None:
    (ROOT / FOLDER).mkdir(exist_ok=True)
    command("models", "get", "default", check=False)  # without it, words alone rank
    if not (ROOT / INDEX / "manifest.json").is_file():
        print(f"\n{write_corpus():,} package descriptions; `make demo-debian` resumes.", flush=True)
        command("index", CORPUS, "-o", INDEX)
    for language, query in QUERIES.items():
        command("search", INDEX, query, "-k", "3", "--query-language", language)
    with dragoman.open(ROOT / INDEX) as index:
        print(f"\n{index.count():,} descriptions in {INDEX}; try a query of your own:")
    print(f'$ dragoman search {INDEX} "your query"')


if __name__ == "__main__":
    main()
