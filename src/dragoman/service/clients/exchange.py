"""Calls -> HTTP requests; answers -> JSON or errors that say what to do."""

import json
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

import dragoman
from dragoman.errors import ServiceError, UserError
from dragoman.service.clients.address import ServiceAddress
from dragoman.service.clients.calls import Call, Operation
from dragoman.service.clients.retries import BUSY, Retries, retry_after

T = TypeVar("T")

LARGEST_ANSWER = 256_000_000  # bytes
CONNECT_SECONDS = 5.0
NOT_UNDERSTOOD = (KeyError, TypeError, ValueError, AttributeError, LookupError)


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a service, read to its end."""

    status: int
    headers: httpx.Headers
    content: bytes


@dataclass(frozen=True)
class Exchange:
    """What both clients share: how requests are made, and what their answers mean."""

    address: ServiceAddress
    key: str
    seconds: float
    retries: Retries

    def __post_init__(self) -> None:
        if not (self.key.isascii() and self.key.isprintable()) or " " in self.key:
            raise UserError("Found a key with blanks or other letters; expected one as in dgm_...")

    @property
    def options(self) -> dict[str, Any]:
        """The settings of a client of httpx."""
        headers = {"User-Agent": f"dragoman/{dragoman.__version__}", "X-Dragoman": "1"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        return {
            "headers": headers,
            "timeout": httpx.Timeout(self.seconds, connect=CONNECT_SECONDS),
            "follow_redirects": False,  # which might take the key elsewhere
            "trust_env": not self.address.is_loopback,
        }

    def request(self, call: Call) -> dict[str, Any]:
        """The arguments of a request."""
        arguments: dict[str, Any] = {
            "method": call.method,
            "url": f"{self.address.base}{call.path}",
            "params": call.parameters or None,
        }
        if call.body is not None:
            text = json.dumps(call.body)  # escaped, so that a lone surrogate is sent, too
            arguments["content"] = text.encode()
            arguments["headers"] = {"Content-Type": "application/json"}
        return arguments

    def wait_after(self, attempt: int, outcome: Reply | httpx.TransportError) -> float | None:
        """The seconds to wait until the next attempt; None where the outcome stands."""
        if isinstance(outcome, Reply):
            if outcome.status not in BUSY:
                return None
            return self.retries.wait(attempt, retry_after(outcome.headers.get("retry-after")))
        if isinstance(outcome, httpx.ConnectError | httpx.ConnectTimeout):
            return self.retries.wait(attempt) if attempt < self.retries.connections else None
        if isinstance(outcome, httpx.TimeoutException | httpx.UnsupportedProtocol):
            return None
        return self.retries.wait(attempt)

    def result(self, outcome: Reply | httpx.TransportError, attempts: int) -> Any:  # noqa: ANN401
        """The JSON of an answer; every other outcome is an error."""
        if not isinstance(outcome, Reply):
            raise self._unreachable(outcome)
        if outcome.status == 204:
            return None
        try:
            fields = json.loads(outcome.content)
        except (ValueError, RecursionError):
            fields = None
        if 200 <= outcome.status < 300 and fields is not None:
            return fields
        raise self._refused(outcome, fields, attempts)

    def too_large(self) -> ServiceError:
        """The error for an answer that does not end."""
        return ServiceError(f"{self.address}: an answer has more than {LARGEST_ANSWER:,} bytes.")

    def not_understood(self, error: Exception) -> ServiceError:
        """The error for JSON that lacks what was expected."""
        return ServiceError(
            f"{self.address}: the answer lacks what dragoman {dragoman.__version__} expects"
            f" ({type(error).__name__}: {error}). Is the service of the same version?"
        )

    def _unreachable(self, error: httpx.TransportError) -> ServiceError:
        if isinstance(error, httpx.TimeoutException) and not isinstance(
            error, httpx.ConnectTimeout
        ):
            return ServiceError(f"{self.address}: no answer within {self.seconds:g} seconds.")
        reason = str(error) or type(error).__name__
        return ServiceError(
            f"{self.address}: no service can be reached ({reason}). Check the address;"
            " `dragoman serve INDEX` starts a service."
        )

    def _refused(self, reply: Reply, fields: Any, attempts: int) -> ServiceError:  # noqa: ANN401
        if not isinstance(fields, dict) or "detail" not in fields or "code" not in fields:
            kind = reply.headers.get("content-type", "no content type")
            return ServiceError(
                f"{self.address}: answered {reply.status} ({kind}), which is not how a service of"
                " dragoman answers. Check the address.",
                reply.status,
            )
        detail, code = str(fields["detail"]), str(fields["code"])
        if code == "key_needed":
            detail = "This service needs a key: set DRAGOMAN_KEY, or give --key-file."
        if reply.status in BUSY and attempts > 1:
            detail += f" It was tried {attempts} times."
        if reply.status >= 500:
            detail += f" (request {fields.get('request_id', '')})"
        return ServiceError(f"{self.address}: {detail}", reply.status, code)


def resume(
    steps: Operation[T],
    exchange: Exchange,
    fields: Any = None,  # noqa: ANN401
    error: ServiceError | None = None,
) -> tuple[Call | None, T | None]:
    """The next call of an operation, after an answer or an error; None and its result at its end.

    Without either, the operation begins.
    """
    try:
        return (steps.throw(error) if error is not None else steps.send(fields)), None
    except StopIteration as done:
        return None, done.value
    except UserError:
        raise
    except NOT_UNDERSTOOD as wrong:
        raise exchange.not_understood(wrong) from wrong
