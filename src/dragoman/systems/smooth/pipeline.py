"""The steps of ``dragoman train smooth``: a collection by its path -> a model in a folder.

An interrupted or killed training resumes from its last checkpoint when called again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import dragoman
from dragoman.embeddings.readers.loader import open_vectors
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import ConfigError
from dragoman.protocols import Stage, no_stages
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.grid import candidates, search_thresholds
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.objective import build_loss
from dragoman.systems.smooth.training import (
    SmoothDataset,
    build_dataset,
    train,
    training_batches,
)
from dragoman.systems.smooth.training_data import TEST, SmoothTrainingData, read_training_data
from dragoman.systems.smooth.validation import values_per_query
from dragoman.systems.smooth.vocabulary import SmoothTokenizer
from dragoman.text.collection import Collection
from dragoman.text.languages import canonical
from dragoman.training.distributed import is_main_process
from dragoman.training.loop import planned_steps
from dragoman.training.trainer import TrainedModel
from dragoman.training.workspace import open_workspace, publish


def run_pipeline(
    source: str | Path,
    config: SmoothConfig,
    output: Path,
    *,
    languages: tuple[str, str] | None = None,
    vectors: Sequence[str] = (),
    search: bool = False,
    restart: bool = False,
    stage: Stage = no_stages,
) -> dict[str, Any]:
    """Train on a collection and save the model; returns the report that is saved with it.

    ``vectors`` are folders of saved vectors or ``"en=FILE"``. ``search`` chooses the thresholds by
    a grid search of short trainings.
    """
    stage = stage if is_main_process() else no_stages
    tokenizer = SmoothTokenizer(config.model)
    data = read_training_data(Collection.open(source), tokenizer, languages, stage("reading", None))
    build_loss(config, data.classes)  # refuses unfit thresholds before the long work
    given = load_vectors(vectors, data)
    dataset = build_dataset(data, config, given)
    if search:
        advance = stage("thresholds", len(candidates(config, data.classes)))
        best = search_thresholds(dataset, config, given, advance=advance)[0]
        config = replace(config, thresholds=best.thresholds)
    work = open_workspace(output, restart=restart)
    steps = planned_steps(len(training_batches(dataset, config)), config.train.epochs)
    advance = stage("training", steps)
    trained = train(dataset, config, given, folder=work, advance=advance)
    report = trained.model.facts = _report(dataset, trained, config)
    publish(work, output, trained.model.write)
    return report


def load_vectors(sources: Iterable[str], data: SmoothTrainingData) -> dict[str, WordVectors]:
    """The vectors of ``sources`` by language; a folder is searched for every language."""
    vectors: dict[str, WordVectors] = {}
    languages = sorted({code for code, _ in [*data.queries, *data.documents]})
    for source in sources:
        named, given, path = source.partition("=")
        codes = [canonical(named)] if given else languages
        for code in codes:
            if code in vectors:
                raise ConfigError(f"found two sources of word vectors for {code}; expected one")
            vectors[code] = open_vectors(Path(path if given else source), code)
    return vectors


def _report(
    dataset: SmoothDataset, trained: TrainedModel[SmoothModel], config: SmoothConfig
) -> dict[str, Any]:
    pairs = dataset.data.pairs[TEST]
    values = values_per_query(dataset.data, pairs, dataset.scores(trained.model, pairs))
    sizes = {split: len(some) for split, some in dataset.data.pairs.items()}
    return {
        "collection": dataset.data.name,
        "dragoman": dragoman.__version__,
        "settings": config.as_settings(),
        "pairs": sizes,
        "epochs": len(trained.epochs),
        "best_epoch": trained.best_epoch,
        "test_queries": len(next(iter(values.values()))),
        "test": {name: float(column.mean()) for name, column in values.items()},
    }
