"""Two pages of one training item -> sentence pairs, aligned as finely as the pages allow.

Titles are paired; paragraphs are paired by their keys, or by position where both pages have the
same number; sentences are paired where both paragraphs have the same number, of similar lengths.
Otherwise the larger unit is one pair.
"""

from collections.abc import Iterable, Iterator

from dragoman.text.collections.items import Page
from dragoman.text.collections.sentences import fold_text, sentences
from dragoman.types import SentencePair

MAX_LENGTH_RATIO = 3.0  # of a sentence to its translation
PADDING = 15  # characters added to both lengths: short sentences differ more


def align_pages(source: Page, target: Page) -> Iterator[SentencePair]:
    """The sentence pairs of two pages, in reading order."""
    yield SentencePair(source.title, target.title)
    if source.keys and target.keys:
        by_key = dict(zip(source.keys, source.paragraphs, strict=True))
        for key, right in zip(target.keys, target.paragraphs, strict=True):
            if key in by_key:
                yield from align_paragraphs(by_key[key], right)
    elif len(source.paragraphs) == len(target.paragraphs):
        for left, right in zip(source.paragraphs, target.paragraphs, strict=True):
            yield from align_paragraphs(left, right)
    else:
        yield SentencePair(" ".join(source.paragraphs), " ".join(target.paragraphs))


def align_paragraphs(source: str, target: str) -> Iterator[SentencePair]:
    """One pair per sentence where numbers and lengths agree, else one pair of paragraphs."""
    left, right = sentences(source), sentences(target)
    if len(left) == len(right) and all(map(_alike, left, right)):
        yield from map(SentencePair, left, right)
    else:
        yield SentencePair(source, target)


def _alike(source: str, target: str) -> bool:
    longer, shorter = sorted((len(source) + PADDING, len(target) + PADDING), reverse=True)
    return longer <= MAX_LENGTH_RATIO * shorter


def held_out_lines(pages: Iterable[Page]) -> set[str]:
    """The folded titles, texts, paragraphs and sentences of ``pages``."""
    lines: set[str] = set()
    for page in pages:
        lines.add(fold_text(page.title))
        lines.add(fold_text(page.text))
        for paragraph in page.paragraphs:
            lines.add(fold_text(paragraph))
            lines.update(map(fold_text, sentences(paragraph)))
    return lines


def without_leaks(pairs: Iterable[SentencePair], held_out: set[str]) -> Iterator[SentencePair]:
    """The pairs without duplicates, equal sides and sides that are held out."""
    seen: set[tuple[str, str]] = set()
    for pair in pairs:
        source, target = fold_text(pair.source), fold_text(pair.target)
        is_new = source and target and source != target and (source, target) not in seen
        if is_new and source not in held_out and target not in held_out:
            seen.add((source, target))
            yield SentencePair(" ".join(pair.source.split()), " ".join(pair.target.split()))
