"""Documents -> sentences -> words, in any script: what the sentence encoder reads.

Sentences end where ``vectors.passages`` sees an end (marks of all scripts, a new line). A sentence
of more words than the encoder was trained on is read in pieces of equal length.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dragoman.encoders.passages import SENTENCE_END
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig
from dragoman.types import Text

_ANALYZER = Analyzer(AnalyzerConfig(stop=False, stem=False))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it stands in the text, and its words as the encoder reads them."""

    text: str
    words: tuple[str, ...]


def split_sentences(text: str) -> Iterator[str]:
    """The sentences of a text in order; none of them is empty."""
    start = 0
    for match in SENTENCE_END.finditer(text):
        if piece := text[start : match.end()].strip():
            yield piece
        start = match.end()
    if piece := text[start:].strip():
        yield piece


def sentences(text: Text, longest: int) -> list[Sentence]:
    """The sentences that have words, each of at most ``longest`` of them."""
    found = []
    for piece in split_sentences(text.body):
        words = tuple(_ANALYZER(piece, text.language))
        found += [Sentence(piece, part) for part in split_evenly(words, longest)]
    return found


def split_evenly(words: tuple[str, ...], longest: int) -> Iterator[tuple[str, ...]]:
    """The words in as few parts of like length as fit; none where there is no word."""
    count = -(-len(words) // longest)
    for part in range(count):
        yield words[len(words) * part // count : len(words) * (part + 1) // count]


def surfaces(text: Text) -> list[tuple[str, str]]:
    """The words of a text with the forms that they have in it."""
    return _ANALYZER.analyse_with_surface(text.body, text.language)


def signature(language: str) -> str:
    """What must be equal for a text in ``language`` to have the same words."""
    return _ANALYZER.signature(language)
