"""Ranks of finished rows as JSON files, so that a stopped experiment continues where it was."""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from dragoman.experiments.run_cache import load_result, save_result
from dragoman.experiments.wasserstein.paired_documents import PairedDocuments
from dragoman.experiments.wasserstein.runs import RankRun, TableSystem, run_system
from dragoman.protocols import Advance
from dragoman.text.fingerprints import fingerprint_documents, fingerprint_queries
from dragoman.types import Query

RULES = 1  # raised with every change that gives a row other ranks


def saved_run(
    folder: Path,
    pairs: PairedDocuments,
    system: TableSystem,
    queries: Sequence[Query],
    query_side: int,
    advance: Advance,
) -> RankRun:
    """The saved run of the same row, texts and queries; where there is none, it is run and saved.

    A row whose vectors or topics were learnt from other files has other folders in its settings.
    """
    languages = pairs.languages[query_side], pairs.languages[1 - query_side]
    key = {
        "rules": RULES,
        "row": [system.section, system.label, system.system],
        "settings": {name: repr(value) for name, value in sorted(system.settings.items())},
        "languages": languages,
        "documents": fingerprint_documents([*pairs.documents(0), *pairs.documents(1)]),
        "queries": fingerprint_queries(queries),
    }
    path = folder / f"{blake2b(repr(key).encode(), digest_size=8).hexdigest()}.json"
    if (saved := load_result(path, key)) is not None:
        advance(len(queries))
        return RankRun(system, *languages, np.array(saved["ranks"], dtype=float))
    run = run_system(pairs, system, queries, query_side, advance)
    save_result(path, {**key, "ranks": run.ranks.tolist()})
    return run
