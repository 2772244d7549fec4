"""Names and addresses: what can be asked for by name, imported when asked and not before.

Adding a part is one file and one line here; the commands' help, the conformance tests and the docs
read these tables.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from dragoman.errors import MissingExtra, UnknownName

SYSTEMS: Mapping[str, str] = {}

EXTRAS: Mapping[str, str] = {
    "fugashi": "cjk",
    "ir_datasets": "irds",
    "jieba": "cjk",
    "torch": "neural",
    "unidic_lite": "cjk",
}


def load(address: str) -> Any:  # noqa: ANN401 - the address decides
    """The object at ``"package.module:name"``, naming the extra to install if one is missing."""
    module, _, name = address.partition(":")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRAS:
            raise  # our own fault, not a missing extra
        raise MissingExtra(missing, EXTRAS[missing]) from error


def find(table: Mapping[str, str], name: str, kind: str) -> Any:  # noqa: ANN401
    """The object registered under ``name`` in ``table``."""
    if name not in table:
        raise UnknownName(name, table, kind)
    return load(table[name])


def system(name: str) -> Any:  # noqa: ANN401
    """The system class registered under ``name``."""
    return find(SYSTEMS, name, "system")
