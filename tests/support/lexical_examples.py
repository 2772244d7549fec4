"""Small tables and collections for the tests of the lexical systems."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import dragoman
from dragoman.indexes.filters import Filter
from dragoman.indexes.index import Index
from dragoman.indexes.search.scope import Scope
from dragoman.lexicons import sparse_rows
from dragoman.lexicons.lexicon import Lexicon
from dragoman.lexicons.vocabulary import Vocabulary
from dragoman.types import Document, Query

GERMAN = {
    "haus": {"hous": 0.75, "home": 0.25},
    "heim": {"home": 1.0},
    "wasser": {"water": 1.0},
    "dampf": {"steam": 1.0},
    "schiff": {"ship": 0.5, "boat": 0.5},
    "rot": {"red": 1.0},
    "weltmeisterschaft": {"world": 0.5, "cup": 0.5},
}
RUSSIAN = {"дом": {"hous": 0.5, "home": 0.5}, "вод": {"water": 1.0}, "красн": {"red": 1.0}}

DOCUMENTS = [
    Document("en-house", "A red house by the water", language="en"),
    Document("en-ship", "The steam ship leaves the harbour", language="en"),
    Document("en-obama", "Barack Obama visited Washington", language="en"),
    Document("de-haus", "Ein rotes Haus am Wasser", language="de"),
    Document("de-schiff", "Das Dampfschiff verlässt den Hafen", language="de"),
    Document("ru-dom", "красный дом у воды", language="ru"),
    Document("ru-obama", "Барак Обама посетил Вашингтон", language="ru"),
]


def lexicon(language: str, translations: Mapping[str, Mapping[str, float]]) -> Lexicon:
    """A table from ``language`` into English with these probabilities."""
    source = Vocabulary(tuple(translations))
    target = Vocabulary(tuple(dict.fromkeys(e for row in translations.values() for e in row)))
    cells = [
        (source.ids[f], target.ids[e], p) for f, row in translations.items() for e, p in row.items()
    ]
    f, e, p = (np.array(column) for column in zip(*cells, strict=True))
    shape = (len(source), len(target))
    forward = sparse_rows.table(f, e, p, shape)
    return Lexicon(
        source=language,
        target="en",
        source_words=source,
        target_words=target,
        source_counts=np.full(len(source), 10),
        target_counts=np.full(len(target), 10),
        forward=forward,
        backward=sparse_rows.normalised(sparse_rows.table(e, f, p, shape[::-1])),
    )


def saved_lexicons(folder: Path) -> list[str]:
    """The German and the Russian table, as ``learn lexicon`` leaves them."""
    for language, translations in (("de", GERMAN), ("ru", RUSSIAN)):
        lexicon(language, translations).save(folder / language)
    return [str(folder / "de"), str(folder / "ru")]


@dataclass(frozen=True)
class SmallIndex:
    """An index that is searched without balancing languages."""

    index: Index

    @property
    def system(self):
        """The system of the index."""
        return self.index.system

    def search(self, query, k, languages=None):
        """The ranking over documents in ``languages``, by default in all."""
        return self.index.rank(query, k, Scope(Filter(tuple(languages or ()))))

    def score(self, query, documents):
        """The scores of documents by the statistics of the index."""
        with self.index.snapshot() as snapshot:
            return self.system.score(snapshot, query, documents)

    def explain(self, query, document):
        """Why a document has its score."""
        with self.index.snapshot() as snapshot:
            return self.system.explain(snapshot, query, document)


OPENED = ExitStack()  # closed after the last test
_built: dict[str, SmallIndex] = {}


def built(name, documents=DOCUMENTS, **settings):
    """An index of ``documents`` that tests share: none of them changes it."""
    key = repr((name, documents, settings))
    if key not in _built:
        folder = Path(OPENED.enter_context(TemporaryDirectory(prefix="dragoman-")))
        index = dragoman.index(documents, folder / "index", system=name, settings=settings)
        _built[key] = SmallIndex(OPENED.enter_context(index))
    return _built[key]


def ids(searched, text, language, k=10, languages=None):
    """The ids that a search gives, best first."""
    ranking = searched.search(Query("q", text, language), k, languages)
    return [hit.doc_id for hit in ranking.hits]


def scores(searched, text, language, languages=None):
    """The score of each document that a search gives, by id."""
    ranking = searched.search(Query("q", text, language), 100, languages)
    return {hit.doc_id: hit.score for hit in ranking.hits}
