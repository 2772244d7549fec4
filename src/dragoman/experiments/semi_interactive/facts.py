"""Settings, data and versions of a reproduction, as lines of its report."""

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch
import transformers

import dragoman
from dragoman.experiments.semi_interactive.experiment import RelevanceReproduction
from dragoman.experiments.semi_interactive.plan import QueryContext
from dragoman.text.collections.splits import Split
from dragoman.training.pretraining.pipeline import FACTS as PRETRAINED
from dragoman.training.pretraining.pipeline import FORMAT as PRETRAINING


def facts(results: RelevanceReproduction) -> dict[str, object]:
    """Settings, data and versions, which must be equal for two reports to be comparable."""
    task = results.task
    sizes = {
        f"{split} queries": f"{len(some):,} ({_by_language([o.query.language for o in some])}),"
        f" {sum(len(one.items) for one in some):,} pairs"
        for split, some in task.queries.items()
    }
    return {
        "collection": task.name,
        "languages with supervision": ", ".join(task.supervised),
        "languages without": ", ".join(task.unsupervised) or "none",
        "English documents": f"{len(task.items):,}",
        **sizes,
        "encoder": f"{_encoder(results.data.encoder)}, {results.data.encoder_digest}",
        **_encoder_training(results.data.encoder),
        **_relevant_queries(results),
        "scale": f"{results.scale.name}: {results.scale}",
        "task": task.fingerprint,
        "dragoman": dragoman.__version__,
        "torch": f"{torch.__version__}, transformers {transformers.__version__}",
        "python": f"{platform.python_version()}, {platform.machine()}",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }


def _relevant_queries(results: RelevanceReproduction) -> dict[str, str]:
    """How many relevant queries the test documents have, and what the simulated log holds."""
    relevant = [
        len(
            results.data.relevant(one.items[0], QueryContext.READY_MADE, without=one.query.language)
        )
        for one in results.task.queries[Split.TEST]
    ]
    most = results.scale.base.relevant_queries
    facts = {
        "relevant queries of a test document": f"{np.mean(np.minimum(relevant, most)):.1f} of at"
        f" most {most} on average, {np.mean(np.array(relevant) > 0):.0%} have any"
    }
    if (mined := results.mined) is not None:
        facts["simulated log"] = (
            f"{mined.queries:,} queries, {mined.impressions:,} impressions, {mined.clicks:,}"
            f" clicks; {mined.documents:.0%} of the documents have mined queries, {mined.right:.0%}"
            " of these are from users who wanted that document"
        )
    return facts


def _by_language(codes: Sequence[str]) -> str:
    return ", ".join(f"{code} {codes.count(code):,}" for code in dict.fromkeys(codes))


def _encoder(folder: Path) -> str:
    config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
    return (
        f"{folder.name} ({config.model_type}, {config.num_hidden_layers} layers of"
        f" {config.hidden_size}, {config.vocab_size:,} tokens)"
    )


def _encoder_training(folder: Path) -> dict[str, str]:
    """The training data of an encoder pre-trained here; empty for other encoders."""
    if not (folder / PRETRAINED).is_file():
        return {}
    facts = PRETRAINING.read(folder / PRETRAINED)
    folders: dict[str, list[str]] = {}
    for name in facts["bitext"]:
        above, _, pair = name.rpartition("/")
        folders.setdefault(above, []).append(pair)
    files = "; ".join(
        f"{above} ({', '.join(pairs)})" if above else ", ".join(pairs)
        for above, pairs in folders.items()
    )
    return {"encoder learnt from": f"{facts['pairs']['training']:,} sentence pairs: {files}"}
