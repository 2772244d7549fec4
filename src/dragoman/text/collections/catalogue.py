"""Descriptions of the named collections, and the options with which one is built."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.errors import ConfigError
from dragoman.protocols import Stage
from dragoman.text.languages import canonical

PIVOT = "en"  # the language of queries; every item has an English page


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """The languages, sampling and sources of a collection to build.

    ``languages`` maps each canonical code to the tag that was given (``pt`` to ``pt-BR``), in
    order; English is among them. Sources that are ``None`` are downloaded by apt.
    """

    languages: Mapping[str, str]
    seed: int = 0
    negatives: int = 40  # documents judged 0, for each query and language
    lists: Path | None = None  # apt's lists, already on disk
    debs: Path | None = None  # packages, already downloaded
    state: Path | None = None  # where apt works; a temporary folder where None
    dumps: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if self.negatives < 0:
            raise ConfigError(f"Found {self.negatives} negatives; expected 0 or more.")
        if self.state is not None and (self.lists or self.debs):
            raise ConfigError(
                "Found --state with --lists or --debs; expected one of them: files that are there"
                " are read without apt."
            )

    @property
    def sources(self) -> set[str]:
        """The given options that name a source."""
        named = {
            "--lists": self.lists,
            "--debs": self.debs,
            "--state": self.state,
            "--pages-source": self.dumps,
        }
        return {option for option, value in named.items() if value}

    @property
    def others(self) -> tuple[str, ...]:
        """The languages other than English: those of the judged documents."""
        return tuple(code for code in self.languages if code != PIVOT)


Build = Callable[[BuildRequest, Path, Stage], Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedCollection:
    """One row of ``dragoman collection list``, and the function that builds it.

    ``build`` fills an empty folder and returns facts for its manifest.
    """

    name: str
    what: str
    languages: str
    size: str
    needs: str
    licence: str
    sources: frozenset[str]  # the source options that it reads
    build: Build = field(repr=False)

    def check(self, request: BuildRequest) -> None:
        """Raise ``ConfigError`` where ``request`` names a source that is not read here."""
        if surplus := request.sources - self.sources:
            raise ConfigError(
                f"Found {', '.join(sorted(surplus))} for {self.name}; expected only"
                f" {', '.join(sorted(self.sources))}."
            )


def parse_languages(text: str) -> dict[str, str]:
    """Canonical code -> tag as written, for ``"en,it,pt-BR"``; English is required."""
    tags: dict[str, str] = {}
    for tag in filter(None, (part.strip() for part in text.split(","))):
        code = canonical(tag)
        if tags.setdefault(code, tag) != tag:
            raise ConfigError(
                f"Found {tags[code]!r} and {tag!r}, both {code!r}; expected each language once."
                " Build one collection for each."
            )
    if PIVOT not in tags or len(tags) < 2:
        raise ConfigError(
            f"Found the languages {text!r}; expected en and at least one more, as in en,it:"
            " queries are English, documents are in the others."
        )
    return tags
