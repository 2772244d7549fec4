"""Rebuild the surface forms that the package ships, byte for byte where the inputs are the same.

    python tools/build_forms.py             write them into the package's data folder
    python tools/build_forms.py --check     rebuild, compare with what is shipped, write nothing

Forms are counted in the bitext, the dictionaries and the word lists that the shipped tables were
learnt from (``build_lexicons.py``): not in its Debian collections, which change from week to week,
nor in labels, which begin every word with a capital. Words are analysed as the lexical systems do
it, except that compounds stay whole.
"""

import argparse
import sys
from pathlib import Path

from build_lexicons import LANGUAGES, ROOT, WORK
from word_lists import WordLists

from dragoman.lexicons.analysis import DEFAULT_ANALYSIS
from dragoman.lexicons.shipped_lexicons import PIVOT
from dragoman.lexicons.surface_forms import FILE, most_frequent_forms, pack_forms
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext, read_dictionary
from dragoman.tokens.analyzer import Analyzer

BITEXT = ("bitext", "bitext-more")


def build(data: Path, word_lists: WordLists) -> bytes:
    """The forms of every shipped language and of the pivot, packed."""
    analyzer = Analyzer(DEFAULT_ANALYSIS)
    found = {}
    # an English text that stands in several languages' inputs counts once
    pivot_sentences: dict[str, None] = {}
    pivot_entries: dict[str, None] = {}
    for language in LANGUAGES:
        word_lists.archives(language)
        name = f"{PIVOT}-{language}.tsv.gz"
        dictionary = data / "dictionaries" / name
        bitext = [path for kind in BITEXT if (path := data / kind / name).exists()]
        pairs = list(read_bitext(bitext, Faults())) if bitext else []
        entries = list(read_dictionary(dictionary, Faults())) if dictionary.exists() else []
        entries += word_lists.words(language)
        found[language] = most_frequent_forms(
            [pair.target for pair in pairs], [e.target for e in entries], language, analyzer
        )
        print(f"{language}: {len(found[language]):,} stems", flush=True)
        pivot_sentences.update(dict.fromkeys(pair.source for pair in pairs))
        pivot_entries.update(dict.fromkeys(entry.source for entry in entries))
    found[PIVOT] = most_frequent_forms(pivot_sentences, pivot_entries, PIVOT, analyzer)
    print(f"{PIVOT}: {len(found[PIVOT]):,} stems", flush=True)
    return pack_forms(found)


def main() -> int:
    """0 where the forms were written, or are those that are shipped."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--word-lists", type=Path, default=WORK / "word-lists")
    parser.add_argument("--output", type=Path, default=FILE)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    packed = build(options.data, WordLists(options.word_lists))
    print(f"{len(packed):,} bytes")
    if options.check:
        same = options.output.exists() and options.output.read_bytes() == packed
        print("equal to what is shipped" if same else "differs from what is shipped")
        return 0 if same else 1
    options.output.write_bytes(packed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
