"""How many words per second does the analyser cut, against spaCy's blank tokenizer?

    python benchmarks/words.py [BITEXT_FOLDER] [--words 500000]

Reads the two sides of ``en-XX.tsv.gz`` files. One thread, processor time, the best of three passes;
the ratios hold where the speeds do not. A word is a stretch between blanks, for both; where a
language has no blanks, characters are counted instead.
"""

import argparse
import gc
import json
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
from itertools import islice
from pathlib import Path

import spacy

from dragoman.text.files import Faults, read_lines
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig

DEFAULT = Path(__file__).parents[2] / "shared" / "data" / "bitext"
LANGUAGES = ("en", "de", "fr", "fi", "tr", "ru", "el", "ar", "hi", "zh")
REPETITIONS = 3


def lines_of(folder: Path, language: str) -> Iterable[str]:
    """The sentences of a language; Chinese ones are questions of XQuAD-R, which lies beside."""
    if language == "zh":
        path = folder.parent / "xquad-r" / "queries.jsonl.gz"
        rows = (json.loads(line) for _, line in read_lines(path, Faults()))
        return (row["text"] for row in rows if row["lang"] == "zh")
    other = "de" if language == "en" else language
    path = folder / f"en-{other}.tsv.gz"
    column = 0 if language == "en" else 1
    return (line.split("\t")[column] for _, line in read_lines(path, Faults()))


def sample(folder: Path, language: str, words: int) -> list[str]:
    """The first sentences that hold ``words`` words together, in paragraphs of ten."""
    lines: list[str] = []
    held = 0
    for line in lines_of(folder, language):
        lines.append(line)
        held += units([line], language)
        if held >= words:
            break
    rows = iter(lines)
    return ["\n".join(ten) for ten in iter(lambda: list(islice(rows, 10)), [])]


def units(texts: Iterable[str], language: str) -> int:
    """Words, or characters where the language has no blanks."""
    return sum(len(text) if language == "zh" else len(text.split()) for text in texts)


def seconds(work: Callable[[], object]) -> float:
    """The best of a few runs."""
    best = float("inf")
    for _ in range(REPETITIONS):
        gc.collect()
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def speeds(texts: list[str], language: str) -> list[float]:
    """Units per second: first text ever seen, plain words, stop words and stems, spaCy."""
    amount = units(texts, language)
    plain = Analyzer(AnalyzerConfig(stop=False, stem=False))
    whole = Analyzer()
    blank = spacy.blank(language)
    started = time.process_time()
    for text in texts:
        whole(text, language)
    cold = time.process_time() - started
    return [
        amount / cold,
        amount / seconds(lambda: [plain(text, language) for text in texts]),
        amount / seconds(lambda: [whole(text, language) for text in texts]),
        amount / seconds(lambda: [blank.tokenizer(text) for text in texts]),
    ]


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=DEFAULT)
    parser.add_argument("--words", type=int, default=500_000)
    asked = parser.parse_args()
    print(f"{asked.folder}, up to {asked.words:,} words a language; spaCy {version('spacy')} blank")
    print("thousand words per second (zh: characters); cold: the first pass over the text\n")
    print(f"{'':4}{'words':>9}{'cold':>9}{'plain':>9}{'all':>9}{'spaCy':>9}{'all/spaCy':>11}")
    for language in LANGUAGES:
        texts = sample(asked.folder, language, asked.words)
        cold, plain, whole, theirs = speeds(texts, language)
        cells = "".join(f"{speed / 1000:>9,.0f}" for speed in (cold, plain, whole, theirs))
        print(f"{language:4}{units(texts, language):>9,}{cells}{whole / theirs:>11.1f}", flush=True)


if __name__ == "__main__":
    main()
