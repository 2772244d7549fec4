"""Two pages of one training item -> aligned lines, as fine as they can be told to belong together.

Title meets title; paragraph meets the paragraph with its mark, or its neighbour where both pages
have as many; sentence meets sentence where both paragraphs have as many of like length. What cannot
be cut stays whole.
"""

from collections.abc import Iterable, Iterator

from dragoman.text.collections.items import Page
from dragoman.text.collections.sentences import folded, sentences
from dragoman.types import SentencePair

FURTHEST_LENGTHS = 3.0  # a sentence three times as long as its partner is not its translation
PADDING = 15  # characters; short sentences differ more


def align_pages(source: Page, target: Page) -> Iterator[SentencePair]:
    """The aligned lines of two pages, in reading order."""
    yield SentencePair(source.title, target.title)
    if source.marks and target.marks:
        marked = dict(zip(source.marks, source.paragraphs, strict=True))
        for mark, right in zip(target.marks, target.paragraphs, strict=True):
            if mark in marked:
                yield from align_paragraphs(marked[mark], right)
    elif len(source.paragraphs) == len(target.paragraphs):
        for left, right in zip(source.paragraphs, target.paragraphs, strict=True):
            yield from align_paragraphs(left, right)
    else:
        yield SentencePair(" ".join(source.paragraphs), " ".join(target.paragraphs))


def align_paragraphs(source: str, target: str) -> Iterator[SentencePair]:
    """Sentence pairs where the paragraphs have as many of like length, else one pair."""
    left, right = sentences(source), sentences(target)
    if len(left) == len(right) and all(map(_alike, left, right)):
        yield from map(SentencePair, left, right)
    else:
        yield SentencePair(source, target)


def _alike(source: str, target: str) -> bool:
    longer, shorter = sorted((len(source) + PADDING, len(target) + PADDING), reverse=True)
    return longer <= FURTHEST_LENGTHS * shorter


def held_out_lines(pages: Iterable[Page]) -> set[str]:
    """Everything in ``pages`` that a line of bitext could be: titles, paragraphs, sentences."""
    lines: set[str] = set()
    for page in pages:
        lines.add(folded(page.title))
        lines.add(folded(page.text))
        for paragraph in page.paragraphs:
            lines.add(folded(paragraph))
            lines.update(map(folded, sentences(paragraph)))
    return lines


def without_leaks(pairs: Iterable[SentencePair], held_out: set[str]) -> Iterator[SentencePair]:
    """Pairs of two different texts, each pair once, neither side of which was held out."""
    seen: set[tuple[str, str]] = set()
    for pair in pairs:
        source, target = folded(pair.source), folded(pair.target)
        fresh = source and target and source != target and (source, target) not in seen
        if fresh and source not in held_out and target not in held_out:
            seen.add((source, target))
            yield SentencePair(" ".join(pair.source.split()), " ".join(pair.target.split()))
