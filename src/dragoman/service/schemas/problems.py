"""Errors as the API answers them."""

from typing import Any

from pydantic import BaseModel, Field


class ProblemAnswer(BaseModel):
    """A problem after RFC 9457; programs decide by ``code``, which stays the same."""

    type: str = Field(examples=["about:blank"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["No index is named 'letters'; there are: demo-index."])
    code: str = Field(examples=["unknown_index"])
    request_id: str = Field(examples=["9f2c4e1ab0d35c77"])


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problems that a route may answer with, for the OpenAPI document."""
    content = {
        "application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemAnswer"}}
    }
    every = dict.fromkeys((400, 422, *statuses, 429, 503))
    return {status: {"description": DESCRIPTIONS[status], "content": content} for status in every}


DESCRIPTIONS = {
    400: "A value or the request as a whole is wrong",
    401: "A key is needed",
    403: "The key or the origin of the request does not allow it",
    404: "There is no such index or document",
    408: "The body came too slowly",
    409: "The state of the index or of the service does not allow it",
    410: "The cursor has expired; search again",
    413: "The body is too large",
    415: "The body is of another type",
    422: "A parameter is missing, unknown or out of range",
    429: "Too many requests of this client; Retry-After says when to try again",
    503: "Too much to do at the moment; Retry-After says when to try again",
    507: "The disk of the service is full",
}
