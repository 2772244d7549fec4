"""Metadata of runs in the schema of ir_metadata (Breuer et al. 2022), as YAML next to the run.

platform, implementation, data, method   what the schema asks for
resources                                time, memory and energy (``tracking``)
signature                                this package's own: request, versions, fingerprints

A user's own fields (actor, research goal) are merged from a file.
"""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

import dragoman
from dragoman.errors import InputError
from dragoman.runs.platform_facts import platform_facts
from dragoman.runs.request import RunRequest
from dragoman.storage.staging import write_lines
from dragoman.text.format_detection import IRDS

SCHEMA = "0.2"
SUFFIX = ".ir_metadata.yml"
LARGEST = 10_000_000  # bytes of a metadata file
# what `run` composes; further components are the user's
COMPOSED = {"schema version", "tag", "platform", "implementation", "data", "method"} | {
    "signature",
    "resources",
    "tracker",
}


class _PlainDumper(yaml.SafeDumper):  # type: ignore[misc, unused-ignore]
    """Writes equal values twice, instead of a reference that not every reader follows."""

    def ignore_aliases(self, data: object) -> bool:
        """Always: there are no references."""
        del data
        return True


def metadata_path(run: Path) -> Path:
    """Where the metadata of a run are."""
    return run.with_name(run.name + SUFFIX)


def run_metadata(
    request: RunRequest,
    tag: str,
    signature: Mapping[str, Any],
    tracked: Mapping[str, Any],
    own: Mapping[str, Any],
) -> dict[str, Any]:
    """All metadata of a run; ``own`` are the user's fields, ``tracked`` those of the tracker."""
    composed = compose(
        tag,
        _test_collection(signature["request"]["queries"]),
        {
            "indexing": {"settings": signature["index"].get("settings", {})},
            "retrieval": _stages(request, signature),
        },
        signature,
    )
    return merged(merged(composed, tracked), own)


def compose(
    tag: str,
    test_collection: Mapping[str, Any],
    method: Mapping[str, Any],
    signature: Mapping[str, Any],
) -> dict[str, Any]:
    """The components that every run of this package has."""
    return {
        "schema version": SCHEMA,
        "tag": tag,
        "platform": platform_facts(),
        "implementation": {
            "executable": {"cmd": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])},
            "source": {"lang": ["python"]},
        },
        "data": {"test collection": dict(test_collection)},
        "method": {"automatic": True, "score ties": "by increasing document id", **method},
        "signature": dict(signature),
    }


def _test_collection(queries: str) -> dict[str, str]:
    if queries.startswith(IRDS):
        name = queries.removeprefix(IRDS)
        return {"name": name, "topics": queries, "ir_datasets": name}
    return {"name": Path(queries).name, "topics": queries}


def _stages(request: RunRequest, signature: Mapping[str, Any]) -> list[dict[str, Any]]:
    first = {
        "name": signature["index"].get("system", ""),
        "method": f"dragoman=={signature['dragoman']}",
        "balance": request.balance,
        "k": request.k,
    }
    if request.rerank is None:
        return [first]
    second = {"name": request.rerank.name, **request.rerank.settings, "reranks": first["name"]}
    return [first, second]


def merged(base: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Both trees in one; where both have a value, that of ``other``."""
    joined = dict(base)
    for name, value in other.items():
        mine = joined.get(name)
        nested = isinstance(mine, Mapping) and isinstance(value, Mapping)
        joined[name] = merged(mine or {}, value) if nested else value
    return joined


def write_metadata(path: Path, metadata: Mapping[str, Any]) -> None:
    """Write the metadata as YAML."""
    with write_lines(path) as stream:
        yaml.dump(
            dict(metadata), stream, _PlainDumper, allow_unicode=True, sort_keys=False, width=120
        )


def read_metadata(path: Path) -> dict[str, Any]:
    """The fields of a YAML file."""
    if not path.is_file():
        raise InputError(
            path,
            None,
            found="no such file",
            expected="the metadata that `dragoman run` writes next to a run",
        )
    if path.stat().st_size > LARGEST:
        raise InputError(path, None, found="a huge file", expected="the metadata of a run")
    try:
        text = path.read_text(encoding="utf-8")
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text)):
            raise InputError(path, None, found="a YAML alias", expected="plain fields")
        fields = yaml.safe_load(text)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise InputError(path, None, found=f"no YAML ({error})", expected="fields") from error
    if not isinstance(fields, dict):
        raise InputError(path, None, found="no fields", expected="the fields of ir_metadata")
    return fields


def own_fields(run: Path) -> dict[str, Any]:
    """The components that a user added to the metadata of a run, such as the actor."""
    recorded = read_metadata(metadata_path(run))
    return {name: value for name, value in recorded.items() if name not in COMPOSED}


def request_of(run: Path) -> tuple[RunRequest, dict[str, Any]]:
    """The request and the signature that the metadata of a run record."""
    path = metadata_path(run)
    signature = read_metadata(path).get("signature")
    if not isinstance(signature, dict) or not isinstance(signature.get("request"), dict):
        raise InputError(
            path,
            None,
            found="no request of `dragoman run`",
            expected=f"metadata that `run` of dragoman {dragoman.__version__} wrote",
            advice="A run of another tool or an older version is made again by its own command.",
        )
    return RunRequest.from_fields(signature["request"], run.resolve().parent, path), signature
