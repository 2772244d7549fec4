"""Every registered system with a small model, over words that stand on axes in two languages."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from dragoman.embeddings.word_vectors import WordVectors
from dragoman.systems.bilda.config import SamplingSchedule, TopicConfig
from dragoman.systems.bilda.model import TopicModel
from dragoman.types import Document
from toys import toy_encoder

AXES = {
    "en": {"water": 0, "fire": 1, "man": 2, "house": 3, "bread": 4},
    "sw": {"maji": 0, "moto": 1, "mtu": 2, "nyumba": 3, "mkate": 4},
}
DOCUMENTS = [
    Document("en-water", "water in the house", language="en"),
    Document("en-fire", "fire fire fire", language="en", metadata={"hot": True}),
    Document("sw-water", "maji na mkate", language="sw"),
    Document("sw-fire", "moto wa nyumba", language="sw", metadata={"hot": True}),
    Document("de-water", "Wasser im Haus", language="de"),
    Document("en-empty", "...", language="en"),
]
OCCURRENCES = 1000  # of each word in the texts that topics would have been learnt from

Settings = Mapping[str, object]


def settings_of(name: str, folder: Path) -> Settings:
    """The settings that build a system on ``AXES``; its models are written into ``folder``."""
    if name in ("bm25", "idf", "psq", "tf"):
        return {}
    if name == "hybrid":
        return {"dense": _readers(folder)}
    if name in ("dense", "nbow", "wasserstein"):
        return _readers(folder)
    if name == "threshold":
        return {"vectors": _word_vectors(folder)}
    _SAVE[name](folder)
    return {"model": str(folder / "model")}


def _readers(folder: Path) -> Settings:
    for language, axes in AXES.items():
        toy_encoder(language, axes).save(folder / language)
    return {
        "encoder": str(folder / "en"),
        "students": [str(folder / "sw")],
        "shipped_students": False,
    }


def _word_vectors(folder: Path) -> list[str]:
    for language, axes in AXES.items():
        rows = np.eye(8, dtype=np.float32)[[*axes.values()]]
        WordVectors(language, tuple(axes), rows).save(folder / language)
    return [str(folder / language) for language in AXES]


def _save_topics(folder: Path) -> None:
    """A topic for each axis."""
    topics = max(len(axes) for axes in AXES.values())
    places = [axis for axes in AXES.values() for axis in axes.values()]
    counts = csr_array(OCCURRENCES * np.eye(topics, dtype=np.int64)[places])
    TopicModel(
        TopicConfig(
            topics=topics, alpha=0.1, schedule=SamplingSchedule(burn_in=10, every=5, sweeps=20)
        ),
        tuple(AXES),
        tuple(map(tuple, AXES.values())),
        counts,
        np.full((len(AXES), topics), OCCURRENCES),
        1,
    ).save(folder / "model")


def _save_smooth(folder: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra neural")
    from smooth_examples import toy_model

    toy_model(AXES).save(folder / "model")


def _save_searcher(folder: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra neural")
    from toy_searcher import toy_model

    toy_model(AXES).save(folder / "model")


def _relevance(architecture: str) -> Callable[[Path], None]:
    def save(folder: Path) -> None:
        pytest.importorskip("torch", reason="needs the extra neural")
        from toy_relevance import toy_model

        toy_model(AXES, architecture, folder / "encoder").save(folder / "model")

    return save


_SAVE: Mapping[str, Callable[[Path], None]] = {
    "bilda": _save_topics,
    "searcher": _save_searcher,
    "smooth": _save_smooth,
    **{name: _relevance(name) for name in ("interactive", "non-interactive", "semi-interactive")},
}
