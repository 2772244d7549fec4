"""The findings of a verification: one line each, with what is affected and what to do."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

NAMED = 5  # documents listed in a line; the others are counted


class Severity(StrEnum):
    """How much a finding matters."""

    DAMAGE = "damage"  # hits may be missing or queries refused
    WARNING = "warning"
    NOTE = "note"  # harmless


class Component(StrEnum):
    """The component of an index that a finding is about."""

    MANIFEST = "manifest"
    CHECKSUMS = "checksums"
    SYSTEM = "system"
    DATABASE = "database"
    DOCUMENTS = "documents"
    FIELDS = "fields"
    MEMTABLE = "memtable"
    SEGMENTS = "segments"
    DELETIONS = "deletions"
    COUNTERS = "counters"
    LEFTOVERS = "leftovers"  # files of killed processes
    FILES = "files"  # foreign ones
    SEARCH = "search"


REPAIR = "Rebuild it from the stored texts: dragoman verify INDEX --repair"
CARRY_OVER = (
    "Restore the index from a snapshot, or carry over what can be read: dragoman export INDEX -o"
    " documents.jsonl, then dragoman index documents.jsonl -o INDEX"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One deviation from a sound index."""

    component: Component
    path: str  # in the index's folder
    found: str
    remedy: str
    documents: tuple[str, ...] = ()  # the ids of those affected
    severity: Severity = Severity.DAMAGE

    def line(self, index: str) -> str:
        """The finding as a line of text about the index of this name."""
        location = f"{index}/{self.path}" if self.path else index
        affected = f" Affected: {_listed(self.documents)}." if self.documents else ""
        remedy = self.remedy.replace("INDEX", index)
        return f"{self.severity}: {location}: {self.found}.{affected} {remedy}"

    def plain(self, index: str) -> dict[str, object]:
        """The finding as JSON."""
        return {
            "severity": self.severity.value,
            "part": self.component.value,
            "path": self.path,
            "problem": self.found,
            "documents": [_printable(doc_id) for doc_id in self.documents],
            "remedy": self.remedy.replace("INDEX", index),
        }


class VerificationReport(NamedTuple):
    """The findings about an index, and its size."""

    findings: tuple[Finding, ...]
    documents: int
    segments: int

    @property
    def damage(self) -> tuple[Finding, ...]:
        """The findings that are damage."""
        return tuple(one for one in self.findings if one.severity is Severity.DAMAGE)

    def of(self, *components: Component) -> tuple[Finding, ...]:
        """The findings about some components."""
        return tuple(one for one in self.findings if one.component in components)

    def plain(self, index: str) -> Mapping[str, object]:
        """The report as JSON."""
        return {
            "index": index,
            "clean": not self.damage,
            "documents": self.documents,
            "segments": self.segments,
            "findings": [one.plain(index) for one in self.findings],
        }


def _printable(doc_id: str) -> str:
    """An id without lone surrogates, which terminals cannot print."""
    return doc_id.encode("utf-8", "backslashreplace").decode()


def _listed(doc_ids: tuple[str, ...]) -> str:
    named = ", ".join(repr(doc_id) for doc_id in doc_ids[:NAMED])
    if len(doc_ids) == 1:
        return f"the document {named}"
    others = len(doc_ids) - NAMED
    more = f" and {others:,} more" if others > 0 else ""
    return f"{len(doc_ids):,} documents ({named}{more})"
