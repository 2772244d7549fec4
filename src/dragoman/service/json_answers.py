"""Values -> JSON that any reader accepts, whatever documents hold."""

from typing import Any

from pydantic_core import PydanticSerializationError, to_json
from starlette.responses import Response


def json_bytes(value: object) -> bytes:
    """The value as JSON: numbers that JSON lacks are null, lone surrogates are replaced."""
    try:
        return to_json(value, inf_nan_mode="null")
    except (PydanticSerializationError, UnicodeEncodeError):
        return to_json(_readable(value), inf_nan_mode="null")


def json_response(value: object, status: int = 200) -> Response:
    """An answer of JSON."""
    return Response(json_bytes(value), status, media_type="application/json")


def _readable(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """The same value without lone surrogates, which no UTF-8 has."""
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {_readable(key): _readable(one) for key, one in value.items()}
        case list() | tuple():
            return [_readable(one) for one in value]
        case _:
            return value
