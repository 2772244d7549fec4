"""A collection of items in many languages -> labelled pairs: foreign questions, English documents.

The task of Xu et al. 2021, section 4, on collections that can be built here. The title of an item's
page in another language is a question; the item's English page is what it asks for. The titles in
the languages with supervision are the ready-made relevant queries of the English page. Items keep
the collection's split, so that no document and no title of the test was trained on; languages
without supervision are asked in the test alone.

No question of validation and test is ever a relevant query. Every item there has one language with
supervision in which it is asked for and one title less to be read with, and it is compared with
items of that same language: what language a document's relevant queries are in says nothing of its
relevance. In training, where every language asks, a document is read with the titles in the others.

Negatives are sampled from the documents of the same split, some of them hard: what BM25 ranks high
for the item's English title. Related documents (grade 1) are gains for nDCG; they are neither
positives nor negatives for training and AUC.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256

from dragoman.errors import ConfigError, InputError
from dragoman.experiments.index_cache import temporary_index
from dragoman.indexes.index import Index
from dragoman.indexes.search.scope import Scope
from dragoman.text.collection import Collection
from dragoman.text.collections.catalogue import PIVOT
from dragoman.text.collections.sentences import fold_text
from dragoman.text.collections.splits import Split, draws, sample
from dragoman.types import Document, Query

RELEVANT, RELATED = 2, 1
WITHOUT_SUPERVISION = 0.3  # of the languages, those with the fewest pages


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskConfig:
    """How many questions and documents there are; for each language where not said otherwise."""

    train: int | None = None  # questions at most; None takes all
    validation: int | None = 300
    test: int | None = None
    negatives: int = 4  # of a question to learn from
    hard: int = 1  # of these
    candidates: int = 100  # documents that are ranked for a question of validation and test
    hard_candidates: int = 20  # of these
    related: int = 5  # of these, at most
    pool: int | None = None  # documents of a split that others than its own are taken from, at most
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """A thing with an English page and pages in other languages."""

    name: str
    split: Split
    pages: Mapping[str, Document]  # by language, English included
    related: frozenset[str]  # names of items

    @property
    def document(self) -> Document:
        """What questions ask for."""
        return self.pages[PIVOT]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the items whose documents are compared with it."""

    query: Query
    items: tuple[str, ...]
    grades: tuple[int, ...]
    hard: frozenset[str]  # negatives that look alike


@dataclass(frozen=True, slots=True)
class RelevanceTask:
    """Everything that is asked, with whom it is compared, and what is known of the documents."""

    name: str
    supervised: tuple[str, ...]
    unsupervised: tuple[str, ...]
    items: Mapping[str, Item]  # all that occur below
    asked: Mapping[Split, tuple[Asked, ...]]
    config: TaskConfig = field(default_factory=TaskConfig)

    @property
    def languages(self) -> tuple[str, ...]:
        """Of the test questions, those with supervision first."""
        return (*self.supervised, *self.unsupervised)

    @property
    def evaluated(self) -> tuple[Query, ...]:
        """Every question of validation and test."""
        parts = (self.asked[Split.VALIDATION], self.asked[Split.TEST])
        return tuple(one.query for part in parts for one in part)

    @property
    def fingerprint(self) -> str:
        """Twelve digits that depend on every question, document, grade and title."""
        digest = sha256(repr((self.supervised, self.unsupervised)).encode())
        for part, questions in self.asked.items():
            for one in questions:
                told = (part, one.query.query_id, one.query.text, one.items, one.grades)
                digest.update(repr(told).encode())
        for name, item in self.items.items():
            titles = [(code, page.title) for code, page in item.pages.items()]
            digest.update(repr((name, item.document.content.body, titles)).encode())
        return digest.hexdigest()[:12]


def read_task(
    collection: Collection, config: TaskConfig, supervised: Sequence[str] = ()
) -> RelevanceTask:
    """The task of a collection whose ids are LANGUAGE:ITEM and whose queries name a split."""
    items = _items(collection)
    with_pages = _languages(items)
    chosen = _supervised(with_pages, supervised)
    others = tuple(code for code in with_pages if code not in chosen)
    questions = {code: _questions(items, code) for code in with_pages}
    asked: dict[Split, tuple[Asked, ...]] = {}
    for split, most in (
        (Split.TRAIN, config.train),
        (Split.VALIDATION, config.validation),
        (Split.TEST, config.test),
    ):
        codes = (*chosen, *others) if split is Split.TEST else chosen
        by_language: dict[str, list[Asked]] = {}
        for group in _groups(items, split, codes, chosen, config.seed):
            if not group.names or not group.languages:
                continue
            with _comparing(items, group.names, config, learning=split is Split.TRAIN) as comparing:
                for code in group.languages:
                    by_language[code] = list(comparing.all_asked(questions[code], most))
        asked[split] = tuple(one for code in codes for one in by_language.get(code, ()))
        if not asked[split]:
            raise InputError(
                collection.name, None, found=f"no question of the {split} split",
                expected="items with an English page, a page in another language and a split",
            )  # fmt: skip
    used = {name for part in asked.values() for one in part for name in one.items}
    kept = {name: items[name] for name in sorted(used)}
    name = str(collection.manifest.get("collection", collection.name))
    return RelevanceTask(name, chosen, others, kept, asked, config)


def _items(collection: Collection) -> dict[str, Item]:
    """The items that the collection asks for, each with all its pages."""
    pages: dict[str, dict[str, Document]] = {}
    for document in collection.documents():
        name = document.doc_id.removeprefix(f"{document.language}:")
        pages.setdefault(name, {})[document.language] = document
    judgments = collection.judgments()
    found = {}
    for query in collection.queries():
        name, split = query.query_id, query.metadata.get("split")
        if split not in set(Split) or PIVOT not in pages.get(name, {}):
            continue
        judged = judgments.get(name, {}).items()
        related = {doc_id.partition(":")[2] for doc_id, grade in judged if grade == RELATED}
        found[name] = Item(name, Split(split), pages[name], frozenset(related))
    return found


def _languages(items: Mapping[str, Item]) -> list[str]:
    """All languages beside English, the one with the most pages first."""
    counts: dict[str, int] = {}
    for item in items.values():
        for code in item.pages:
            counts[code] = counts.get(code, 0) + (code != PIVOT)
    return sorted((code for code, count in counts.items() if count), key=lambda c: (-counts[c], c))


def _supervised(languages: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """The languages to learn from: those that were named, else all but the rarest."""
    if strangers := [code for code in wanted if code not in languages]:
        raise ConfigError(
            f"Found no pages in {', '.join(strangers)}; there are some in {', '.join(languages)}."
        )
    if wanted:
        return tuple(wanted)
    return tuple(languages[: max(1, len(languages) - round(WITHOUT_SUPERVISION * len(languages)))])


def _questions(items: Mapping[str, Item], language: str) -> dict[str, Query]:
    """Item -> its title, where it is translated; what several items would ask, none does."""
    texts = {
        name: item.pages[language].title
        for name, item in items.items()
        if language in item.pages
        and fold_text(item.pages[language].title) != fold_text(item.document.title)
    }
    counts: dict[str, int] = {}
    for text in texts.values():
        counts[fold_text(text)] = counts.get(fold_text(text), 0) + 1
    return {
        name: Query(f"{language}:{name}", text, language)
        for name, text in texts.items()
        if text and counts[fold_text(text)] == 1
    }


@dataclass(frozen=True, slots=True)
class _Group:
    """Items of a split that are compared with one another, and the languages they are asked in."""

    names: Sequence[str]
    languages: Sequence[str]


def _groups(
    items: Mapping[str, Item],
    split: Split,
    languages: Sequence[str],
    supervised: Sequence[str],
    seed: int,
) -> list[_Group]:
    """The groups of a split; no language is in two of them.

    In training and in languages without supervision all items are compared; else those whose title
    in that language is held back from their relevant queries.
    """
    names = [name for name, item in items.items() if item.split is split]
    names.sort(key=lambda name: next(draws("asked", seed, name)))
    if split is Split.TRAIN:
        return [_Group(names, languages)]
    held: dict[str, list[str]] = {code: [] for code in supervised}
    for name in names:
        if known := [code for code in supervised if code in items[name].pages]:
            held[known[next(draws("held", seed, name)) % len(known)]].append(name)
    others = [code for code in languages if code not in held]
    return [*(_Group(group, (code,)) for code, group in held.items()), _Group(names, others)]


@contextmanager
def _comparing(
    items: Mapping[str, Item], group: Sequence[str], config: TaskConfig, *, learning: bool
) -> Iterator["_Comparing"]:
    """What compares the items of a group, over an index of its pool that is gone afterwards."""
    pool = sorted(group[: config.pool])
    documents = [items[name].document for name in pool]
    with temporary_index(documents, "bm25", {"translate": False}) as index:
        yield _Comparing(items, group, pool, index, config, learning)


@dataclass(frozen=True, slots=True)
class _Comparing:
    """Questions about the items of a group -> the documents of that group to compare with."""

    items: Mapping[str, Item]
    group: Sequence[str]
    pool: Sequence[str]  # of these others than a question's own document are taken
    index: Index  # of the pool's documents
    config: TaskConfig
    learning: bool

    def all_asked(self, questions: Mapping[str, Query], most: int | None) -> Iterator[Asked]:
        """The questions about items of the group, at most so many."""
        for name in sorted([name for name in self.group if name in questions][:most]):
            yield self._asked(questions[name], name)

    def _asked(self, query: Query, name: str) -> Asked:
        """The question with its document first, then related ones, hard ones, sampled ones."""
        config, item = self.config, self.items[name]
        related = [] if self.learning else sorted(item.related & set(self.group))[: config.related]
        hard_wanted = config.hard if self.learning else config.hard_candidates
        wanted = config.negatives if self.learning else config.candidates - 1 - len(related)
        hard = self._hard(item, hard_wanted)
        known = {name, *item.related, *hard}
        others = sample(self.pool, wanted - len(hard), known, (config.seed, query.query_id))
        grades = (RELEVANT, *(RELATED for _ in related), *(0 for _ in (*hard, *others)))
        return Asked(query, (name, *related, *hard, *others), grades, frozenset(hard))

    def _hard(self, item: Item, most: int) -> list[str]:
        """Items that BM25 finds for the English title, the best first, none of them related."""
        known = {item.name, *item.related}
        title = Query(item.name, item.document.title, PIVOT)
        hits = self.index.rank(title, most + len(known), Scope()).hits
        names = [hit.doc_id.partition(":")[2] for hit in hits]
        return [name for name in names if name not in known][:most]
