"""Trainings of the three architectures -> what each scored, kept on disk so that none is repeated.

RUNS/NAME.json      settings, epochs, scores of every candidate of the test, the space it fills
RUNS/NAME.model     the trained model
RUNS/teachers/      what the interactive model says of the training pairs
"""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.experiments.group_means import mean_of_groups
from dragoman.experiments.semi_interactive.plan import INTERACT, Context, Run, Scale, upper_limit
from dragoman.experiments.semi_interactive.space import Space, space_of
from dragoman.experiments.semi_interactive.task import RELATED, RELEVANT, Asked, RelevanceTask
from dragoman.experiments.semi_interactive.values import AUC, measured
from dragoman.protocols import Advance, no_progress
from dragoman.storage.staging import write_lines
from dragoman.systems.semi_interactive import (
    RelevanceArchitecture,
    RelevanceExample,
    RelevanceModel,
    load_model,
    refuse_leaks,
    train,
)
from dragoman.text.collections.catalogue import PIVOT
from dragoman.text.collections.splits import Split
from dragoman.training.pretraining.model import COMPARES
from dragoman.types import FloatArray, Query

Relevant = Mapping[str, tuple[Query, ...]]  # by document
DOCUMENT = f"{PIVOT} documents"


@dataclass(frozen=True, slots=True)
class Material:
    """What all trainings share: the task, the documents' relevant queries, the encoder."""

    task: RelevanceTask
    contexts: Mapping[Context, Relevant]
    encoder: Path
    encoder_digest: str

    def examples(
        self, asked: Iterable[Asked], context: Context, *, related: bool = False
    ) -> list[RelevanceExample]:
        """One example for each candidate; related ones are asked for where they are ranked.

        No document has relevant queries in the language of the question (see the task).
        """
        items = self.task.items
        return [
            RelevanceExample(
                one.query,
                items[name].document,
                self.relevant(name, context, without=one.query.language),
                float(grade == RELEVANT),
            )
            for one in asked
            for name, grade in zip(one.items, one.grades, strict=True)
            if related or grade != RELATED
        ]

    def relevant(self, name: str, context: Context, *, without: str = "") -> tuple[Query, ...]:
        """The relevant queries of an item's document, those in one language left out."""
        found = self.contexts[context].get(self.task.items[name].document.doc_id, ())
        return tuple(query for query in found if query.language != without)

    def signature(self, context: Context) -> dict[str, str]:
        """What must be equal for a kept result to hold."""
        told = sha256()
        for doc_id, queries in sorted(self.contexts[context].items()):
            told.update(repr((doc_id, [query.text for query in queries])).encode())
        return {
            "task": self.task.fingerprint,
            "relevant queries": told.hexdigest()[:12],
            "encoder": self.encoder_digest,
        }


@dataclass(frozen=True, slots=True)
class Result:
    """What a training came to."""

    name: str
    settings: Mapping[str, Any]
    epochs: tuple[Mapping[str, Any], ...]
    seconds: float
    scores: FloatArray  # of every candidate of every question of the test, in their order
    crossed: FloatArray | None  # the same, with relevant queries if it was trained without them
    fitted: float  # AUC of pairs that it was trained on
    space: Space | None


def encoder_digest(folder: Path) -> str:
    """Twelve digits that depend on an encoder's parameters, settings and tokenizer."""
    digest = sha256()
    for name in ("config.json", "model.safetensors", "tokenizer.json", COMPARES):
        if (folder / name).is_file():
            digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:12]


def perform(
    run: Run,
    material: Material,
    scale: Scale,
    folder: Path,
    advance: Advance = no_progress,
) -> Result:
    """The result of a run, from ``folder`` where it was done before with the same settings.

    A run that learns from INTERACT needs that one's model in ``folder``.
    """
    settings = _settings(run, material, scale)
    found = _performed_before(folder / f"{run.folder}.json", settings)
    if found is None:
        done = _performed(run, material, scale, folder, advance)
        found = replace(done, settings=settings)
        _keep(folder / f"{run.folder}.json", found)
    return found


def _settings(run: Run, material: Material, scale: Scale) -> dict[str, Any]:
    looked_at = {"training pairs": scale.fitted, "points": scale.pictured}
    plain = {**asdict(run), **material.signature(run.context), **looked_at}
    settings: dict[str, Any] = json.loads(json.dumps(plain))
    return settings


def _performed(
    run: Run,
    material: Material,
    scale: Scale,
    folder: Path,
    advance: Advance,
) -> Result:
    task = material.task
    parts = {split: material.examples(task.asked[split], run.context) for split in Split}
    for examples in parts.values():
        refuse_leaks(examples, task.evaluated)
    guide = upper_limit(scale).model_in(folder) if run.teacher == INTERACT else run.teacher
    started = time.process_time()
    trained = train(
        parts[Split.TRAIN],
        parts[Split.VALIDATION],
        material.encoder,
        run.config,
        run.model_in(folder),
        teacher=guide or None,
        advance=advance,
    )
    seconds = time.process_time() - started
    model = load_model(run.model_in(folder))
    some = _evenly(task.asked[Split.TRAIN], scale.fitted)
    fitted = measured(some, scored(model, material, some, run.context))[AUC]
    crossed = _crossed(model, run, material) if run.crossed else None
    return Result(
        name=run.name,
        settings={},
        epochs=tuple(asdict(epoch) for epoch in trained.epochs),
        seconds=seconds,
        scores=scored(model, material, task.asked[Split.TEST], run.context),
        crossed=crossed,
        fitted=mean_of_groups(fitted, task.supervised),
        space=_space(model, material, run.context, scale.pictured) if run.pictured else None,
    )


def scored(
    model: RelevanceModel, material: Material, asked: Sequence[Asked], context: Context
) -> FloatArray:
    """One score for every candidate of every question."""
    return model.score_pairs(material.examples(asked, context, related=True))


def _crossed(model: RelevanceModel, run: Run, material: Material) -> FloatArray:
    """The test of Table 4 that the training does not match: with queries it was trained without.

    A model that was trained with relevant queries is tested without them instead. Both read
    documents with the same encoder, so only what is read differs.
    """
    semi = run.config.architecture is RelevanceArchitecture.SEMI_INTERACTIVE
    other = (
        RelevanceArchitecture.NON_INTERACTIVE if semi else RelevanceArchitecture.SEMI_INTERACTIVE
    )
    model.config = replace(run.config, architecture=other)
    try:
        return scored(model, material, material.task.asked[Split.TEST], run.context)
    finally:
        model.config = run.config


def _space(model: RelevanceModel, material: Material, context: Context, most: int) -> Space:
    """Where queries of the training and their documents lie; as many of each language."""
    task = material.task
    by_language: dict[str, list[Asked]] = {}
    for one in task.asked[Split.TRAIN]:
        by_language.setdefault(one.query.language, []).append(one)
    chosen = [one for some in by_language.values() for one in _evenly(some, most, pairs=False)]
    names = list(dict.fromkeys(one.items[0] for one in chosen))[:most]
    documents = [task.items[name].document for name in names]
    beside = [material.relevant(name, context) for name in names]
    vectors = np.concatenate(
        [
            model.encode_queries([one.query for one in chosen]),
            model.encode_documents(documents, beside),
        ]
    )
    labels = [one.query.language for one in chosen] + [DOCUMENT] * len(documents)
    return space_of(vectors, labels)


def _evenly(asked: Sequence[Asked], most: int, *, pairs: bool = True) -> list[Asked]:
    """Some of the questions, from the first to the last, with about ``most`` pairs in all."""
    each = len(asked[0].items) if pairs else 1
    count = min(len(asked), max(1, most // each))
    return [asked[place * len(asked) // count] for place in range(count)]


def _performed_before(path: Path, settings: Mapping[str, Any]) -> Result | None:
    if not path.is_file():
        return None
    saved = json.loads(path.read_text(encoding="utf-8"))
    if saved["settings"] != settings:
        return None
    saved["epochs"] = tuple(saved["epochs"])
    for name in ("scores", "crossed"):
        saved[name] = None if saved[name] is None else np.array(saved[name])
    if (space := saved["space"]) is not None:
        space["points"] = tuple(map(tuple, space["points"]))
        for name in ("labels", "shares"):
            space[name] = tuple(space[name])
        saved["space"] = Space(**space)
    return Result(**saved)


def _keep(path: Path, result: Result) -> None:
    plain = {key: getattr(result, key) for key in Result.__dataclass_fields__}
    for name in ("scores", "crossed"):
        column = plain[name]
        plain[name] = None if column is None else column.tolist()
    plain["space"] = None if result.space is None else asdict(result.space)
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_lines(path) as stream:
        stream.write(json.dumps(plain) + "\n")
