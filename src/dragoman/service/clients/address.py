"""The address of a service, as users write it -> the paths of one of its indexes."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import quote, unquote, urlsplit

from dragoman.errors import UserError

SCHEMES = ("http://", "https://")
PATH = re.compile(r"(?P<prefix>.*?)(?:/v1(?:/indexes/(?P<index>[^/]+))?)?/?")


def is_address(text: str) -> bool:
    """Whether a text names a service, not a folder."""
    return text.lower().startswith(SCHEMES)


@dataclass(frozen=True, slots=True)
class ServiceAddress:
    """Where a service is, and which of its indexes is meant; without a name, its only one."""

    root: str  # as in https://host:8443/search
    index: str = ""

    def __str__(self) -> str:
        return f"{self.root}/v1/indexes/{quote(self.index, safe='')}" if self.index else self.root

    @property
    def base(self) -> str:
        """What the paths of the index begin with."""
        return str(self) if self.index else f"{self.root}/v1"

    @property
    def is_loopback(self) -> bool:
        """Whether the service is on this machine, so that no proxy is used."""
        host = urlsplit(self.root).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")


def parse_address(text: str, index: str = "") -> ServiceAddress:
    """The address in ``http://host:8080``, ``.../v1/indexes/NAME``, or below another path."""
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise _wrong(text, str(error)) from error
    if parts.scheme not in ("http", "https") or not host:
        raise _wrong(text, "no host")
    if parts.username is not None or parts.password is not None:
        raise UserError(
            "Found a name or password in the address of a service; expected none. A key is given by"
            " DRAGOMAN_KEY, --key-file or connect(key=...)."
        )
    if parts.query or parts.fragment:
        raise _wrong(text, f"{'?' if parts.query else '#'} in it")
    match = PATH.fullmatch(parts.path)
    assert match is not None
    named = unquote(match["index"] or "")
    if index and named and index != named:
        raise UserError(f"{text}: found the index {index!r} as well; expected one of the two.")
    shown = f"[{host}]" if ":" in host else host
    where = f"{shown}:{port}" if port is not None else shown
    return ServiceAddress(f"{parts.scheme}://{where}{match['prefix']}", index or named)


def _wrong(text: str, reason: str) -> UserError:
    return UserError(
        f"{text}: found {reason}; expected the address of a service, as in http://127.0.0.1:8080"
        " or http://127.0.0.1:8080/v1/indexes/NAME."
    )
