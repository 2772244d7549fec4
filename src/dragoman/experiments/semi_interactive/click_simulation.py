"""Pages in several languages -> a click log of a search engine that never was (section 5.4).

The paper mines relevant queries from the log of a shop. Here users are simulated: each has an item
in mind, types a few words of its page in their language (never just its title), and is shown what a
translation-based engine (psq) ranks first among the English documents. Whether a result is looked
at falls with its rank (the position bias of Craswell et al. 2008), and what was looked at is
clicked if it is relevant, with noise both ways. How often a query is asked differs widely, so that
many of its results were shown only a few times.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.errors import ConfigError
from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.semi_interactive.task import RELATED, RELEVANT, Item
from dragoman.indexes.search.scope import Scope
from dragoman.text.collections.sentences import WORD, fold_text, sentences
from dragoman.text.collections.splits import draws
from dragoman.tokens.stopwords import full_list
from dragoman.types import Click, Document, Query, Ranking

FIRST_STAGE = "psq"
SHORTEST = 3  # letters of a word that users type


@dataclass(frozen=True, kw_only=True, slots=True)
class ClickConfig:
    """How users ask, look and click."""

    queries: int = 3  # different ones about an item, in each language
    fewest_words: int = 2
    most_words: int = 4
    depth: int = 10  # results on a page
    sessions: float = 20.0  # that a query is asked in, on average
    steepness: float = 1.0  # rank r is looked at with probability r ** -steepness
    relevant: float = 0.8  # how likely what was looked at is clicked
    related: float = 0.3
    noise: float = 0.05  # the same for what has nothing to do with the query
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.fewest_words <= self.most_words:
            raise ConfigError(
                f"a query must have words, got {self.fewest_words} to {self.most_words} of them"
            )
        if self.sessions < 1 or self.steepness < 0 or self.depth < 1:
            raise ConfigError(
                "sessions and depth must be 1 or more and steepness 0 or more, got"
                f" {self.sessions}, {self.depth} and {self.steepness}"
            )
        if not 0 <= self.noise <= self.related <= self.relevant <= 1:
            raise ConfigError(
                "clicks must be likelier the more relevant a result is, got"
                f" {self.noise}, {self.related} and {self.relevant}"
            )


@dataclass(frozen=True, slots=True)
class SimulatedLog:
    """The log, and what its users had in mind, which no real log tells."""

    clicks: tuple[Click, ...]
    wanted: Mapping[tuple[str, str], str]  # language and query -> item


def simulate(items: Sequence[Item], languages: Sequence[str], config: ClickConfig) -> SimulatedLog:
    """The log of an engine with the items' English documents, asked in ``languages``."""
    wanted: dict[tuple[str, str], str] = {}
    for item in items:
        for code in languages:
            if code in item.pages:
                for text in typed(item.pages[code], config):
                    wanted.setdefault((code, text), item.name)
    asked = [Query(str(n), text, code) for n, (code, text) in enumerate(wanted)]
    with temporary_index([item.document for item in items], FIRST_STAGE) as index:
        shown = list(index.rank_all(asked, config.depth, Scope()))
    named = {item.name: item for item in items}
    targets = [named[name] for name in wanted.values()]
    clicks = _clicks(asked, targets, shown, config)
    return SimulatedLog(tuple(clicks), wanted)


def typed(page: Document, config: ClickConfig) -> list[str]:
    """What users who want this page type: words of its title and of one of its sentences."""
    stops = full_list(page.language)
    told = _telling(page.title, stops)
    paragraphs = page.text.split("\n")
    drawn = draws("typed", config.seed, page.doc_id)
    found: dict[str, None] = {}
    for _ in range(config.queries):
        some = sentences(paragraphs[next(drawn) % len(paragraphs)])
        sentence = some[next(drawn) % len(some)] if some else ""
        words = list(dict.fromkeys([*told, *_telling(sentence, stops)]))
        size = config.fewest_words + next(drawn) % (config.most_words - config.fewest_words + 1)
        chosen = sorted(words, key=lambda _: next(drawn))[:size]
        if len(chosen) == size:
            found[" ".join(word for word in words if word in chosen)] = None
    return [text for text in found if text != fold_text(page.title)]


def _telling(text: str, stops: Collection[str]) -> list[str]:
    words = (word.casefold() for word in WORD.findall(text))
    return [word for word in words if len(word) >= SHORTEST and word not in stops]


def examined(config: ClickConfig) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """How likely the result at each rank is looked at, the first one always."""
    return np.arange(1, config.depth + 1, dtype=np.float64) ** -config.steepness


def _clicks(
    asked: Sequence[Query],
    targets: Sequence[Item],
    shown: Sequence[Ranking],
    config: ClickConfig,
) -> Iterator[Click]:
    rng = np.random.default_rng(config.seed)
    looked_at = examined(config)
    sessions = rng.geometric(1 / config.sessions, len(asked))
    likely = {RELEVANT: config.relevant, RELATED: config.related, 0: config.noise}
    for query, target, ranking, times in zip(asked, targets, shown, sessions, strict=True):
        for rank, hit in enumerate(ranking.hits):
            grade = _grade(target, hit.doc_id.partition(":")[2])
            clicks = int(rng.binomial(times, looked_at[rank] * likely[grade]))
            yield Click(query.text, hit.doc_id, int(times), clicks, query.language)


def _grade(target: Item, name: str) -> int:
    if name == target.name:
        return RELEVANT
    return RELATED if name in target.related else 0
