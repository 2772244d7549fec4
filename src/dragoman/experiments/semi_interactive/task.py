"""A collection of items in many languages -> labelled pairs: foreign queries, English documents.

The task of Xu et al. 2021, section 4, on collections that can be built here. The title of an item's
page in another language is a query; the item's English page is its relevant document. The titles in
the languages with supervision are the ready-made relevant queries of the English page. Items keep
the collection's split, so that no document and no title of the test is in the training data;
languages without supervision have queries in the test alone.

No validation or test query is ever a relevant query of a document. Every item there is queried in
one of its languages with supervision, its title in that language is left out of its relevant
queries, and its candidates are items of which the same language is left out: the languages of a
document's relevant queries reveal nothing about its relevance. In training, where items are queried
in every language, a document is read with its titles in the other languages.

Negatives are sampled from the documents of the same split, some of them hard: those that BM25 ranks
high for the item's English title. Related documents (grade 1) count for nDCG; they are neither
positives nor negatives for training and AUC.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256

from dragoman.errors import ConfigError, InputError
from dragoman.experiments.index_cache import temporary_index
from dragoman.indexes.index import Index
from dragoman.indexes.search.scope import Scope
from dragoman.text.collection import Collection
from dragoman.text.collections.catalogue import PIVOT
from dragoman.text.collections.sentences import (
    first_sentence,
    fold_text,
    without_title_words,
)
from dragoman.text.collections.splits import Split, draws, sample
from dragoman.types import Document, Query

RELEVANT, RELATED = 2, 1
FIRST_WORDS = 6  # of a page that has no title
WITHOUT_SUPERVISION = 0.3  # the share of languages without, those with the fewest pages


@dataclass(frozen=True, kw_only=True, slots=True)
class RelevanceTaskConfig:
    """The numbers of queries and documents, per language unless noted otherwise."""

    train: int | None = None  # queries at most; None takes all
    validation: int | None = 300
    test: int | None = None
    negatives: int = 4  # of a training query
    hard: int = 1  # of these
    candidates: int = 100  # documents ranked for a validation or test query
    hard_candidates: int = 20  # of these
    related: int = 5  # of these, at most
    pool: int | None = None  # documents of a split that negatives are taken from, at most
    seed: int = 0


@dataclass(frozen=True, slots=True)
class TranslatedItem:
    """An item with an English page and pages in other languages."""

    name: str
    split: Split
    pages: Mapping[str, Document]  # by language, English included
    related: frozenset[str]  # names of items

    @property
    def document(self) -> Document:
        """The English page: the relevant document of queries for this item."""
        return self.pages[PIVOT]


@dataclass(frozen=True, slots=True)
class QueryCandidates:
    """A query and its candidates: its own item first, then other items."""

    query: Query
    items: tuple[str, ...]
    grades: tuple[int, ...]
    hard: frozenset[str]  # negatives that BM25 ranks high


@dataclass(frozen=True, slots=True)
class RelevanceTask:
    """The queries of all splits with their candidates, and the items that occur in them."""

    name: str
    supervised: tuple[str, ...]
    unsupervised: tuple[str, ...]
    items: Mapping[str, TranslatedItem]  # by name
    queries: Mapping[Split, tuple[QueryCandidates, ...]]
    config: RelevanceTaskConfig = field(default_factory=RelevanceTaskConfig)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the test queries, those with supervision first."""
        return (*self.supervised, *self.unsupervised)

    @property
    def evaluated(self) -> tuple[Query, ...]:
        """Every query of validation and test."""
        splits = (self.queries[Split.VALIDATION], self.queries[Split.TEST])
        return tuple(one.query for queries in splits for one in queries)

    @property
    def fingerprint(self) -> str:
        """Twelve digits that depend on every query, document, grade and title."""
        digest = sha256(repr((self.supervised, self.unsupervised)).encode())
        for split, queries in self.queries.items():
            for one in queries:
                facts = (split, one.query.query_id, one.query.text, one.items, one.grades)
                digest.update(repr(facts).encode())
        for name, item in self.items.items():
            titles = [(code, page.title) for code, page in item.pages.items()]
            digest.update(repr((name, item.document.content.body, titles)).encode())
        return digest.hexdigest()[:12]


def read_task(
    collection: Collection, config: RelevanceTaskConfig, supervised: Sequence[str] = ()
) -> RelevanceTask:
    """The task of a collection whose ids are LANGUAGE:ITEM and whose queries name a split."""
    name = str(collection.manifest.get("collection", collection.name))
    return make_task(name, _items(collection), config, supervised)


def make_task(
    name: str,
    items: Mapping[str, TranslatedItem],
    config: RelevanceTaskConfig,
    supervised: Sequence[str] = (),
) -> RelevanceTask:
    """The queries of all splits with candidates, for items that are read already."""
    with_pages = _languages(items)
    chosen = _supervised(with_pages, supervised)
    others = tuple(code for code in with_pages if code not in chosen)
    titles = {code: _title_queries(items, code) for code in with_pages}
    queries: dict[Split, tuple[QueryCandidates, ...]] = {}
    for split, most in (
        (Split.TRAIN, config.train),
        (Split.VALIDATION, config.validation),
        (Split.TEST, config.test),
    ):
        codes = (*chosen, *others) if split is Split.TEST else chosen
        by_language: dict[str, list[QueryCandidates]] = {}
        for group in _groups(items, split, codes, chosen, config.seed):
            if not group.names or not group.languages:
                continue
            with _candidate_sampler(
                items, group.names, config, learning=split is Split.TRAIN
            ) as sampler:
                for code in group.languages:
                    by_language[code] = list(sampler.sample_queries(titles[code], most))
        queries[split] = tuple(one for code in codes for one in by_language.get(code, ()))
        if not queries[split]:
            raise InputError(
                name, None, found=f"no query of the {split} split",
                expected="items with an English page, a page in another language and a split",
            )  # fmt: skip
    used = {item for some in queries.values() for one in some for item in one.items}
    used_items = {item: items[item] for item in sorted(used)}
    return RelevanceTask(name, chosen, others, used_items, queries, config)


def _items(collection: Collection) -> dict[str, TranslatedItem]:
    """The items that have a query in the collection, each with all its pages."""
    pages: dict[str, dict[str, Document]] = {}
    for document in collection.documents():
        name = document.doc_id.removeprefix(f"{document.language}:")
        pages.setdefault(name, {})[document.language] = document
    judgments = collection.judgments()
    items = {}
    for query in collection.queries():
        name, split = query.query_id, query.metadata.get("split")
        if split not in set(Split) or PIVOT not in pages.get(name, {}):
            continue
        judged = judgments.get(name, {}).items()
        related = {doc_id.partition(":")[2] for doc_id, grade in judged if grade == RELATED}
        items[name] = TranslatedItem(name, Split(split), pages[name], frozenset(related))
    return items


def _languages(items: Mapping[str, TranslatedItem]) -> list[str]:
    """All languages but English, the one with the most pages first."""
    counts: dict[str, int] = {}
    for item in items.values():
        for code in item.pages:
            counts[code] = counts.get(code, 0) + (code != PIVOT)
    return sorted((code for code, count in counts.items() if count), key=lambda c: (-counts[c], c))


def _supervised(languages: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """The languages with supervision: those in ``wanted``, or all but the rarest."""
    if missing := [code for code in wanted if code not in languages]:
        raise ConfigError(
            f"Found no pages in {', '.join(missing)}; there are some in {', '.join(languages)}."
        )
    if wanted:
        return tuple(wanted)
    return tuple(languages[: max(1, len(languages) - round(WITHOUT_SUPERVISION * len(languages)))])


def _title_queries(items: Mapping[str, TranslatedItem], language: str) -> dict[str, Query]:
    """Item -> its title as a query; untranslated titles and those of several items are left out."""
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
class _ItemGroup:
    """Items of a split that are candidates of one another, and the languages of their queries."""

    names: Sequence[str]
    languages: Sequence[str]


def _groups(
    items: Mapping[str, TranslatedItem],
    split: Split,
    languages: Sequence[str],
    supervised: Sequence[str],
    seed: int,
) -> list[_ItemGroup]:
    """The groups of a split; no language is in two of them.

    In training and in languages without supervision all items are candidates; otherwise those whose
    title in the language of the query is left out of their relevant queries.
    """
    names = [name for name, item in items.items() if item.split is split]
    names.sort(key=lambda name: next(draws("asked", seed, name)))
    if split is Split.TRAIN:
        return [_ItemGroup(names, languages)]
    held: dict[str, list[str]] = {code: [] for code in supervised}
    for name in names:
        if known := [code for code in supervised if code in items[name].pages]:
            held[known[next(draws("held", seed, name)) % len(known)]].append(name)
    others = [code for code in languages if code not in held]
    return [
        *(_ItemGroup(group, (code,)) for code, group in held.items()),
        _ItemGroup(names, others),
    ]


def ask_by_lead_sentences(task: RelevanceTask) -> RelevanceTask:
    """The same task with other queries: lead sentences of pages, without the words of their titles.

    A page without such a sentence is still asked for by its title; candidates are the same.
    """
    queries = {
        split: tuple(replace(one, query=_lead_sentence(task, one)) for one in some)
        for split, some in task.queries.items()
    }
    return replace(task, queries=queries)


def _lead_sentence(task: RelevanceTask, one: QueryCandidates) -> Query:
    page = task.items[one.items[0]].pages[one.query.language]
    sentence = first_sentence(page.text.split("\n"))
    return replace(one.query, text=without_title_words(sentence, page.title) or one.query.text)


@contextmanager
def _candidate_sampler(
    items: Mapping[str, TranslatedItem],
    group: Sequence[str],
    config: RelevanceTaskConfig,
    *,
    learning: bool,
) -> Iterator["_CandidateSampler"]:
    """The sampler of a group, over an index of its pool that is removed afterwards."""
    pool = sorted(group[: config.pool])
    documents = [items[name].document for name in pool]
    with temporary_index(documents, "bm25", {"translate": False}) as index:
        yield _CandidateSampler(items, group, pool, index, config, learning)


@dataclass(frozen=True, slots=True)
class _CandidateSampler:
    """Queries for the items of a group -> their candidates from that group."""

    items: Mapping[str, TranslatedItem]
    group: Sequence[str]
    pool: Sequence[str]  # that negatives are taken from
    index: Index  # of the pool's documents
    config: RelevanceTaskConfig
    learning: bool

    def sample_queries(
        self, queries: Mapping[str, Query], most: int | None
    ) -> Iterator[QueryCandidates]:
        """The queries for items of the group with their candidates, at most ``most``."""
        for name in sorted([name for name in self.group if name in queries][:most]):
            yield self._with_candidates(queries[name], name)

    def _with_candidates(self, query: Query, name: str) -> QueryCandidates:
        """The query's own item first, then related, hard and sampled ones."""
        config, item = self.config, self.items[name]
        related = [] if self.learning else sorted(item.related & set(self.group))[: config.related]
        hard_wanted = config.hard if self.learning else config.hard_candidates
        wanted = config.negatives if self.learning else config.candidates - 1 - len(related)
        hard = self._hard(item, hard_wanted)
        known = {name, *item.related, *hard}
        others = sample(self.pool, wanted - len(hard), known, (config.seed, query.query_id))
        grades = (RELEVANT, *(RELATED for _ in related), *(0 for _ in (*hard, *others)))
        return QueryCandidates(query, (name, *related, *hard, *others), grades, frozenset(hard))

    def _hard(self, item: TranslatedItem, most: int) -> list[str]:
        """Items that BM25 retrieves for the English title, best first, none of them related.

        A page without a title is searched for by its first words.
        """
        known = {item.name, *item.related}
        text = item.document.title or " ".join(item.document.text.split()[:FIRST_WORDS])
        title = Query(item.name, text, PIVOT)
        hits = self.index.rank(title, most + len(known), Scope()).hits
        names = [hit.doc_id.partition(":")[2] for hit in hits]
        return [name for name in names if name not in known][:most]
