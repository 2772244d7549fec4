"""Why a document matches a query."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from dragoman.indexes.index import Index
from dragoman.indexes.search.explanation_view import explanation_fields, view_explanation
from dragoman.lexicons.gloss import TextPiece
from dragoman.service.json_answers import json_response
from dragoman.service.routes.documents import stored_document
from dragoman.service.schemas.documents import ExplainParameters, ExplanationAnswer
from dragoman.service.schemas.problems import problems
from dragoman.service.state import ChosenIndex, ChosenState
from dragoman.text.languages import name

router = APIRouter(tags=["search"])


@router.get("/explain", response_model=ExplanationAnswer, responses=problems(404))
async def explain(
    request: Request,
    state: ChosenState,
    index: ChosenIndex,
    wanted: Annotated[ExplainParameters, Query()],
) -> Response:
    """The words of a query and a document that match, and the passage glossed."""
    fields = await state.workers.run(request.receive, lambda _: explained_fields(index, wanted))
    return json_response(fields)


def explained_fields(index: Index, wanted: ExplainParameters) -> dict[str, Any]:
    """The explanation as JSON, with the names of its languages."""
    stored_document(index, wanted.id)
    shown = view_explanation(index, wanted.query, wanted.id, wanted.language)
    fields = explanation_fields(shown)
    document = fields["document"]
    document["language_name"] = name(document["language"])
    return {
        **fields,
        "language_name": name(fields["language"]),
        "reason": shown.reason,
        "words_score": shown.explanation.score,
        "pieces": pieces_fields(shown.passage.pieces),
        "title_pieces": pieces_fields(shown.title.pieces),
        "title_words": [asdict(piece) for piece in shown.title.gloss],
    }


def pieces_fields(pieces: Iterable[TextPiece]) -> list[dict[str, str]]:
    """The pieces of a text without their stems."""
    return [{"surface": piece.surface, "word": piece.word} for piece in pieces]
