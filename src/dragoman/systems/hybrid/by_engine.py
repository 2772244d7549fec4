"""A question answered by the parts themselves: a call of the engine for every list and language."""

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np

from dragoman.indexes.mirror import Listed
from dragoman.indexes.scope import Scope
from dragoman.indexes.store import Store
from dragoman.systems.hybrid.asked import Meanings, Parts, Said, Then, Words
from dragoman.types import FloatArray, Hit, IntArray, Query

UNLISTED = (0.0, np.nan)  # no word is shared, or there is no vector


class ByEngine:
    """One question; documents are numbered as they come."""

    def __init__(
        self,
        words: Words,
        meanings: Meanings,
        store: Store,
        query: Query,
        scope: Scope,
        beside: Executor,
    ) -> None:
        self._parts, self._beside = (words, meanings), beside
        self._store, self._query, self._scope = store, query, scope
        self._groups = scope.groups
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._known: tuple[dict[int, float], dict[int, float]] = ({}, {})
        self._lengths: dict[int, int] = {}
        self._languages: dict[int, str] = {}

    def best(self, k: int, then: Then) -> tuple[dict[str, Parts], Said]:
        """The ``k`` best of each group by each part, and what ``then`` makes of the words' lists.

        It is the words that another thread looks up: the encoder gives way to it at once, whereas
        looking up words would keep the encoder waiting.
        """
        store, query, meanings = self._store, self._query, self._parts[1]
        looking = self._beside.submit(self._best_words, k, then)
        meanings.question(query.content)  # remembered for the searches below
        near = [meanings.nearest(store, query, k, of) for of in self._groups.values()]
        words, said = looking.result()
        best = {
            group: Parts(words[group], self._listed(mine, group, 1))
            for group, mine in zip(self._groups, near, strict=True)
        }
        return best, said

    def _best_words(self, k: int, then: Then) -> tuple[dict[str, Listed], Said]:
        words = self._parts[0]
        lists = {
            group: self._listed(words.nearest(self._store, self._query, k, of), group, 0)
            for group, of in self._groups.items()
        }
        return lists, then(lists)

    def _listed(self, hits: Sequence[Hit], group: str, part: int | None = None) -> Listed:
        numbers = self._numbered([hit.doc_id for hit in hits])
        scores = [hit.score for hit in hits]
        among = self._groups[group].languages or tuple(self._scope.languages)
        if len(among) == 1:
            self._languages.update(dict.fromkeys(numbers.tolist(), among[0]))
        if part is not None:
            self._known[part].update(zip(numbers.tolist(), scores, strict=True))
        return Listed(numbers, np.array(scores))

    def _numbered(self, doc_ids: Sequence[str]) -> IntArray:
        for doc_id in doc_ids:
            if doc_id not in self._numbers:
                self._numbers[doc_id] = len(self._names)
                self._names.append(doc_id)
        return np.array([self._numbers[doc_id] for doc_id in doc_ids], dtype=np.int64)

    def scores(self, numbers: IntArray) -> tuple[FloatArray, FloatArray]:
        """Each part's scores of the documents; those not known yet are asked for once."""
        languages = dict(zip(numbers.tolist(), self.languages(numbers), strict=True))
        for part, known, absent in zip(self._parts, self._known, UNLISTED, strict=True):
            missing = {self._names[n]: code for n, code in languages.items() if n not in known}
            found = part.scores(self._store, self._query, missing) if missing else {}
            known.update((self._numbers[name], found.get(name, absent)) for name in missing)
        words, near = (np.array([known[n] for n in numbers.tolist()]) for known in self._known)
        return words, near

    def languages(self, numbers: IntArray) -> Sequence[str]:
        """The language of each document; asked for once, where its group does not tell."""
        missing = [number for number in numbers.tolist() if number not in self._languages]
        names = [self._names[number] for number in missing]
        found = self._store.languages_of(names) if names else {}
        self._languages.update((self._numbers[name], found.get(name, "")) for name in names)
        return [self._languages[number] for number in numbers.tolist()]

    def lengths(self, numbers: IntArray) -> IntArray:
        """How many vectors each document has; asked for once."""
        missing = [n for n in numbers.tolist() if n not in self._lengths]
        names = [self._names[number] for number in missing]
        found = self._store.lengths(self._parts[1].spaces[0].name, names)
        self._lengths.update((self._numbers[name], found.get(name, 0)) for name in names)
        return np.array([self._lengths[n] for n in numbers.tolist()], dtype=np.int64)

    def passages(self, numbers: Sequence[int]) -> list[FloatArray | None]:
        """Each document's vectors."""
        names = [self._names[number] for number in numbers]
        found = self._store.passages(self._parts[1].spaces[0].name, names)
        return [found.get(name) for name in names]

    def near(self, places: Sequence[tuple[FloatArray, str]], k: int) -> list[Listed]:
        """For each vector and group, the ``k`` documents that are nearest, roughly."""
        space = self._parts[1].spaces[0].name
        return [
            self._listed(
                self._store.nearest(space, vector, k, self._groups[group], roughly=True), group
            )
            for vector, group in places
        ]

    def name(self, number: int) -> str:
        """A document's id."""
        return self._names[number]
