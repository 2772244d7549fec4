"""Lexical systems in a store: impacts are a sparse vector there, idf stays on the query's side.

The formulas are those of the system (``psq``, ``bm25``); only the home of the postings differs.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Self

import numpy as np

from dragoman.errors import IndexFault
from dragoman.indexes.filters import Filter
from dragoman.indexes.scope import Scope
from dragoman.indexes.spaces import Record, Space, SpaceKind, Sparse, Vector
from dragoman.indexes.store import Store
from dragoman.lexicons.reading import Reader, without_splitter
from dragoman.lexicons.tables import PIVOT, Tables
from dragoman.protocols import Advance
from dragoman.scores.bm25 import saturate
from dragoman.systems.lexical.bags import Bag, Bags, Survey
from dragoman.systems.lexical.config import LexicalConfig
from dragoman.systems.lexical.expected_counts import PackedDimensions, Pairs, expected_counts
from dragoman.systems.lexical.live import Frequencies, LivePostings, mean_lengths
from dragoman.systems.lexical.names import Names
from dragoman.systems.lexical.psq import Psq, without_table
from dragoman.systems.lexical.spaces import norms_of
from dragoman.types import Document, Explanation, Hit, IntArray, Query, Ranking, Text

FACTS, TABLES = "facts.json", "lexicons"
REMEMBERED = 256  # questions, each by the language it is asked in: fusion asks for them twice


class ResidentPsq:
    """psq over documents that come and go."""

    name = "psq"

    def __init__(self, system: Psq, postings: LivePostings, bags: Bags) -> None:
        self._system, self._postings = system, postings
        self._bags, self._survey = bags, Survey()
        self._packed: dict[str, PackedDimensions] = {}  # by language
        self._asked = lru_cache(REMEMBERED)(self._query_vector)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> LexicalConfig:
        """The configuration that plain settings name."""
        return LexicalConfig.from_settings(settings)

    @classmethod
    def prepare(cls, config: LexicalConfig) -> Self:
        """A system that knows no lengths yet."""
        return cls._over(config, LivePostings({}, PIVOT), Reader(config.tables()))

    def survey(self, documents: Iterable[Document], advance: Advance) -> None:
        """Let length norms fit documents like these, and remember their words."""

        def lengths() -> Iterable[tuple[str, int]]:
            for document in documents:
                text = document.content
                bag = self._bags(text)
                self._survey.add(text, bag)
                yield text.language, bag.length
                advance()

        self._postings.mean_lengths.update(mean_lengths(lengths()))

    @classmethod
    def _over(cls, config: LexicalConfig, postings: LivePostings, reader: Reader) -> Self:
        return cls(_system(config, postings, reader), postings, Bags(reader))

    def emptied(self) -> Self:
        """The same system with nothing observed."""
        postings, system = self._postings, self._system
        fresh = LivePostings(postings.mean_lengths, postings.pivot_language)
        return self._over(system.config, fresh, system.reader)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One sparse space."""
        return (Space("psq", SpaceKind.SPARSE),)

    @property
    def mirrored(self) -> tuple[str, ...]:
        """Words are looked up in arrays."""
        return ("psq",)

    @property
    def tables(self) -> Tables:
        """The translation tables that words go through."""
        return self._system.tables

    @property
    def languages(self) -> Collection[str]:
        """The languages that questions may be in."""
        return self._system.tables.languages()

    @property
    def settings(self) -> dict[str, object]:
        """The parameters; analysers and tables are checked per language by ``load``."""
        config = self._system.config
        return {"k1": config.bm25.k1, "b": config.bm25.b, "translate": config.translate}

    def notices(self, languages: Iterable[str]) -> list[str]:
        """The languages whose words cannot be translated."""
        missing = [code for code in languages if not self._system.tables.has(code)]
        return [without_table(code) for code in missing if code != PIVOT]

    def vectors(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """BM25 impacts; idf is left to the query."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        bags: list[Bag] = []
        for place, document in enumerate(documents):
            text = document.content
            places[text.language].append(place)
            bags.append(self._survey.take(text) or self._bags(text))
        found: dict[int, Sparse] = {}
        for language, chosen in places.items():
            impacts = self._impacts([bags[place] for place in chosen], language)
            found.update(zip(chosen, impacts, strict=True))
        return [{"psq": found[place]} for place in range(len(documents))]

    def _impacts(self, bags: Sequence[Bag], language: str) -> list[Sparse]:
        """The vectors of texts in one language."""
        rows = expected_counts(bags, self._dimensions(language))
        norms = norms_of(
            self._postings.own(language),
            [bag.length for bag in bags],
            self._system.config.bm25,
        )
        weights = saturate(rows.values, norms.repeat(np.diff(rows.starts)))
        return [
            Sparse(rows.dimensions[start:end], weights[start:end])
            for start, end in pairwise(rows.starts.tolist())
        ]

    def _dimensions(self, language: str) -> PackedDimensions:
        """The dimensions of a language's words; those that are new here are remembered as names."""
        found = self._packed.get(language)
        if found is None:
            names, find = self._postings.names[language], self._system.dimensions_in(language)

            def met(words: Sequence[str]) -> Iterable[Pairs]:
                names.observe(words)
                return map(find, words)

            words = self._bags.numbers(language).words
            found = self._packed.setdefault(language, PackedDimensions(words, met))
        return found

    def observe(self, records: Iterable[Record]) -> None:
        """Count documents that are now in the store."""
        self._count(records, +1)

    def recount(self, records: Iterable[Record]) -> None:
        """Count documents read back from the store, and remember their words as names."""
        for record in records:
            text = record.document.content
            self._postings.names[text.language].observe(
                self._system.reader(text.body, text.language)
            )
            self._count([record], +1)

    def forget(self, records: Iterable[Record]) -> None:
        """Count documents no longer; their words may stay as names, which finds nothing."""
        self._count(records, -1)

    def _count(self, records: Iterable[Record], sign: int) -> None:
        self._asked.cache_clear()
        dimensions: list[IntArray] = []
        for record in records:
            self._postings.documents[record.document.language] += sign
            stored = record.vectors.get("psq")
            if isinstance(stored, Sparse):
                dimensions.append(stored.dimensions)
        if dimensions:
            self._postings.frequencies.add(np.concatenate(dimensions), float(sign))

    def search(self, store: Store, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` best documents that share anything with the query."""
        hits = scope.hits(lambda n, allowed: self.nearest(store, query, n, allowed), k, zeros=True)
        return Ranking(query.query_id, tuple(hits))

    def nearest(self, store: Store, query: Query, k: int, allowed: Filter) -> list[Hit]:
        """The ``k`` best of the allowed documents."""
        asked = self.query_vector(query, allowed)
        return store.nearest("psq", asked, k, allowed) if len(asked.dimensions) else []

    def translates(self, asked: str, language: str) -> bool:
        """Whether words of one language can meet those of the other through tables."""
        has = self._system.tables.has
        return asked == language or all(code == PIVOT or has(code) for code in (asked, language))

    def scores(self, store: Store, query: Query, documents: Mapping[str, str]) -> dict[str, float]:
        """The scores of these documents; 0 where nothing is shared with the query."""
        asked = self.query_vector(query, Filter(languages=tuple(set(documents.values()))))
        found = store.scores("psq", asked, documents) if len(asked.dimensions) else {}
        return {doc_id: found.get(doc_id, 0.0) for doc_id in documents}

    def query_vector(self, query: Query, allowed: Filter) -> Sparse:
        """The question as weights of dimensions, for documents in the allowed languages."""
        languages = self._postings.chosen(allowed.languages or None)
        return _joined([self._asked(query.content, code) for code in sorted(languages)])

    def _query_vector(self, text: Text, language: str) -> Sparse:
        asked = self._system.query_vector(text, [language])
        return Sparse(asked.dimensions.astype(np.uint32), asked.weights)

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word met which document word, with what share of the score."""
        return self._system.explain(query, document)

    def save(self, folder: Path) -> None:
        """Write counts, configuration and the user's own tables."""
        self._postings.frequencies.save(folder)
        for language, names in self._postings.names.items():
            names.save(folder, language)
        for language, (_, table) in self._system.tables.own.items():
            table.save(folder / TABLES / language)
        facts = {
            "config": self.settings,
            "mean_lengths": self._postings.mean_lengths,
            "documents": dict(self._postings.documents),
            "names": sorted(self._postings.names),
            "treatment": self._treatment(self._postings.languages),
        }
        (folder / FACTS).write_text(json.dumps(facts, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; refused where a language would be treated differently now."""
        path = folder / FACTS
        if not path.is_file():
            raise IndexFault(f"{folder}: found no {FACTS}; build the index again.")
        facts = json.loads(path.read_text(encoding="utf-8"))
        own = sorted(str(table) for table in folder.glob(f"{TABLES}/*"))
        config = LexicalConfig.from_settings({**facts["config"], "lexicons": own})
        postings = LivePostings(
            facts["mean_lengths"], PIVOT, Counter(facts["documents"]), Frequencies.load(folder)
        )
        for language in facts["names"]:
            postings.names[language] = Names.load(folder, language)
        loaded = cls._over(config, postings, Reader(config.tables()))
        loaded._refuse_other_treatment(folder, facts["treatment"])
        return loaded

    def _refuse_other_treatment(self, folder: Path, treatment: Mapping[str, list[str]]) -> None:
        """A table's fingerprint stands for its compound splitter, so that none has to be read."""
        for language, (signature, fingerprint) in treatment.items():
            then = without_splitter(signature), fingerprint
            now = (
                self._system.reader.signature_beside_table(language),
                self._system.tables.fingerprint(language),
            )
            if then != now:
                raise IndexFault(
                    f"{folder}: documents in {language!r} were indexed with {then}; this"
                    f" installation has {now}. Build the index again."
                )

    def _treatment(self, languages: Iterable[str]) -> dict[str, list[str]]:
        """How the words of each language are made and translated."""
        system = self._system
        return {
            code: [system.reader.signature(code), system.tables.fingerprint(code)]
            for code in languages
        }


def _system(config: LexicalConfig, postings: LivePostings, reader: Reader) -> Psq:
    return Psq(config, reader.tables, postings, reader=reader)


def _joined(vectors: Sequence[Sparse]) -> Sparse:
    """The sum of the vectors; their languages share a dimension only where hashes meet."""
    if len(vectors) == 1:
        return vectors[0]
    if not vectors:
        return Sparse(np.empty(0, np.uint32), np.empty(0))
    dimensions = np.concatenate([each.dimensions for each in vectors])
    weights = np.concatenate([each.weights for each in vectors])
    order = dimensions.argsort()
    rising = dimensions[order]
    if (rising[1:] != rising[:-1]).all():
        return Sparse(rising, weights[order])
    unique, where = np.unique(dimensions, return_inverse=True)
    sums = np.bincount(where, weights=weights, minlength=len(unique))
    return Sparse(unique, sums.astype(np.float64))
