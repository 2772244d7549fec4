"""How often is the language of a short query told rightly?

    python benchmarks/detection.py [QUERIES.jsonl.gz]

Each query is cut to its first words, or to its last, which are seldom question words (characters by
twos where a language has no blanks), and told among the file's languages, without a declared or a
majority language.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from dragoman.text.files import Faults, read_lines
from dragoman.text.language_detection import Detector

DEFAULT = Path(__file__).parents[2] / "shared" / "data" / "xquad-r" / "queries.jsonl.gz"
WITHOUT_BLANKS = frozenset({"ja", "km", "lo", "my", "th", "zh"})
LENGTHS = (1, 2, 3, 5, 99)


def excerpt(text: str, language: str, words: int, *, last: bool) -> str:
    """The first or last words of a text."""
    if language in WITHOUT_BLANKS:
        return text[-2 * words :] if last else text[: 2 * words]
    parts = text.split()
    return " ".join(parts[-words:] if last else parts[:words])


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("queries", type=Path, nargs="?", default=DEFAULT)
    path = parser.parse_args().queries
    rows = [json.loads(line) for _, line in read_lines(path, Faults())]
    languages = sorted({row["lang"] for row in rows})
    detector = Detector(languages)
    print(f"{path}: {len(rows):,} queries in {len(languages)} languages\n")
    print(f"{'words':>8}{'right':>8}{'certain':>9}{'right if certain':>18}  right by language")
    for last in (False, True):
        for words in LENGTHS:
            print(line(detector, rows, words, last=last), flush=True)


def line(detector: Detector, rows: list[dict[str, str]], words: int, *, last: bool) -> str:
    """One row of the table."""
    asked = Counter(row["lang"] for row in rows)
    right: Counter[str] = Counter()
    certain = right_if_certain = 0
    for row in rows:
        found = detector.detect(excerpt(row["text"], row["lang"], words, last=last))
        hit = found.language == row["lang"]
        right[row["lang"]] += hit
        certain += found.certain
        right_if_certain += hit and found.certain
    return (
        f"{'last' if last else 'first':>5}{words:>3}{right.total() / len(rows):>8.3f}"
        f"{certain / len(rows):>9.3f}{right_if_certain / certain:>18.3f}  "
        + " ".join(f"{code} {right[code] / asked[code]:.2f}" for code in sorted(asked))
    )


if __name__ == "__main__":
    main()
