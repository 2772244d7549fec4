"""Bodies of requests, read up to their limits and checked against their schema."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect

from dragoman.service.limits import too_large
from dragoman.service.problems import Problem

AT_ONCE = 1 << 18  # bytes that one step of a thread takes

Schema = TypeVar("Schema", bound=BaseModel)


def media_type(request: Request) -> str:
    """The type of a body, without parameters, in lower case."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def refuse_other_type(request: Request, *expected: str) -> None:
    """Refuse a body of another type."""
    if media_type(request) not in expected:
        shown = media_type(request) or "no Content-Type"
        detail = f"Found {shown}; expected {' or '.join(expected)}."
        raise Problem(415, "wrong_content_type", detail)


def declared_size(request: Request) -> int:
    """The size that a client says its body has; 0 where it does not say."""
    size = request.headers.get("content-length", "")
    return int(size) if size.isdecimal() and len(size) < 20 else 0


async def body_chunks(request: Request, most: int) -> AsyncIterator[bytes]:
    """The pieces of a body; more than ``most`` bytes are a problem, as is a client that leaves."""
    size = 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size > most:
                raise too_large(most)
            if chunk:
                yield chunk
    except ClientDisconnect as error:
        raise Problem(400, "client_gone", "The client left before its body ended.") from error


async def write_body(request: Request, most: int, write: Callable[[bytes], object]) -> None:
    """Hand a body to ``write`` in pieces, in a thread: the disk may be slow."""
    waiting = bytearray()
    async for chunk in body_chunks(request, most):
        waiting += chunk
        if len(waiting) >= AT_ONCE:
            await asyncio.to_thread(write, bytes(waiting))
            waiting.clear()
    await asyncio.to_thread(write, bytes(waiting))


async def read_json(request: Request, schema: type[Schema], most: int) -> Schema:
    """A body of JSON as its schema has it."""
    refuse_other_type(request, "application/json")
    body = b"".join([chunk async for chunk in body_chunks(request, most)])
    return parse_json(schema, body)


def parse_json(schema: type[Schema], body: bytes, place: str = "") -> Schema:
    """JSON as its schema has it; ``place`` says where it is, in a problem's detail."""
    try:
        return schema.model_validate_json(body)
    except ValidationError as error:
        reasons = [
            f"{'.'.join(map(str, one['loc'])) or 'body'}: {one['msg']}"
            for one in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        detail = place + "; ".join(reasons[:5])
        raise Problem(422, "invalid_body", detail) from error
