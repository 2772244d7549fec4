"""Requests by a name that the service is known by; all others are refused.

Any web page can have its own name resolve to 127.0.0.1 (DNS rebinding) and so read what a service
on loopback answers, as if it were its own. The Host header then has the page's name. Ports are not
looked at: a page cannot choose its name by them, and a tunnel changes them.
"""

from collections.abc import Iterable
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope

from dragoman.errors import UserError
from dragoman.service.problems import Problem, problem_response
from dragoman.service.request_ids import request_id

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def host_name(host: str) -> str:
    """The name in a Host header or an address, without its port, in lower case."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower().removesuffix(".")


def is_loopback(address: str) -> bool:
    """Whether only processes of this machine reach an address."""
    if address.lower() == "localhost":
        return True
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False


def allowed_names(address: str, further: Iterable[str] = ()) -> tuple[str, ...]:
    """The names by which a service that listens on ``address`` may be called."""
    names = [*LOOPBACK, *map(host_name, further)]
    try:
        own = ip_address(address.strip("[]"))
    except ValueError:
        names.append(host_name(address))
    else:
        if not own.is_unspecified:  # a number cannot be made to mean another machine
            names.append(f"[{own}]" if own.version == 6 else str(own))
    return tuple(dict.fromkeys(names))


def refuse_open_address(address: str, *, has_keys: bool) -> None:
    """Refuse to listen where other machines reach the service, unless it has keys."""
    if not is_loopback(address) and not has_keys:
        raise UserError(
            f"Found the address {address}, which other machines can reach, and no keys; expected"
            " keys there. Make one: dragoman keys add NAME"
        )


class AllowedHosts:
    """Refuses every request with another Host than the allowed ones."""

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self.app, self.names = app, frozenset(names)

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer with a problem."""
        if scope["type"] == "http":
            hosts = Headers(scope=scope).getlist("host")
            if len(hosts) != 1 or host_name(hosts[0]) not in self.names:
                problem = Problem(
                    421,
                    "host_not_allowed",
                    "This service is not known by this Host. If it should be, start it with"
                    " --allowed-host NAME.",
                )
                await problem_response(problem, request_id(scope))(scope, receive, send)
                return
        await self.app(scope, receive, send)
