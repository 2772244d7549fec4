"""Trainings of the three architectures -> their results, saved on disk and reused by a second call.

RUNS/NAME.json      settings, epochs, scores of every candidate of the test, representations
RUNS/NAME.model     the trained model
RUNS/teachers/      the scores of the interactive model for the training pairs
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.experiments.group_means import mean_of_groups
from dragoman.experiments.run_cache import as_json, load_result, save_result
from dragoman.experiments.sampling import evenly_spaced
from dragoman.experiments.semi_interactive.plan import (
    INTERACT,
    QueryContext,
    RelevanceTraining,
    upper_limit,
)
from dragoman.experiments.semi_interactive.scales import RelevanceScale
from dragoman.experiments.semi_interactive.space import RepresentationSpace, measure_space
from dragoman.experiments.semi_interactive.task import (
    RELATED,
    RELEVANT,
    QueryCandidates,
    RelevanceTask,
)
from dragoman.experiments.semi_interactive.values import AUC, measure_languages
from dragoman.protocols import Advance, no_progress
from dragoman.systems.semi_interactive import (
    RelevanceArchitecture,
    RelevanceExample,
    RelevanceModel,
    load_model,
    refuse_leaks,
    train,
)
from dragoman.systems.semi_interactive.tokenized_examples import tokenize_examples
from dragoman.systems.semi_interactive.training import validation_measures
from dragoman.text.collections.catalogue import PIVOT
from dragoman.text.collections.splits import Split
from dragoman.training.pretraining.model import COMPARES
from dragoman.types import FloatArray, Query

RelevantQueries = Mapping[str, tuple[Query, ...]]  # by document
DOCUMENT = f"{PIVOT} documents"


@dataclass(frozen=True, slots=True)
class RelevanceData:
    """The data of all trainings: the task, the documents' relevant queries, the encoder."""

    task: RelevanceTask
    contexts: Mapping[QueryContext, RelevantQueries]
    encoder: Path
    encoder_digest: str

    def examples(
        self, queries: Iterable[QueryCandidates], context: QueryContext, *, related: bool = False
    ) -> list[RelevanceExample]:
        """One example for each candidate; related candidates are included on request.

        No document has relevant queries in the language of the query (see the task).
        """
        items = self.task.items
        return [
            RelevanceExample(
                one.query,
                items[name].document,
                self.relevant(name, context, without=one.query.language),
                float(grade == RELEVANT),
            )
            for one in queries
            for name, grade in zip(one.items, one.grades, strict=True)
            if related or grade != RELATED
        ]

    def relevant(self, name: str, context: QueryContext, *, without: str = "") -> tuple[Query, ...]:
        """The relevant queries of an item's document, except those in the language ``without``."""
        queries = self.contexts[context].get(self.task.items[name].document.doc_id, ())
        return tuple(query for query in queries if query.language != without)

    def signature(self, context: QueryContext) -> dict[str, str]:
        """Digests of the data; a saved result with others is not reused."""
        digest = sha256()
        for doc_id, queries in sorted(self.contexts[context].items()):
            digest.update(repr((doc_id, [query.text for query in queries])).encode())
        return {
            "task": self.task.fingerprint,
            "relevant queries": digest.hexdigest()[:12],
            "encoder": self.encoder_digest,
        }


@dataclass(frozen=True, slots=True)
class RelevanceTrainingResult:
    """The scores of a trained model on the test, and its training log."""

    name: str
    settings: Mapping[str, Any]
    epochs: tuple[Mapping[str, Any], ...]
    seconds: float
    validation: Mapping[str, float]  # its measures on the pairs that chose the best epoch
    scores: FloatArray  # of every candidate of every test query, in their order
    crossed: FloatArray | None  # the same, with relevant queries if it was trained without them
    fitted: float  # AUC of training pairs
    space: RepresentationSpace | None

    @property
    def learning_rate(self) -> float:
        """That of the training."""
        return float(self.settings["config"]["learning_rate"])


def encoder_digest(folder: Path) -> str:
    """Twelve digits that depend on an encoder's parameters, settings and tokenizer."""
    digest = sha256()
    for name in ("config.json", "model.safetensors", "tokenizer.json", COMPARES):
        if (folder / name).is_file():
            digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:12]


def over_seeds(
    results: Mapping[str, RelevanceTrainingResult], name: str
) -> list[RelevanceTrainingResult]:
    """A training and its repetitions with other seeds, the same learning rate."""
    first = results[name]
    repetitions = (one for one in results.values() if one.settings.get("repeats") == name)
    rate = first.learning_rate
    return [first, *(one for one in repetitions if one.learning_rate == rate)]


def is_trained(
    run: RelevanceTraining, data: RelevanceData, scale: RelevanceScale, folder: Path
) -> bool:
    """Whether ``folder`` has the result of a training with the same settings."""
    settings = _settings(run, data, scale)
    return load_result(folder / f"{run.folder}.json", {"settings": settings}) is not None


def run_training(
    run: RelevanceTraining,
    data: RelevanceData,
    scale: RelevanceScale,
    folder: Path,
    advance: Advance = no_progress,
) -> RelevanceTrainingResult:
    """The result of a training, from ``folder`` where it has one with the same settings.

    A training with INTERACT as its teacher needs that model in ``folder``.
    """
    settings = _settings(run, data, scale)
    path = folder / f"{run.folder}.json"
    result = _saved_result(path, settings)
    if result is None:
        result = replace(_train(run, data, scale, folder, advance), settings=settings)
        _save(path, result)
    return result


def _settings(run: RelevanceTraining, data: RelevanceData, scale: RelevanceScale) -> dict[str, Any]:
    sizes = {
        "training pairs": scale.fitted,
        "points": scale.pictured,
        "validations": scale.validations,
    }
    return as_json({**asdict(run), **data.signature(run.context), **sizes})


def _train(
    run: RelevanceTraining,
    data: RelevanceData,
    scale: RelevanceScale,
    folder: Path,
    advance: Advance,
) -> RelevanceTrainingResult:
    task = data.task
    examples = {split: data.examples(task.queries[split], run.context) for split in Split}
    for some in examples.values():
        refuse_leaks(some, task.evaluated)
    teacher = upper_limit(scale).model_in(folder) if run.teacher == INTERACT else run.teacher
    started = time.process_time()
    trained = train(
        examples[Split.TRAIN],
        examples[Split.VALIDATION],
        data.encoder,
        run.config,
        run.model_in(folder),
        teacher=teacher or None,
        validations=scale.validations,
        advance=advance,
    )
    seconds = time.process_time() - started
    model = load_model(run.model_in(folder))
    held_out = tokenize_examples(examples[Split.VALIDATION], model.input_builder, run.config)
    training = task.queries[Split.TRAIN]
    sampled = evenly_spaced(training, max(1, scale.fitted // len(training[0].items)))
    fitted = measure_languages(sampled, score(model, data, sampled, run.context))[AUC]
    return RelevanceTrainingResult(
        name=run.name,
        settings={},
        epochs=tuple(asdict(epoch) for epoch in trained.epochs),
        seconds=seconds,
        validation=validation_measures(model, held_out),
        scores=score(model, data, task.queries[Split.TEST], run.context),
        crossed=_crossed_scores(model, run, data) if run.crossed else None,
        fitted=mean_of_groups(fitted, task.supervised),
        space=_space(model, data, run.context, scale.pictured) if run.pictured else None,
    )


def score(
    model: RelevanceModel,
    data: RelevanceData,
    queries: Sequence[QueryCandidates],
    context: QueryContext,
) -> FloatArray:
    """One score for every candidate of every query."""
    return model.score_pairs(data.examples(queries, context, related=True))


def _crossed_scores(
    model: RelevanceModel, run: RelevanceTraining, data: RelevanceData
) -> FloatArray:
    """The test scores of Table 4 with the other input: with queries if it was trained without.

    A model that was trained with relevant queries is tested without them instead. Both encode
    documents with the same encoder, so only the input differs.
    """
    semi = run.config.architecture is RelevanceArchitecture.SEMI_INTERACTIVE
    other = (
        RelevanceArchitecture.NON_INTERACTIVE if semi else RelevanceArchitecture.SEMI_INTERACTIVE
    )
    model.config = replace(run.config, architecture=other)
    try:
        return score(model, data, data.task.queries[Split.TEST], run.context)
    finally:
        model.config = run.config


def _space(
    model: RelevanceModel, data: RelevanceData, context: QueryContext, most: int
) -> RepresentationSpace:
    """The representations of training queries and documents, at most ``most`` of each language."""
    task = data.task
    by_language: dict[str, list[QueryCandidates]] = {}
    for one in task.queries[Split.TRAIN]:
        by_language.setdefault(one.query.language, []).append(one)
    chosen = [one for some in by_language.values() for one in evenly_spaced(some, max(1, most))]
    names = list(dict.fromkeys(one.items[0] for one in chosen))[:most]
    documents = [task.items[name].document for name in names]
    relevant = [data.relevant(name, context) for name in names]
    vectors = np.concatenate(
        [
            model.encode_queries([one.query for one in chosen]),
            model.encode_documents(documents, relevant),
        ]
    )
    labels = [one.query.language for one in chosen] + [DOCUMENT] * len(documents)
    return measure_space(vectors, labels)


def _saved_result(path: Path, settings: Mapping[str, Any]) -> RelevanceTrainingResult | None:
    saved = load_result(path, {"settings": settings})
    if saved is None:
        return None
    saved["epochs"] = tuple(saved["epochs"])
    for name in ("scores", "crossed"):
        saved[name] = None if saved[name] is None else np.array(saved[name])
    if (space := saved["space"]) is not None:
        space["points"] = tuple(map(tuple, space["points"]))
        for name in ("labels", "shares"):
            space[name] = tuple(space[name])
        saved["space"] = RepresentationSpace(**space)
    return RelevanceTrainingResult(**saved)


def _save(path: Path, result: RelevanceTrainingResult) -> None:
    fields = {name: getattr(result, name) for name in RelevanceTrainingResult.__dataclass_fields__}
    for name in ("scores", "crossed"):
        column = fields[name]
        fields[name] = None if column is None else column.tolist()
    fields["space"] = None if result.space is None else asdict(result.space)
    save_result(path, fields)
