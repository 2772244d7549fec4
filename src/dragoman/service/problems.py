"""Errors -> problem+json (RFC 9457) with a stable code, without paths or tracebacks."""

import logging
import re
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dragoman.errors import (
    ConfigError,
    DragomanError,
    IndexFault,
    UnknownLanguage,
    UnknownName,
    UserError,
)
from dragoman.service.json_answers import json_bytes
from dragoman.service.request_ids import request_id

logger = logging.getLogger("dragoman.service")

MEDIA_TYPE = "application/problem+json"
CODES: Mapping[type[UserError], str] = {  # the first that fits
    UnknownLanguage: "unknown_language",
    UnknownName: "unknown_name",
    ConfigError: "bad_value",
    UserError: "bad_request",
}
GONE = 499  # status where the client left before its answer, as in nginx
LONGEST_DETAIL = 500  # characters; what was found may be long


class Problem(HTTPException):
    """An error with a stable code, answered as problem+json."""

    def __init__(
        self, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(status, detail, dict(headers) if headers else None)
        self.code = code


class Abandoned(Exception):
    """The client is gone, or its time is up: the result would reach no one."""


def problem_of(error: Exception) -> Problem:
    """The problem that an error is answered with."""
    match error:
        case Problem():
            return error
        case HTTPException():
            phrase = HTTPStatus(error.status_code).phrase
            return Problem(error.status_code, _code(phrase), error.detail or phrase, error.headers)
        case RequestValidationError():
            return Problem(422, "invalid_parameters", _invalid(error))
        case UserError() if not isinstance(error, IndexFault):
            code = next(code for kind, code in CODES.items() if isinstance(error, kind))
            return Problem(400, code, str(error))
        case DragomanError():
            detail = "The index cannot answer now; the log of the service has the reason."
            return Problem(503, "index_unavailable", detail, {"Retry-After": "5"})
        case _:
            detail = "The service failed; its log has the reason under the request id."
            return Problem(500, "internal_error", detail)


def problem_response(problem: Problem, identifier: str) -> Response:
    """The answer that reports a problem."""
    fields = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status_code).phrase,
        "status": problem.status_code,
        "detail": problem.detail[:LONGEST_DETAIL],
        "code": problem.code,
        "request_id": identifier,
    }
    return Response(json_bytes(fields), problem.status_code, problem.headers, MEDIA_TYPE)


async def answer_error(request: Request, error: Exception) -> Response:
    """The answer to a request whose handling raised ``error``."""
    if isinstance(error, Abandoned):
        return Response(status_code=GONE)
    problem = problem_of(error)
    if problem.status_code >= 500 and not isinstance(error, Problem):
        logger.error("%s failed", request.url.path, exc_info=error)
    return problem_response(problem, request_id(request.scope))


def _code(phrase: str) -> str:
    """A phrase of HTTP as a code: ``Not Found`` is ``not_found``."""
    return re.sub(r"\W+", "_", phrase.lower())


def _invalid(error: RequestValidationError) -> str:
    """The parameters that are wrong, and why, in one line."""
    reasons = [
        f"{'.'.join(str(part) for part in one['loc'][1:]) or one['loc'][0]}: {one['msg']}"
        for one in error.errors()
    ]
    return "; ".join(reasons)
