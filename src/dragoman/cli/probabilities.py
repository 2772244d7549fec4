"""``dragoman search --min-probability``: only documents that are relevant with some certainty."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.errors import UserError

if TYPE_CHECKING:
    from dragoman.indexes.index import Index
    from dragoman.indexes.search.answer import Answer

MinProbability = Annotated[
    float,
    typer.Option(
        "--min-probability",
        min=0.0,
        max=1.0,
        help="Only documents that are relevant with at least this probability; needs an index whose"
        " system gives probabilities (searcher). Languages are then not balanced.",
    ),
]


def require_probabilities(index: "Index", rerank: str = "") -> None:
    """Refuse a search whose scores are not probabilities."""
    if not getattr(index.system, "gives_probabilities", False):
        raise UserError(
            f"{index.folder}: found the system {index.manifest.system}, whose scores are not"
            " probabilities; --min-probability needs an index made with --system searcher."
        )
    if rerank:
        raise UserError(
            f"--rerank {rerank} gives scores that are not probabilities; leave it out, or"
            " --min-probability."
        )


def with_probability(answer: "Answer", least: float) -> "Answer":
    """The answer without results below ``least``; scores are probabilities."""
    return replace(answer, results=tuple(one for one in answer.results if one.hit.score >= least))
