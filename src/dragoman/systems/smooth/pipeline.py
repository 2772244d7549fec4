"""The whole of ``dragoman train smooth``: a collection by its path -> a model in a folder.

The training works in a hidden folder beside the target. When it is interrupted or killed, the same
call goes on from its last checkpoint; the model takes its place when all is done.
"""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import dragoman
from dragoman.embeddings.readers.loader import open_vectors
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import ConfigError
from dragoman.protocols import Stage, no_stages
from dragoman.storage.staging import staged_folder
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.grid import candidates, search_thresholds
from dragoman.systems.smooth.objective import build_loss
from dragoman.systems.smooth.training import (
    SmoothDataset,
    TrainedSmooth,
    build_dataset,
    train,
    training_batches,
)
from dragoman.systems.smooth.training_data import TEST, SmoothTrainingData, read_training_data
from dragoman.systems.smooth.validation import values_per_query
from dragoman.systems.smooth.vocabulary import SmoothTokenizer
from dragoman.text.collection import Collection
from dragoman.text.languages import canonical
from dragoman.training.distributed import is_main_process, process_count, wait_for_everyone
from dragoman.training.trainer import LOG


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
    """Train on a collection and save the model; the report that is saved with it.

    ``vectors`` are folders of saved vectors or ``"en=FILE"``. ``search`` takes the thresholds from
    a grid search of short trainings.
    """
    main = is_main_process()
    stage = stage if main else no_stages
    reader = SmoothTokenizer(config.model)
    material = read_training_data(
        Collection.open(source), reader, languages, stage("reading", None)
    )
    build_loss(config, material.classes)  # refuses thresholds that do not fit before the long work
    given = load_vectors(vectors, material)
    numbered = build_dataset(material, config, given)
    if search:
        advance = stage("thresholds", len(candidates(config, material.classes)))
        best = search_thresholds(numbered, config, given, advance=advance)[0]
        config = replace(config, thresholds=best.thresholds)
    work = output.with_name(f".{output.name}.training")
    if main:
        if restart:
            shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True, exist_ok=True)
    wait_for_everyone()
    steps = len(training_batches(numbered, config)) // process_count() * config.train.epochs
    advance = stage("training", steps)
    trained = train(numbered, config, given, folder=work, advance=advance)
    report = trained.model.facts = _report(numbered, trained, config)
    if main:
        with staged_folder(output) as staged:
            trained.model.write(staged)
            shutil.copyfile(work / LOG, staged / LOG)
        shutil.rmtree(work)
    wait_for_everyone()
    return report


def load_vectors(sources: Iterable[str], material: SmoothTrainingData) -> dict[str, WordVectors]:
    """The vectors that ``sources`` name, by language; a folder is asked for every language."""
    found: dict[str, WordVectors] = {}
    spoken = sorted({code for code, _ in [*material.queries, *material.documents]})
    for source in sources:
        named, given, path = source.partition("=")
        codes = [canonical(named)] if given else spoken
        for code in codes:
            if code in found:
                raise ConfigError(f"found two sources of word vectors for {code}; expected one")
            found[code] = open_vectors(Path(path if given else source), code)
    return found


def _report(
    numbered: SmoothDataset, trained: TrainedSmooth, config: SmoothConfig
) -> dict[str, Any]:
    pairs = numbered.material.pairs[TEST]
    values = values_per_query(numbered.material, pairs, numbered.scores(trained.model, pairs))
    sizes = {split: len(found) for split, found in numbered.material.pairs.items()}
    return {
        "collection": numbered.material.name,
        "dragoman": dragoman.__version__,
        "settings": config.as_settings(),
        "pairs": sizes,
        "epochs": len(trained.epochs),
        "best_epoch": trained.best_epoch,
        "test_queries": len(next(iter(values.values()))),
        "test": {name: float(column.mean()) for name, column in values.items()},
    }
