"""The searched form of a collection: namespaces of words, their postings, the documents' ids."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

import numpy as np

from dragoman.errors import IndexFault
from dragoman.scores.bm25 import idf, inverse_document_frequency
from dragoman.scores.impacts import ImpactIndex, SparseVector
from dragoman.systems.lexical.sounds import Sounds
from dragoman.text.strings import Strings
from dragoman.types import FloatArray, Hit, IntArray, Ranking

FORMAT = 2
FACTS = "postings.json"
ABSENT = -1


@dataclass(frozen=True)
class Namespace:
    """The words that documents of one language are found by, and how many documents have them."""

    language: str
    kind: str  # "own": the documents' words; "pivot": what they stand for
    words: Strings
    frequencies: FloatArray  # float32, expected where words are translated
    documents: int  # how many there are in the language
    mean_length: float
    first: int  # the dimension of the first word

    def find(self, word: str) -> int:
        """The word's dimension, or ``ABSENT``."""
        number = self.words.numbers.get(word, ABSENT)
        return number if number == ABSENT else self.first + number

    def frequency_at(self, dimension: int) -> float:
        """In how many documents the word with this dimension occurs."""
        return float(self._frequencies[dimension - self.first])

    def frequency(self, word: str) -> float:
        """In how many documents ``word`` occurs; 0 where in none."""
        dimension = self.find(word)
        return 0.0 if dimension == ABSENT else self.frequency_at(dimension)

    def idf_at(self, dimension: int) -> float:
        """Of the word with this dimension."""
        return float(self._idf[dimension - self.first])

    @cached_property
    def _frequencies(self) -> memoryview:  # faster to read one number from than an array
        return np.asarray(self.frequencies).data

    @cached_property
    def _idf(self) -> memoryview:
        counts = np.asarray(self.frequencies, dtype=np.float64)
        return inverse_document_frequency(counts, self.documents).data

    def idf_of(self, frequency: float) -> float:
        """Of a word with this document frequency."""
        return idf(frequency, self.documents)


@dataclass(frozen=True)
class Postings:
    """Everything a lexical system searches."""

    doc_ids: Strings
    namespaces: tuple[Namespace, ...]
    index: ImpactIndex
    names: Mapping[str, Sounds]  # of each language's own words; empty where no system asks for them

    @property
    def changes(self) -> bool:
        """Nothing does."""
        return False

    def own(self, language: str) -> Namespace | None:
        """The documents' own words in ``language``."""
        return self._by_name.get((language, "own"))

    def pivot(self, language: str) -> Namespace | None:
        """The pivot words that documents in ``language`` stand for."""
        return self._by_name.get((language, "pivot"))

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Namespace]:
        return {(space.language, space.kind): space for space in self.namespaces}

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of the documents."""
        return tuple(space.language for space in self.namespaces if space.kind == "own")

    def chosen(self, languages: Collection[str] | None) -> tuple[str, ...]:
        """The languages of the documents, those in ``languages`` where given."""
        if languages is None:
            return self.languages
        return tuple(code for code in self.languages if code in languages)

    def ranking(self, query_id: str, query: SparseVector, k: int) -> Ranking:
        """The ``k`` best documents."""
        best = self.index.search(query, k)
        return self.named(query_id, best.documents, best.scores)

    def named(self, query_id: str, documents: IntArray, scores: FloatArray) -> Ranking:
        """A ranking from document numbers."""
        ids = map(self.doc_ids.__getitem__, documents.tolist())
        return Ranking(query_id, tuple(map(Hit, ids, scores.tolist())))

    def save(self, folder: Path) -> None:
        """Write arrays and facts into ``folder``."""
        self.index.save(folder)
        self.doc_ids.save(folder, "ids")
        facts = {
            "format": FORMAT,
            "documents": self.index.count,
            "namespaces": [_facts(space) for space in self.namespaces],
            "names": sorted(self.names),
        }
        for language, names in self.names.items():
            names.save(folder, language)
        for space in self.namespaces:
            space.words.save(folder, _name(space.kind, space.language))
            np.save(folder / f"{_name(space.kind, space.language)}.df.npy", space.frequencies)
        (folder / FACTS).write_text(json.dumps(facts, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        path = folder / FACTS
        if not path.is_file():
            raise IndexFault(f"{folder}: found no {FACTS}; expected a lexical system's folder.")
        facts = json.loads(path.read_text(encoding="utf-8"))
        if facts["format"] != FORMAT:
            raise IndexFault(
                f"{path}: found format {facts['format']}; this version reads {FORMAT}."
                " Build the index again."
            )
        namespaces = tuple(
            Namespace(
                **fields,
                words=Strings.load(folder, name := _name(fields["kind"], fields["language"])),
                frequencies=np.load(folder / f"{name}.df.npy", mmap_mode="r"),
            )
            for fields in facts["namespaces"]
        )
        words = {space.language: space.words for space in namespaces if space.kind == "own"}
        names = {code: Sounds.load(folder, code, words[code]) for code in facts["names"]}
        index = ImpactIndex.load(folder, facts["documents"])
        return cls(Strings.load(folder, "ids"), namespaces, index, names)


def _facts(space: Namespace) -> dict[str, object]:
    return {
        "language": space.language,
        "kind": space.kind,
        "documents": space.documents,
        "mean_length": space.mean_length,
        "first": space.first,
    }


def _name(kind: str, language: str) -> str:
    return f"{kind}-{language or 'und'}"
