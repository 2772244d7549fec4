"""How fast is the nearest dictionary word found? The index of deletions beside rapidfuzz.

python benchmarks/oov.py ../shared/data [--words 400000] [--lookups 1000000] [--compared 300]

Dictionary: the words of the bitext and dictionaries in the folder, of all languages. Look-ups:
such words with one to three random edits, of which about half have a near word. rapidfuzz compares
a look-up with every word (``process.cdist``, one thread, cut off above the distance); it gets
the first ``--compared`` look-ups, and both must name the same distances.
"""

import argparse
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from dragoman.embeddings.deletion_index import DeletionIndex
from dragoman.embeddings.normalization import StopWordList, WordTokenizer, WordTokenizerConfig
from dragoman.lexicons.vocabulary import ABSENT
from dragoman.text.files import Faults, read_lines
from dragoman.types import IntArray

CHUNK = 10_000


def words_in(folder: Path, most: int) -> list[str]:
    """Different words of the data, as many as asked for or as there are."""
    found: dict[str, None] = {}
    prepare = WordTokenizer(WordTokenizerConfig(stop=StopWordList.NONE))
    for path in [*sorted(folder.glob("dictionaries/*.gz")), *sorted(folder.glob("bitext/*.gz"))]:
        language = path.name.removesuffix(".tsv.gz").split("-")[1]
        for _, line in read_lines(path, Faults()):
            columns = line.split("\t")
            found.update(dict.fromkeys(prepare(columns[0], "en")))
            found.update(dict.fromkeys(prepare(columns[1], language)))
            if len(found) >= most:
                return list(found)[:most]
    return list(found)


def misspelt(words: list[str], count: int, rng: np.random.Generator) -> Iterator[str]:
    """Words of the list with one to three edits."""
    letters = sorted({letter for word in words[:5000] for letter in word})
    for number in rng.integers(0, len(words), size=count).tolist():
        word = words[number]
        for _ in range(rng.integers(1, 4)):
            place, kind = rng.integers(0, len(word) + 1), rng.integers(0, 3)
            letter = letters[rng.integers(0, len(letters))] if kind else ""
            word = word[:place] + letter + word[place + (kind < 2) :]
        yield word


def by_rapidfuzz(asked: list[str], words: list[str], distance: int) -> IntArray:
    """The least distance of every word from the dictionary, -1 where it is above ``distance``."""
    found = np.full(len(asked), ABSENT)
    for place, word in enumerate(asked):
        away = process.cdist(
            [word], words, scorer=Levenshtein.distance, score_cutoff=distance, dtype=np.uint8
        )[0]
        least = int(away.min())
        found[place] = least if least <= distance else ABSENT
    return found


def main() -> None:
    """Print one row per distance."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("--lookups", type=int, default=1_000_000)
    parser.add_argument("--compared", type=int, default=300)
    options = parser.parse_args()
    words = words_in(options.data, options.words)
    asked = list(misspelt(words, options.lookups, np.random.default_rng(0)))
    draws = np.random.default_rng(1).integers(0, 1 << 63, len(asked)).astype(np.uint64)
    print(f"{len(words):,} words, {len(asked):,} look-ups")
    print("distance  build s  look-ups s  us each  near    rapidfuzz us each  ratio  memory MB")
    for distance in (1, 2):
        started = time.perf_counter()
        index = DeletionIndex.build(words, distance)
        built = time.perf_counter()
        distances = np.concatenate(
            [
                index.nearest(asked[start : start + CHUNK], draws[start : start + CHUNK])[1]
                for start in range(0, len(asked), CHUNK)
            ]
        )
        done = time.perf_counter()
        expected = by_rapidfuzz(asked[: options.compared], words, distance)
        theirs = (time.perf_counter() - done) / options.compared
        assert (distances[: options.compared] == expected).all(), "both must find the same"
        ours = (done - built) / len(asked)
        arrays = (index.hashes, index.owners, index.buckets, index.codes, index.starts)
        size = sum(array.nbytes for array in arrays) / 1e6
        near = float((distances != ABSENT).mean())
        print(
            f"{distance:>8}  {built - started:7.1f}  {done - built:10.1f}  {ours * 1e6:7.1f}"
            f"  {near:5.1%}  {theirs * 1e6:17,.0f}  {theirs / ours:5,.0f}  {size:9,.0f}"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the process: {peak:,.0f} MB")


if __name__ == "__main__":
    main()
