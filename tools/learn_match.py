"""Learn when a hit is a good, a fair or a weak match, and measure it on other collections.

    python tools/learn_match.py DATA DEBIAN_PACKAGES WORK [--write]

DATA is the folder with ``questions/``, ``afriqa-*/``, ``xquad-r/`` and ``kubernetes-docs/``,
DEBIAN_PACKAGES the output of `dragoman collection debian-packages`; indexes are made in WORK. About
half of the articles (or pages, or neighbouring packages) of a collection are left out of its index,
so that nothing good can be found for their queries. Each query is asked as it is and as three
keywords. Models are fitted on the first collections; the others are for the test alone.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from match_collections import Asked, AskedCollection, test_collections, training_collections
from scipy.stats import rankdata

import dragoman
from dragoman.indexes.filters import Filter
from dragoman.indexes.search.match import DATA, FORMAT, MatchModel, match_features
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.system import System
from dragoman.ranking.balance import Balance
from dragoman.scores.logistic import LogisticModel
from dragoman.systems.hybrid.system import Hybrid
from dragoman.types import FloatArray, Query

KEYWORDS = 3
KINDS = ("question", "keywords")
SYSTEMS = ("hybrid", "psq", "dense")
MISSED = 0.05  # share of right best hits that may be called weak; at most .10 on the test
SURE = 0.9  # share of right ones among good ones, if as many queries have an answer as have none
NOTHING = -99.0  # log-odds of a ranking without hits


class Best(NamedTuple):
    """The best hit of a system for a query."""

    collection: str
    system: str
    kind: str
    is_answerable: bool
    is_right: bool
    features: list[float] | None  # None where there is no hit


def best_hits(collection: AskedCollection, work: Path) -> Iterator[Best]:
    """The best hits of the three systems, all of them in one index."""
    folder = work / collection.name
    if not folder.is_dir():
        dragoman.index(collection.documents, folder, system="hybrid").close()
    with dragoman.open(folder) as index, index.snapshot() as snapshot:
        index.warm_up()
        hybrid = index.system
        assert isinstance(hybrid, Hybrid)
        systems = {"hybrid": hybrid, "psq": hybrid.psq, "dense": hybrid.dense}
        for asked in collection.asked:
            for kind, query in zip(
                KINDS, (asked.query, shortened(hybrid, asked.query)), strict=True
            ):
                for name, system in systems.items():
                    right, features = best_hit(system, snapshot, asked, query)
                    yield Best(collection.name, name, kind, bool(asked.right), right, features)


def best_hit(
    system: System, snapshot: Snapshot, asked: Asked, query: Query
) -> tuple[bool, list[float] | None]:
    """Whether the best hit is right, and its features."""
    scope = Scope(Filter(languages=asked.within), Balance.CALIBRATED)
    hits = system.search(snapshot, query, 1, scope).hits
    if not hits:
        return False, None
    evidence = system.evidence(snapshot, query, snapshot.numbers_of([hits[0].doc_id]))  # type: ignore[attr-defined]
    return hits[0].doc_id in asked.right, match_features(query, evidence)[0]


def shortened(hybrid: Hybrid, query: Query) -> Query:
    """The longest words of a query that are no stop words, in their order."""
    tokens = hybrid.psq.analyzer.tokens(query.text, query.language)  # type: ignore[attr-defined]
    words = [*dict.fromkeys(token.surface for token in tokens)]
    longest = sorted(words, key=len, reverse=True)[:KEYWORDS]
    text = " ".join(word for word in words if word in longest)
    return Query(query.query_id, text or query.text, query.language)


def learnt(best: Sequence[Best]) -> MatchModel:
    """The model of one system; each collection, kind and outcome counts the same."""
    usable = [one for one in best if one.features and (one.is_right or not one.is_answerable)]
    cells = [(one.collection, one.kind, one.is_right) for one in usable]
    counts = np.array([1000.0 / cells.count(cell) for cell in cells])
    features = np.array([one.features for one in usable])
    right = np.array([one.is_right for one in usable])
    model = LogisticModel.fit(features, right, counts)
    odds = np.array([model.log_odds(one.features or []) for one in usable])
    return MatchModel(model, fair_from(odds, right, counts), good_from(odds, right, counts))


def fair_from(odds: FloatArray, right: FloatArray, counts: FloatArray) -> float:
    """The log-odds below which few right hits are."""
    order = np.argsort(odds[right])
    share = np.cumsum(counts[right][order]) / counts[right].sum()
    return float(odds[right][order][np.searchsorted(share, MISSED)])


def good_from(odds: FloatArray, right: FloatArray, counts: FloatArray) -> float:
    """The log-odds above which nearly all hits are right."""
    order = np.argsort(-odds)
    counted = counts[order]
    precision = np.cumsum(counted * right[order]) / np.cumsum(counted)
    sure = np.flatnonzero(precision >= SURE)
    return float(odds[order][sure[-1]]) if len(sure) else float(odds.max())


def report(best: Sequence[Best], models: Mapping[str, MatchModel]) -> None:
    """Print a line for each collection, system and kind of query."""
    print(
        f"{'collection':22}{'system':8}{'queries':10}{'right':>6}{'none':>6}{'AUC':>7}"
        f"{'right: weak':>13}{'good':>6}{'none: weak':>12}{'good':>6}"
    )
    for name in dict.fromkeys(one.collection for one in best):
        for system in SYSTEMS:
            for kind in KINDS:
                mine = [o for o in best if o[:3] == (name, system, kind)]
                print(f"{name:22}{system:8}{kind:10}{figures(mine, models[system])}", flush=True)


def figures(best: Sequence[Best], model: MatchModel) -> str:
    """AUC, and the shares of weak and good among right hits and where there is no answer."""
    odds = [model.model.log_odds(one.features) if one.features else NOTHING for one in best]
    right = np.array([o for o, one in zip(odds, best, strict=True) if one.is_right])
    none = np.array([o for o, one in zip(odds, best, strict=True) if not one.is_answerable])
    wins = rankdata(np.append(right, none))[: len(right)].sum() - len(right) * (len(right) + 1) / 2
    area = wins / (len(right) * len(none))
    shares = [
        float(share)
        for odds_of in (right, none)
        for share in ((odds_of < model.fair).mean(), (odds_of >= model.good).mean())
    ]
    return (
        f"{len(right):6}{len(none):6}{area:7.3f}"
        f"{shares[0]:13.3f}{shares[1]:6.2f}{shares[2]:12.3f}{shares[3]:6.2f}"
    )


def main() -> None:
    """Fit, print the figures of both halves, and write the models where that is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    for name in ("data", "debian_packages", "work"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--write", action="store_true", help="replace the models of the package")
    given = parser.parse_args()
    training = [
        best
        for one in training_collections(given.data, given.debian_packages)
        for best in best_hits(one, given.work)
    ]
    models = {name: learnt([one for one in training if one.system == name]) for name in SYSTEMS}
    for name, (model, fair, good) in models.items():
        print(name, f"bias {model.bias:.2f} weights", *(f"{w:.2f}" for w in model.weights), end=" ")
        print(f"fair from {fair:.2f} good from {good:.2f}")
    print("\ntraining")
    report(training, models)
    print("\ntest")
    report([b for one in test_collections(given.data) for b in best_hits(one, given.work)], models)
    if given.write:
        FORMAT.write(DATA, {"systems": {name: facts(model) for name, model in models.items()}})


def facts(model: MatchModel) -> dict[str, object]:
    """A model as it is written, in few digits."""
    return {
        "bias": round(model.model.bias, 3),
        "weights": [round(weight, 3) for weight in model.model.weights],
        "fair": round(model.fair, 3),
        "good": round(model.good, 3),
    }


if __name__ == "__main__":
    main()
