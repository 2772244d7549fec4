"""A question answered by a store's mirror: one pass over the words, one walk for all languages."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor

import numpy as np

from dragoman.indexes.mirror import NOBODY, Listed
from dragoman.indexes.reflection import Reflection
from dragoman.indexes.scope import Scope
from dragoman.systems.hybrid.asked import Meanings, Parts, Said, Then, Words
from dragoman.types import FloatArray, IntArray, Query


class ByMirror:
    """One question; the words' scores of all documents are kept until it is answered."""

    def __init__(
        self,
        words: Words,
        meanings: Meanings,
        reflection: Reflection,
        query: Query,
        scope: Scope,
        beside: Executor,
    ) -> None:
        self._words, self._meanings, self._beside = words, meanings, beside
        self._reflection, self._mirror = reflection, reflection.mirror
        self._query, self._groups = query, scope.groups
        self._allowed = scope.allowed
        self._spaces = words.spaces[0].name, meanings.spaces[0].name

    def best(self, k: int, then: Then) -> tuple[dict[str, Parts], Said]:
        """The ``k`` best of each group by each part, and what ``then`` makes of the words."""
        looking = self._beside.submit(self._best_words, k, then)
        self._question = self._meanings.question(self._query.content)
        near = self._best_meanings(k)
        words, said = looking.result()
        return {code: Parts(words[code], near[code]) for code in self._groups}, said

    def _best_words(self, k: int, then: Then) -> tuple[dict[str, Listed], Said]:
        asked = self._words.query_vector(self._query, self._allowed)
        self._products = self._mirror.products(self._spaces[0], asked)
        lists = {
            code: self._mirror.best(self._products, k, of.languages)
            for code, of in self._groups.items()
        }
        return lists, then(lists)

    def _best_meanings(self, k: int) -> Mapping[str, Listed]:
        if not self._question.any():
            return dict.fromkeys(self._groups, NOBODY)
        space, reflection = self._spaces[1], self._reflection
        if len(self._groups) > 1:
            return reflection.nearest_of_each(space, self._question, k, self._groups)
        return {
            code: reflection.nearest(space, self._question, k, allowed.languages)
            for code, allowed in self._groups.items()
        }

    def scores(self, numbers: IntArray) -> tuple[FloatArray, FloatArray]:
        """Each part's scores of the documents."""
        near = np.full(len(numbers), np.nan)
        if self._question.any():
            near = self._mirror.passage_scores(self._spaces[1], self._question, numbers)
        return self._products[numbers], near

    def languages(self, numbers: IntArray) -> Sequence[str]:
        """The language of each document."""
        return self._mirror.languages_of(numbers)

    def lengths(self, numbers: IntArray) -> IntArray:
        """How many vectors each document has."""
        return self._mirror.lengths(self._spaces[1], numbers)

    def passages(self, numbers: Sequence[int]) -> list[FloatArray | None]:
        """Each document's vectors."""
        return [self._mirror.passages(self._spaces[1], number) for number in numbers]

    def near(self, places: Sequence[tuple[FloatArray, str]], k: int) -> list[Listed]:
        """For each vector and group, the ``k`` documents that are nearest, roughly."""
        return self._reflection.roughly_nearest(self._spaces[1], places, k)

    def name(self, number: int) -> str:
        """A document's id."""
        return self._mirror.name(number)
