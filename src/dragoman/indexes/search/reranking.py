"""Re-ranking: another system scores the first documents of a ranking.

Any registered system can be the second stage of any first one. It is given the query and the texts
of the ``depth`` best documents and scores them by ``score``. With first scores f, second scores s
and a ``weight`` w,

    score = (1 - w) f / deviation(f) + w z(s)

where z standardises the second scores, per language where languages are balanced. What each
system added is in the hit's parts. Which documents are read depends on the ranking alone, not on
``k``, so a shorter answer is the beginning of a longer one.

A second stage may be given a time. It then reads the documents a few at a time, best first, and
stops when the next few would take too long; unread documents follow in their old order.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import rmtree
from typing import Protocol

import numpy as np

from dragoman import registry
from dragoman.errors import ConfigError, UserError
from dragoman.indexes.manifest import Manifest
from dragoman.indexes.saved_system import CONFIG, read_facts
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.system import System
from dragoman.protocols import Advance
from dragoman.ranking.balance import NEGLIGIBLE, Balance, ScoreScale, interleave, language_scales
from dragoman.storage.cache import cache_folder
from dragoman.types import Document, FloatArray, Hit, Query, ScorePart

ANY_GENERATION = -1  # of an index, whose documents a system does not look at
FIRST_FEW, FEW = 4, 32  # documents read before the clock is looked at: the first time, and at most
STEP = 1e-6  # between scores of documents that are not read, where first scores do not count


class Searchable(Protocol):
    """What a second stage asks of an index."""

    manifest: Manifest

    @property
    def system(self) -> System:
        """Its system."""
        ...

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """The state of this moment."""
        ...

    def rebuild(self, folder: Path, system: str, advance: Advance) -> None:
        """Build an index of the same documents by another system."""
        ...

    def open_index(self, folder: Path) -> "Searchable":
        """Another index."""
        ...


@dataclass(frozen=True, slots=True)
class Rerank:
    """The second stage: a registered system, or the folder of a saved one."""

    system: str
    weight: float = 0.5  # its share of the score
    depth: int = 100  # documents that it reads
    seconds: float | None = None  # that it may read for one query; None until it is done

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise ConfigError(f"seconds must be above 0, got {self.seconds}")
        if not 0 <= self.weight <= 1:
            raise ConfigError(f"weight must lie between 0 and 1, got {self.weight}")
        if self.depth < 1:
            raise ConfigError(f"depth must be 1 or more, got {self.depth}")

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for two runs to be comparable."""
        return asdict(self)

    @property
    def name(self) -> str:
        """What the second stage is called in a hit's parts."""
        return Path(self.system).name


def as_rerank(rerank: Rerank | str | None) -> Rerank | None:
    """The second stage that a caller names, if any."""
    if rerank is None or isinstance(rerank, Rerank):
        return rerank
    if isinstance(rerank, str):
        return Rerank(rerank)
    raise UserError(f"Found rerank = {rerank!r}; expected the name of a system, or a Rerank.")


class SecondStage(Protocol):
    """A system that is ready to score documents for a query."""

    def score(self, query: Query, documents: Sequence[Document]) -> FloatArray:
        """The score of each document; NaN where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Reranked:
    """The hits by both stages, and how many of those to be read there was no time for."""

    hits: tuple[Hit, ...]
    warnings: tuple[str, ...] = ()


def rerank_hits(
    query: Query,
    hits: Sequence[Hit],
    documents: Mapping[str, Document],
    second: SecondStage,
    rerank: Rerank,
    *,
    first: str,
    balance: Balance,
) -> Reranked:
    """The hits by both stages; ``first`` names a first stage that does not tell its parts.

    ``documents`` holds the hits to be read; one that is gone by now is left out. Those below
    ``depth``, and those that there is no time for, count like the worst that was read, and so stand
    below all of them in their old order.
    """
    chosen = [hit for hit in hits[: rerank.depth] if hit.doc_id in documents]
    if not chosen:
        return Reranked(tuple(hits[rerank.depth :]))
    scores = _scores_in_time(
        second, query, [documents[hit.doc_id] for hit in chosen], rerank.seconds
    )
    read, rest = chosen[: len(scores)], [*chosen[len(scores) :], *hits[rerank.depth :]]
    texts = [documents[hit.doc_id] for hit in read]
    languages = [document.language if balance is not Balance.OFF else "" for document in texts]
    added = rerank.weight * _scaled(scores, languages)
    factor = _factor(read, rerank.weight)
    fused = [
        _fused(hit, factor, first, ScorePart(rerank.name, float(score), float(share)))
        for hit, score, share in zip(read, scores, added, strict=True)
    ]
    worst = min(0.0, float(added.min()))
    below = [
        _below(hit, factor, first, worst if factor else worst - STEP * rank)
        for rank, hit in enumerate(rest, start=1)
    ]
    whole = (
        _in_turn(fused, languages, below)
        if balance is Balance.ROUND_ROBIN
        else _by_score([*fused, *below])
    )
    return Reranked(tuple(whole), _cut_short(rerank, len(chosen) - len(read)))


def _cut_short(rerank: Rerank, unread: int) -> tuple[str, ...]:
    """What to know of a second stage that could not read all that it should have."""
    if not unread:
        return ()
    return (
        f"{rerank.name} had {rerank.seconds:g} s, too short for {unread:,} of the best"
        f" {rerank.depth:,} documents; they stand below in the order of the first stage",
    )


def _scores_in_time(
    second: SecondStage, query: Query, documents: Sequence[Document], seconds: float | None
) -> FloatArray:
    """The second system's scores of the first documents, of as many as there is time for."""
    if seconds is None:
        return second_scores(second, query, documents)
    started = begun = time.monotonic()
    chunks: list[FloatArray] = []
    done, few = 0, FIRST_FEW
    while done < len(documents) and few > 0:
        chunks.append(second_scores(second, query, documents[done : done + few]))
        done += len(chunks[-1])
        now = time.monotonic()
        each = max(now - begun, 1e-9) / len(chunks[-1])
        few, begun = min(FEW, int((started + seconds - now) / each)), now
    return np.concatenate(chunks)


def second_scores(second: SecondStage, query: Query, documents: Sequence[Document]) -> FloatArray:
    """The second system's scores of the documents; NaN where it has none."""
    scores = np.asarray(second.score(query, documents), dtype=np.float64)
    return np.where(np.isfinite(scores), scores, np.nan)


def _scaled(scores: FloatArray, languages: Sequence[str]) -> FloatArray:
    """The scores on one scale, each language's by its own best; 0 where there is no score."""
    rows: dict[str, list[int]] = {}
    for row, code in enumerate(languages):
        if not np.isnan(scores[row]):
            rows.setdefault(code, []).append(row)
    scaled = language_scales({code: -np.sort(-scores[mine]) for code, mine in rows.items()})
    standardized = np.zeros(len(scores))
    for code, mine in rows.items():
        standardized[mine] = scaled[code].standardize(scores[mine])
    return standardized


def _factor(hits: Sequence[Hit], weight: float) -> float:
    """What first scores are multiplied with; none of them counts where they do not differ."""
    scale: ScoreScale = language_scales({"": np.array([hit.score for hit in hits])})[""]
    return (1.0 - weight) / scale.deviation if scale.deviation > NEGLIGIBLE else 0.0


def _fused(hit: Hit, factor: float, first: str, second: ScorePart) -> Hit:
    score = factor * hit.score + second.added
    parts = _first_parts(hit, factor, first)
    return Hit(hit.doc_id, score, parts if np.isnan(second.score) else (*parts, second))


def _below(hit: Hit, factor: float, first: str, worst: float) -> Hit:
    return Hit(hit.doc_id, factor * hit.score + worst, _first_parts(hit, factor, first))


def _first_parts(hit: Hit, factor: float, first: str) -> tuple[ScorePart, ...]:
    parts = hit.parts or (ScorePart(first, hit.score, hit.score),)
    return tuple(ScorePart(part.system, part.score, factor * part.added) for part in parts)


def _in_turn(read: Sequence[Hit], languages: Sequence[str], below: Sequence[Hit]) -> list[Hit]:
    """The documents that were read, one language after the other, then the rest as they stood."""
    lists: dict[str, list[Hit]] = {}
    for hit, code in zip(read, languages, strict=True):
        lists.setdefault(code, []).append(hit)
    mixed = interleave({code: _by_score(hits) for code, hits in lists.items()})
    ranked = enumerate(below, start=len(mixed) + 1)
    return [*mixed, *(Hit(hit.doc_id, 1.0 / rank, hit.parts) for rank, hit in ranked)]


def _by_score(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.doc_id))


@dataclass(frozen=True, slots=True)
class TextReader:
    """A system whose score of a document depends on no other."""

    system: System

    def score(self, query: Query, documents: Sequence[Document]) -> FloatArray:
        """The score of each document; NaN where there is none."""
        return self.system.score(None, query, documents)


@dataclass(frozen=True, slots=True)
class CollectionReader:
    """A system that weighs by statistics, and an index of the same documents that has them."""

    index: Searchable

    def score(self, query: Query, documents: Sequence[Document]) -> FloatArray:
        """The score of each document; NaN where there is none."""
        with self.index.snapshot() as snapshot:
            return self.index.system.score(snapshot, query, documents)


class SecondStages:
    """The second systems of one index, created on first use.

    A system that needs statistics gets an index of its own over the same documents, in the user's
    cache, outside the index, under the snapshot that it was made of.
    """

    def __init__(self, index: Searchable) -> None:
        self._index = index
        self._ready: dict[str, tuple[int, SecondStage]] = {}

    def ready(self, name: str, generation: int, advance: Advance) -> SecondStage:
        """The system called ``name``, or saved in the folder of that name."""
        known = self._ready.get(name)
        if known is not None and known[0] in (generation, ANY_GENERATION):
            return known[1]
        saved = Path(name)
        if name not in registry.SYSTEMS and (saved / CONFIG).is_file():
            self._ready[name] = ANY_GENERATION, TextReader(_reading_alone(saved))
        elif getattr(kind := registry.system(name), "reads_texts_alone", False):
            self._ready[name] = ANY_GENERATION, TextReader(kind.create(kind.configure({})))
        else:
            self._ready[name] = generation, self._indexed(name, generation, advance)
        return self._ready[name][1]

    def _indexed(self, name: str, generation: int, advance: Advance) -> CollectionReader:
        """An index of the same documents by another system, built where there is none."""
        folder = cache_folder() / "second" / self._index.manifest.identity
        target = folder / f"{generation}-{name}"
        if not target.is_dir():
            for older in folder.glob(f"*-{name}"):
                rmtree(older, ignore_errors=True)
            self._index.rebuild(target, name, advance)
        return CollectionReader(self._index.open_index(target))


def _reading_alone(folder: Path) -> System:
    """A saved system, refused where its scores depend on documents that are not here."""
    system = load_saved(folder)
    if not getattr(system, "reads_texts_alone", False):
        raise ConfigError(
            f"{folder}: found {system.name!r}, which weighs by the statistics of all documents;"
            f" expected a trained system. Name {system.name} itself and not a folder."
        )
    return system


def load_saved(folder: Path) -> System:
    """The system that was saved into ``folder``, whichever it is."""
    loaded: System = registry.system(read_facts(folder)["system"]).load(folder)
    return loaded
