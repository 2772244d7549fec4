"""Documents -> sentences -> words, in any script: the input of the sentence encoder.

Sentences end at punctuation marks of any script and at line ends (``encoders.passages``). Sentences
longer than those of the training are split into parts of equal length.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dragoman.encoders.passages import SENTENCE_END
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig
from dragoman.types import Text

_ANALYZER = Analyzer(AnalyzerConfig(stop=False, stem=False))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as written, and its analyzed words."""

    text: str
    words: tuple[str, ...]


def split_sentences(text: str) -> Iterator[str]:
    """The non-empty sentences of a text, in order."""
    start = 0
    for match in SENTENCE_END.finditer(text):
        if sentence := text[start : match.end()].strip():
            yield sentence
        start = match.end()
    if sentence := text[start:].strip():
        yield sentence


def sentences(text: Text, longest: int) -> list[Sentence]:
    """The sentences with words, each of at most ``longest`` words."""
    result = []
    for sentence in split_sentences(text.body):
        words = tuple(_ANALYZER(sentence, text.language))
        result += [Sentence(sentence, part) for part in split_evenly(words, longest)]
    return result


def split_evenly(words: tuple[str, ...], longest: int) -> Iterator[tuple[str, ...]]:
    """The words in as few parts of about equal length as possible; none without words."""
    count = -(-len(words) // longest)
    for part in range(count):
        yield words[len(words) * part // count : len(words) * (part + 1) // count]


def surfaces(text: Text) -> list[tuple[str, str]]:
    """The analyzed words of a text, each with its surface form."""
    return _ANALYZER.analyse_with_surface(text.body, text.language)


def signature(language: str) -> str:
    """Equal if texts in ``language`` have the same words."""
    return _ANALYZER.signature(language)
