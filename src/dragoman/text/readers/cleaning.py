"""Sections -> sections without encoded data, minified text and repeated page headers."""

from collections import Counter
from collections.abc import Sequence

from dragoman.text.readers.contents import Section


def clean(sections: Sequence[Section]) -> tuple[list[Section], Counter[str]]:
    """The sections without such text, and how many letters were left out for which reason."""
    return list(sections), Counter()
