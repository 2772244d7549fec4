"""Texts -> averages of word vectors, weighed by the document frequencies of one collection.

nBOW_x(d) = sum over words of w_x(word) E(word), the weights being term frequencies, times idf where
x is idf, scaled to sum to one (Balikas et al. 2018, section 4; Mitchell and Lapata 2010).
"""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.errors import IndexFault
from dragoman.systems.nbow.config import NbowConfig
from dragoman.systems.nbow.explanation import WeighedWords
from dragoman.text.strings import Strings
from dragoman.types import FloatArray, Text
from dragoman.vectors.bags import Bagger, CountedText, DocumentFrequencies
from dragoman.vectors.oov import OovConfig, forgiving
from dragoman.vectors.space import WordSpace
from dragoman.vectors.spelling import Preparation
from dragoman.vectors.words import WordVectors

FREQUENCIES = "frequencies.json"
HASHED_ROWS = 1000  # of each language's vectors


@dataclass(frozen=True, eq=False)
class Vectors:
    """The reader of texts against the given vectors, and what tells both from others."""

    bagger: Bagger
    languages: tuple[str, ...]
    signature: str

    @classmethod
    def open(cls, config: NbowConfig) -> "Vectors":
        """The vectors in the named folders, with the repairs of section 3.3 that are asked for."""
        given = [WordVectors.open(folder) for folder in config.vectors]
        oov = OovConfig(distance=config.misspelt, collapse=config.collapse)
        rows = forgiving(WordSpace.stack(given), oov, np.random.default_rng(config.seed))
        prepare = Preparation()
        bagger = Bagger(rows, prepare, weighting=config.weighting, first=config.first)
        signature = f"{'+'.join(map(_signature, given))}|{prepare.signature}"
        return cls(bagger, tuple(one.language for one in given), signature)

    def read(self, text: Text) -> CountedText:
        """The known words of a text."""
        return self.bagger.read(text)

    def averages(
        self, texts: Sequence[CountedText], frequencies: DocumentFrequencies
    ) -> list[FloatArray | None]:
        """One float32 vector per text; None for a text without a known word."""
        bags = self.bagger.bags(texts, frequencies)
        sums = np.asarray(bags @ self.bagger.space.points, dtype=np.float32)
        filled = np.diff(bags.indptr) > 0
        return [row if there else None for row, there in zip(sums, filled, strict=True)]

    def weighed_words(self, text: CountedText, frequencies: DocumentFrequencies) -> WeighedWords:
        """The words of one text with the weights that its average has."""
        idf = frequencies.weights(text.words, text.language, self.bagger.weighting)
        weights = text.counts * idf
        vectors = np.asarray(self.bagger.space.points[text.rows])
        total = weights.sum()
        return WeighedWords(text.words, weights / total if total else weights, vectors)


def _signature(vectors: WordVectors) -> str:
    digest = hashlib.sha256(np.ascontiguousarray(vectors.matrix[:HASHED_ROWS]).tobytes())
    digest.update("\n".join(vectors.words[:HASHED_ROWS]).encode("utf-8", "surrogatepass"))
    shape = f"{len(vectors)}x{vectors.dimension}"
    return f"{vectors.language}:{shape}:{digest.hexdigest()[:12]}"


def save_frequencies(folder: Path, frequencies: DocumentFrequencies) -> None:
    """Write how many documents have each word."""
    facts = {"documents": frequencies.documents, "languages": sorted(frequencies.counts)}
    (folder / FREQUENCIES).write_text(json.dumps(facts), encoding="utf-8")
    for language, counts in frequencies.counts.items():
        Strings.pack(counts).save(folder, f"words.{language}")
        np.save(folder / f"counts.{language}.npy", np.array(list(counts.values()), dtype=np.int64))


def load_frequencies(folder: Path) -> DocumentFrequencies:
    """What ``save_frequencies`` wrote."""
    try:
        facts = json.loads((folder / FREQUENCIES).read_text(encoding="utf-8"))
        counts = {
            language: Counter(
                dict(
                    zip(
                        Strings.load(folder, f"words.{language}"),
                        np.load(folder / f"counts.{language}.npy", allow_pickle=False).tolist(),
                        strict=True,
                    )
                )
            )
            for language in facts["languages"]
        }
    except (OSError, ValueError) as error:
        raise IndexFault(
            f"{folder}: found damaged or missing files ({error}); build the index again."
        ) from error
    return DocumentFrequencies(facts["documents"], counts)
