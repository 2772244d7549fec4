"""A foreign passage -> the same passage word by word in the reader's language.

Every word becomes its likeliest translation, through the pivot where neither language is it:
``p(t|s) = sum_e p(t|e) p(e|s)``. It is a help for reading, not a translation: order and
punctuation are the passage's own, and a word that no table knows stays as it is and is marked.
Small words that the analysers of the tables drop are dots.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, Protocol

from dragoman.errors import ConfigError
from dragoman.lexicons.lexicon import Lexicon
from dragoman.lexicons.shipped_lexicons import PIVOT
from dragoman.lexicons.surface_forms import surface_form
from dragoman.text.languages import canonical, name
from dragoman.tokens.analyzer import Analyzer
from dragoman.tokens.segmentation import UNSPACED, chunks

CONSIDERED = 10  # translations of a word on each step of the way
UNKNOWN_MARK = "?"  # stands before a word that no table knows
LEFT_OUT_MARK = "·"  # stands for a small word that tables leave out
APOSTROPHES = frozenset("'’")
SENTENCE_ENDS = frozenset(".!?…:؟۔।\n")
NOUNS_HAVE_CAPITALS = frozenset({"de", "lb"})  # where a capital does not tell a name


class PivotTables(Protocol):
    """Tables from languages into the pivot."""

    def table(self, language: str) -> Lexicon | None:
        """The table from ``language`` into the pivot; None where there is none."""
        ...


class GlossKind(StrEnum):
    """What became of a piece of the passage."""

    WORD = "word"  # translated
    ITSELF = "itself"  # a number or a name, the same in every language
    UNKNOWN = "unknown"  # no table knows it
    LEFT_OUT = "left out"  # a small word, as articles are: analysers drop it, so no table has it
    BETWEEN = "between"  # blanks and punctuation


@dataclass(frozen=True, slots=True)
class GlossedPiece:
    """A piece of the passage; the surfaces of all pieces together are the passage."""

    surface: str
    gloss: str | None  # None where no table has the word
    kind: GlossKind
    word: str = ""  # as explanations name it: the surface without endings behind an apostrophe

    @property
    def shown(self) -> str:
        """What stands for the piece in a line of gloss."""
        if self.kind is GlossKind.BETWEEN:
            return " " if self.surface in APOSTROPHES else self.surface
        if self.kind is GlossKind.LEFT_OUT:
            return LEFT_OUT_MARK
        return f"{UNKNOWN_MARK}{self.surface}" if self.gloss is None else self.gloss


class TextPiece(NamedTuple):
    """A word with its stems (the parts of a compound after the whole), or what is between."""

    surface: str
    stems: tuple[str, ...] = ()
    word: str = ""


def gloss(
    text: str, source_language: str, target_language: str, tables: PivotTables
) -> list[GlossedPiece]:
    """The pieces of ``text`` (its NFKC form), in order, each with its gloss.

    Raises ``ConfigError`` with what ``missing_table`` says where a table is missing.
    """
    if warning := missing_table(source_language, target_language, tables):
        raise ConfigError(warning)
    source, target = canonical(source_language), canonical(target_language)
    translator = _PivotTranslator(source, target, tables)
    glossed: list[GlossedPiece] = []
    begins = True
    for piece in pieces(text, source, translator.analyzer):
        glossed.append(_glossed(piece, translator, may_be_name=not begins))
        begins = begins and glossed[-1].kind is GlossKind.BETWEEN
        begins = begins or not SENTENCE_ENDS.isdisjoint(piece.surface)
    return glossed


def missing_table(source_language: str, target_language: str, tables: PivotTables) -> str:
    """Why there can be no gloss between the two languages; empty where there can."""
    for language in (source_language, target_language):
        if not language:
            return "No gloss: the language is not known."
        code = canonical(language)
        if code != PIVOT and tables.table(code) is None:
            return (
                f"No gloss: there is no translation table for {name(code)} ({code})."
                f" 'dragoman learn lexicon --languages {PIVOT}-{code}' makes one from bitext."
            )
    if canonical(source_language) == canonical(target_language):
        return f"No gloss: the passage and the query are both in {name(source_language)}."
    return ""


def gloss_text(glossed: Iterable[GlossedPiece]) -> str:
    """The gloss as a line of text."""
    line: list[str] = []
    after_word = False
    for piece in glossed:
        is_word = piece.kind is not GlossKind.BETWEEN
        if after_word and is_word:
            line.append(" ")  # the script writes none
        line.append(piece.shown)
        after_word = is_word
    return "".join(line)


def pieces(text: str, language: str, analyzer: Analyzer) -> list[TextPiece]:
    """The words of ``text`` (its NFKC form) and what is between them, nothing lost."""
    normal = unicodedata.normalize("NFKC", text)
    found: list[TextPiece] = []
    end = 0
    for chunk in chunks(normal):
        start = normal.index(chunk, end)
        if start > end:
            found.append(TextPiece(normal[end:start]))
        found += _chunk_pieces(chunk, analyzer.analyse_with_surface(chunk, language))
        end = start + len(chunk)
    if end < len(normal):
        found.append(TextPiece(normal[end:]))
    return found


def _chunk_pieces(chunk: str, pairs: Sequence[tuple[str, str]]) -> list[TextPiece]:
    found: list[TextPiece] = []
    end = 0
    for surface, group in groupby(pairs, key=lambda pair: pair[1]):
        start = chunk.find(surface, end)
        if start < 0 or UNSPACED.search(chunk[end:start]):
            continue  # a pair of characters that overlaps the one before
        found += _skipped_pieces(chunk[end:start])
        found.append(TextPiece(surface, tuple(stem for stem, _ in group), surface))
        end = start + len(surface)
    rest = chunk[end:]
    if found and rest and not UNSPACED.search(rest):
        found[-1] = found[-1]._replace(surface=found[-1].surface + rest)
    elif rest:
        found.append(TextPiece(rest, word=rest))
    return found


def _skipped_pieces(text: str) -> list[TextPiece]:
    """What the analyser dropped before a word, as the article in *l'eau*."""
    parts = ("".join(part) for _, part in groupby(text, key=str.isalnum))
    return [TextPiece(part, word=part if _has_letters(part) else "") for part in parts]


def _glossed(
    piece: TextPiece, translator: "_PivotTranslator", *, may_be_name: bool
) -> GlossedPiece:
    surface = piece.surface
    if not _has_letters(surface):
        return GlossedPiece(surface, surface, GlossKind.BETWEEN)
    if not any(map(str.isalpha, surface)):
        return GlossedPiece(surface, surface, GlossKind.ITSELF, piece.word)
    if not piece.stems:
        return GlossedPiece(surface, None, GlossKind.LEFT_OUT, piece.word)
    if (found := translator.translation(piece.stems)) is not None:
        return GlossedPiece(surface, found, GlossKind.WORD, piece.word)
    if may_be_name and surface[0].isupper() and translator.source not in NOUNS_HAVE_CAPITALS:
        return GlossedPiece(surface, surface, GlossKind.ITSELF, piece.word)
    return GlossedPiece(surface, None, GlossKind.UNKNOWN, piece.word)


class _PivotTranslator:
    """The one best word of the target language for a word of the source language."""

    def __init__(self, source: str, target: str, tables: PivotTables) -> None:
        self.source, self._target = source, target
        self._into_pivot = None if source == PIVOT else tables.table(source)
        behind = None if target == PIVOT else tables.table(target)
        self._from_pivot = behind.reversed() if behind is not None else None
        table = self._into_pivot or self._from_pivot
        assert table is not None, "two languages, of which one is not the pivot"
        self.analyzer = table.analyzer()
        self._best = lru_cache(maxsize=None)(self._likeliest)

    def translation(self, stems: Sequence[str]) -> str | None:
        """The gloss of a word: that of the whole, else those of all its parts."""
        whole, *parts = stems
        if found := self._best(whole):
            return surface_form(found, self._target)
        words = [self._best(part) for part in parts]
        if not words or not all(words):
            return None
        return " ".join(surface_form(word, self._target) for word in words if word)

    def _likeliest(self, stem: str) -> str | None:
        meanings = [(stem, 1.0)]
        if self._into_pivot is not None:
            meanings = self._into_pivot.translations(stem, CONSIDERED)
        if self._from_pivot is not None:
            sums: defaultdict[str, float] = defaultdict(float)
            for meaning, probability in meanings:
                for word, onward in self._from_pivot.translations(meaning, CONSIDERED):
                    sums[word] += probability * onward
            meanings = list(sums.items())
        best = min(meanings, key=lambda pair: (-pair[1], pair[0]), default=None)
        return best[0] if best is not None else None


def _has_letters(text: str) -> bool:
    return any(map(str.isalnum, text))
