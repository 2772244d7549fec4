"""What MTEB records of a model: ``ModelMeta`` of psq, dense and hybrid."""

from collections.abc import Callable, Mapping
from typing import Any

from mteb.models.model_meta import ModelMeta

import dragoman
from dragoman.encoders.family import shipped_students
from dragoman.encoders.models import UNIVERSAL
from dragoman.integrations.mteb.language_codes import mteb_code
from dragoman.lexicons.shipped_lexicons import shipped_languages

ORGANIZATION = "dragoman"
SYSTEMS = ("psq", "dense", "hybrid")  # those that need neither a model nor training
KINDS: Mapping[str, str] = {
    **dict.fromkeys(("psq", "bm25", "tf", "idf"), "sparse"),
    "hybrid": "hybrid",
    "wasserstein": "late-interaction",
}  # of the others: dense


def model_metadata(
    system: str,
    loader: Callable[..., Any] | None = None,
    settings: Mapping[str, object] | None = None,
) -> ModelMeta:
    """The metadata of a system as MTEB stores them next to results.

    Settings that are not the defaults become an experiment of their own, with its own results.
    """
    encodes = system in ("dense", "hybrid")
    return ModelMeta(
        loader=loader,
        name=f"{ORGANIZATION}/{system}",
        revision=dragoman.__version__,
        release_date=None,
        languages=sorted({mteb_code(language) for language in _languages(system)}),
        n_parameters=None,
        memory_usage_mb=round(UNIVERSAL.size / 2**20) if encodes else None,
        max_tokens=None,
        embed_dim=UNIVERSAL.dimension if system == "dense" else None,
        license="apache-2.0",
        open_weights=True,
        public_training_code=None,
        public_training_data=None,
        framework=["ONNX"] if encodes else [],
        similarity_fn_name="dot" if system == "dense" else None,
        use_instructions=False,
        training_datasets=None,
        model_type=[KINDS.get(system, "dense")],
        experiment_kwargs=dict(settings) if settings else None,
    )


def _languages(system: str) -> set[str]:
    lexical = {"en", *shipped_languages()} if system != "dense" else set()
    if system == "psq":
        return lexical
    students = (student.languages for student in shipped_students())
    return lexical.union(UNIVERSAL.languages, *students)
