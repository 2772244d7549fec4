"""Rebuild the students that come with the package, byte for byte where the inputs are the same.

    python tools/build_students.py ../shared/data -o src/dragoman/encoders/data [LANGUAGE...]

Needs the default encoder (dragoman models get default). A student learns from what the table of its
language is learnt from (``build_lexicons``, where the inputs are described; NOTICE has the sources
and their licences). Some 20 minutes on two cores, nearly all of it the encoder's reading of the
English side.
"""

import argparse
import sys
from pathlib import Path

from build_lexicons import WORK, Inputs
from word_lists import WordLists

from dragoman.encoders.learning import StudentConfig, learn_student
from dragoman.encoders.sentence_encoder import load_encoder
from dragoman.encoders.subwords import SubwordConfig

LANGUAGES = ("bg", "cs", "el", "fi", "ha", "hi", "id", "so", "sw", "tl", "uk", "vi")
# at most 3.2 MB each (docs/encoders.md has what larger ones would gain)
CONFIG = StudentConfig(vocabulary=SubwordConfig(rows=40_000), bits=2)


def build(language: str, data: Path, output: Path) -> str:
    """One line on the student of ``language``, which is written into ``output``."""
    inputs = Inputs(language, data, WORK / "collections", WordLists(WORK / "word-lists"))
    inputs.files()  # fetches what is missing
    pairs, entries = inputs.pairs(), inputs.entries()
    learnt = learn_student(pairs, entries, language, load_encoder("default"), CONFIG)
    learnt.student.save(output / language)
    found = learnt.accuracy
    return (
        f"{language}: of {found.among:,} held-out, to English {found.to_known:.3f},"
        f" from English {found.from_known:.3f}, {len(learnt.student.vocabulary):,} rows"
    )


def main() -> None:
    """Build the languages named on the command line, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("languages", nargs="*", default=LANGUAGES)
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_intermixed_args()  # languages may come after the options
    for language in asked.languages:
        sys.stdout.write(build(language, asked.data, asked.output) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
