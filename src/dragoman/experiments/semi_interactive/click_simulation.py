"""Pages in several languages -> the click log of a simulated search engine (section 5.4).

The paper mines relevant queries from the log of a shop. Here users are simulated: each wants an
item, types a few words of its page in their language (never just its title), and sees the first
hits of a translation-based engine (psq) among the English documents. The probability of looking at
a hit falls with its rank (the position bias of Craswell et al. 2008); a hit that was looked at is
clicked if it is relevant, with noise both ways. The frequencies of queries differ widely, so that
many hits were shown only a few times.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.errors import ConfigError
from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.semi_interactive.task import RELATED, RELEVANT, TranslatedItem
from dragoman.indexes.search.scope import Scope
from dragoman.text.collections.sentences import WORD, fold_text, sentences
from dragoman.text.collections.splits import draws
from dragoman.tokens.stopwords import full_list
from dragoman.types import Click, Document, Query, Ranking

FIRST_STAGE = "psq"
SHORTEST = 3  # letters of a word that users type


@dataclass(frozen=True, kw_only=True, slots=True)
class ClickConfig:
    """How users type, look and click."""

    queries: int = 3  # different ones for an item, in each language
    fewest_words: int = 2
    most_words: int = 4
    depth: int = 10  # hits on a page
    sessions: float = 20.0  # with the same query, on average
    steepness: float = 1.0  # rank r is looked at with probability r ** -steepness
    relevant: float = 0.8  # probability of a click on a hit that was looked at
    related: float = 0.3
    noise: float = 0.05  # the same for an irrelevant hit
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
                "clicks must be likelier the more relevant a hit is, got"
                f" {self.noise}, {self.related} and {self.relevant}"
            )


@dataclass(frozen=True, slots=True)
class SimulatedLog:
    """The log, and the items that its users wanted, which no real log contains."""

    clicks: tuple[Click, ...]
    wanted: Mapping[tuple[str, str], str]  # language and query -> item


def simulate(
    items: Sequence[TranslatedItem], languages: Sequence[str], config: ClickConfig
) -> SimulatedLog:
    """The log of an engine with the items' English documents and queries in ``languages``."""
    wanted: dict[tuple[str, str], str] = {}
    for item in items:
        for code in languages:
            if code in item.pages:
                for text in type_queries(item.pages[code], config):
                    wanted.setdefault((code, text), item.name)
    queries = [Query(str(n), text, code) for n, (code, text) in enumerate(wanted)]
    with temporary_index([item.document for item in items], FIRST_STAGE) as index:
        shown = list(index.rank_all(queries, config.depth, Scope()))
    named = {item.name: item for item in items}
    targets = [named[name] for name in wanted.values()]
    clicks = _clicks(queries, targets, shown, config)
    return SimulatedLog(tuple(clicks), wanted)


def type_queries(page: Document, config: ClickConfig) -> list[str]:
    """The queries of users who want this page: words of its title and of one of its sentences."""
    stops = full_list(page.language)
    title = _content_words(page.title, stops)
    paragraphs = page.text.split("\n")
    drawn = draws("typed", config.seed, page.doc_id)
    queries: dict[str, None] = {}
    for _ in range(config.queries):
        some = sentences(paragraphs[next(drawn) % len(paragraphs)])
        sentence = some[next(drawn) % len(some)] if some else ""
        words = list(dict.fromkeys([*title, *_content_words(sentence, stops)]))
        size = config.fewest_words + next(drawn) % (config.most_words - config.fewest_words + 1)
        chosen = sorted(words, key=lambda _: next(drawn))[:size]
        if len(chosen) == size:
            queries[" ".join(word for word in words if word in chosen)] = None
    return [text for text in queries if text != fold_text(page.title)]


def _content_words(text: str, stops: Collection[str]) -> list[str]:
    words = (word.casefold() for word in WORD.findall(text))
    return [word for word in words if len(word) >= SHORTEST and word not in stops]


def examination_probabilities(config: ClickConfig) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The probability of looking at the hit of each rank, 1 for the first."""
    return np.arange(1, config.depth + 1, dtype=np.float64) ** -config.steepness


def _clicks(
    queries: Sequence[Query],
    targets: Sequence[TranslatedItem],
    shown: Sequence[Ranking],
    config: ClickConfig,
) -> Iterator[Click]:
    rng = np.random.default_rng(config.seed)
    looked_at = examination_probabilities(config)
    sessions = rng.geometric(1 / config.sessions, len(queries))
    likely = {RELEVANT: config.relevant, RELATED: config.related, 0: config.noise}
    for query, target, ranking, times in zip(queries, targets, shown, sessions, strict=True):
        for rank, hit in enumerate(ranking.hits):
            grade = _grade(target, hit.doc_id.partition(":")[2])
            clicks = int(rng.binomial(times, looked_at[rank] * likely[grade]))
            yield Click(query.text, hit.doc_id, int(times), clicks, query.language)


def _grade(target: TranslatedItem, name: str) -> int:
    if name == target.name:
        return RELEVANT
    return RELATED if name in target.related else 0
