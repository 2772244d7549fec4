"""The address of an index in a cluster, as users write it: ``qdrant://host:6333/name``.

Several nodes are listed with commas, settings follow a question mark:
``qdrant://a:6333,b:6333/news?shards=6&replication=3``. ``qdrants://`` uses TLS.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from urllib.parse import parse_qsl

from dragoman.cluster.settings import ClusterSettings
from dragoman.errors import UserError
from dragoman.settings import parse_settings

PLAIN, SECURE = "qdrant://", "qdrants://"
PORT = 6333
NODE = re.compile(r"(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """Nodes as URLs, the name of the index, and how it is used."""

    nodes: tuple[str, ...]
    name: str
    settings: ClusterSettings = field(default_factory=ClusterSettings)

    def __str__(self) -> str:
        scheme = SECURE if self.nodes[0].startswith("https") else PLAIN
        hosts = ",".join(node.partition("://")[2] for node in self.nodes)
        return f"{scheme}{hosts}/{self.name}"


def is_cluster_address(text: str) -> bool:
    """Whether a text names an index in a cluster."""
    return text.lower().startswith((PLAIN, SECURE))


def parse_cluster_address(text: str) -> ClusterAddress:
    """The address in ``qdrant://host:6333/name``."""
    scheme, _, rest = text.strip().partition("://")
    place, _, query = rest.partition("?")
    hosts, _, name = place.partition("/")
    if "@" in hosts:
        raise UserError(
            "Found a key in the address of a cluster; expected none. It is read from"
            " DRAGOMAN_QDRANT_KEY of the environment."
        )
    nodes = [_node(text, host, secure=scheme.lower() == "qdrants") for host in hosts.split(",")]
    if not NAME.fullmatch(name):
        raise _wrong(text, f"the name {name!r}")
    return ClusterAddress(tuple(nodes), name, _settings(text, query))


def _node(text: str, host: str, *, secure: bool) -> str:
    match = NODE.fullmatch(host)
    if match is None:
        raise _wrong(text, f"the host {host!r}")
    return f"{'https' if secure else 'http'}://{match[1]}:{match[2] or PORT}"


def _settings(text: str, query: str) -> ClusterSettings:
    """The settings after the question mark, each of the type that it has in the table."""
    defaults = {one.name: one.default for one in fields(ClusterSettings)}
    given: dict[str, object] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        try:
            given[name] = _value(value, defaults.get(name))
        except ValueError as error:
            raise UserError(f"{text}: found {name}={value}; expected {error}.") from error
    return parse_settings(ClusterSettings, given)


def _value(text: str, default: object) -> object:
    """A setting of the type of its default; a ValueError names what was expected."""
    if isinstance(default, bool):
        if text not in ("true", "false"):
            raise ValueError("true or false")
        return text == "true"
    if isinstance(default, int):
        return _number(int, text, "a whole number")
    return _number(float, text, "a number") if isinstance(default, float) else text


def _number(kind: Callable[[str], float], text: str, expected: str) -> float:
    try:
        return kind(text)
    except ValueError as error:
        raise ValueError(expected) from error


def _wrong(text: str, found: str) -> UserError:
    return UserError(
        f"{text}: found {found}; expected an index in a cluster, as in"
        " qdrant://127.0.0.1:6333/NAME with letters, digits, - and _ in its name, or"
        " qdrant://HOST:6333,HOST:6333/NAME?replication=3"
    )
