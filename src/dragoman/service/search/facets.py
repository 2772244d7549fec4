"""A window -> how many of its hits have each value of a field."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from dragoman.indexes.fields import FLAG, TEXT, field_values
from dragoman.indexes.segment import ABSENT
from dragoman.indexes.snapshot import Snapshot
from dragoman.service.config import MOST_FACETS, MOST_VALUES
from dragoman.service.problems import Problem
from dragoman.service.search.windows import RankingWindow
from dragoman.storage.database import decode_text

LANGUAGE = "language"


def facet_names(text: str) -> tuple[str, ...]:
    """The fields of ``"language,format"``, each once."""
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if len(names) > MOST_FACETS:
        raise Problem(
            400, "too_many_facets", f"Found {len(names)} facets; at most {MOST_FACETS} are counted."
        )
    return names


def count_facets(window: RankingWindow, snapshot: Snapshot, names: Sequence[str]) -> dict[str, Any]:
    """The values of each field with their counts within the window, the most frequent first."""
    missing = [name for name in names if name not in window.facets]
    if missing:
        numbers = snapshot.numbers_of(window.doc_ids)
        numbers = numbers[numbers != ABSENT]
        if LANGUAGE in missing:
            window.facets[LANGUAGE] = _counted(
                Counter((TEXT, code) for code in snapshot.languages_of(numbers))
            )
            missing.remove(LANGUAGE)
        if missing:
            metadata = [document.metadata for document in snapshot.documents(numbers)]
            for name in missing:
                window.facets[name] = _counted(_values(metadata, name))
    return {name: window.facets[name] for name in names}


def _values(every: Sequence[Any], name: str) -> Counter[Any]:
    """How many documents have each value of a field."""
    counts: Counter[Any] = Counter()
    for metadata in every:
        values = {
            (kind, value)
            for field, kind, value in field_values(metadata)
            if decode_text(field) == name
        }
        counts.update(values)
    return Counter({(kind, _readable(kind, value)): n for (kind, value), n in counts.items()})


def _readable(kind: str, value: Any) -> Any:  # noqa: ANN401 - a text, a number or a flag
    """The value as metadata have it."""
    if isinstance(value, bytes):
        return decode_text(value)
    if kind == FLAG:
        return bool(value)
    return int(value) if float(value).is_integer() else value


def _counted(counts: Counter[Any]) -> list[dict[str, Any]]:
    ordered = sorted(counts.items(), key=lambda one: (-one[1], str(one[0])))
    return [{"value": value, "count": count} for (_, value), count in ordered[:MOST_VALUES]]
