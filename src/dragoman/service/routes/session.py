"""Sessions of browsers: a key is entered once and becomes a cookie that no script can read."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from dragoman.service.bodies import read_json
from dragoman.service.json_answers import json_response
from dragoman.service.schemas.problems import problems
from dragoman.service.schemas.writes import KeyBody, SessionAnswer, json_body
from dragoman.service.security.callers import Caller, Security, caller_of_key, session_of
from dragoman.service.security.keys import KeyScope
from dragoman.service.security.sessions import COOKIE, LIFETIME
from dragoman.service.state import ChosenState

router = APIRouter(tags=["service"], responses=problems(401, 403))

LARGEST = 1_000  # bytes of a body with a key


@router.get("/session", response_model=SessionAnswer)
async def show_session(request: Request, state: ChosenState) -> Response:
    """What the caller may do, and whether a key is needed."""
    caller: Caller | None = request.scope["state"].get("caller")
    return json_response(session_fields(state.security, caller))


@router.post("/session", response_model=SessionAnswer, openapi_extra=json_body(KeyBody))
async def start_session(request: Request, state: ChosenState) -> Response:
    """Exchange a key for a session; the cookie is sent with every request of this browser."""
    security = state.security
    body = await read_json(request, KeyBody, LARGEST)
    if not security.keys_needed:
        return json_response(session_fields(security, request.scope["state"].get("caller")))
    key = security.key_or_problem(body.key.strip(), request.scope)
    response = json_response(session_fields(security, caller_of_key(key)))
    response.set_cookie(
        COOKIE,
        security.sessions.start(key),
        max_age=int(LIFETIME),
        path="/",
        secure=_is_encrypted(request),
        httponly=True,
        samesite="strict",
    )
    return response


@router.delete("/session", status_code=204, response_class=Response)
async def end_session(request: Request, state: ChosenState) -> Response:
    """End the session of this browser."""
    if session := session_of(request.headers.get("cookie", "")):
        state.security.sessions.end(session)
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response


def _is_encrypted(request: Request) -> bool:
    """Whether the browser sees TLS; behind a proxy, which needs keys, it says so."""
    forwarded = request.headers.get("x-forwarded-proto", "")
    return request.url.scheme == "https" or forwarded.strip().lower() == "https"


def session_fields(security: Security, caller: Caller | None) -> dict[str, Any]:
    """What a caller may do, as the API answers it."""
    scopes = [one.value for one in KeyScope if caller is not None and caller.scope.includes(one)]
    return {
        "key_needed": security.keys_needed,
        "scopes": scopes,
        "name": caller.name if caller else "",
        "indexes": [*caller.indexes] if caller else [],
    }
