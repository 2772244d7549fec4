"""A foreign passage -> its gloss: the same passage word by word in the reader's language.

Every word is replaced by its most probable translation, through the pivot if it is neither
language: ``p(t|s) = sum_e p(t|e) p(e|s)``. A gloss helps in reading, it is no translation: word
order and punctuation are the passage's, and a word without a translation is marked and left as it
is. Stop words, which the analyzers of the tables remove, are shown as dots.
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

CONSIDERED = 10  # translations of a word in each table
UNKNOWN_MARK = "?"  # before a word without a translation
LEFT_OUT_MARK = "·"  # instead of a stop word
APOSTROPHES = frozenset("'’")
SENTENCE_ENDS = frozenset(".!?…:؟۔।\n")
NOUNS_HAVE_CAPITALS = frozenset({"de", "lb"})  # a capital does not mark a name


class PivotTables(Protocol):
    """Tables from languages into the pivot."""

    def table(self, language: str) -> Lexicon | None:
        """The table from ``language`` into the pivot; None if there is none."""
        ...


class GlossKind(StrEnum):
    """How a piece of the passage is glossed."""

    WORD = "word"  # translated
    ITSELF = "itself"  # a number or a name, the same in every language
    UNKNOWN = "unknown"  # in no table
    LEFT_OUT = "left out"  # a stop word: analyzers remove it, so no table has it
    BETWEEN = "between"  # blanks and punctuation


@dataclass(frozen=True, slots=True)
class GlossedPiece:
    """A piece of the passage; the surfaces of all pieces together are the passage."""

    surface: str
    gloss: str | None  # None if no table has the word
    kind: GlossKind
    word: str = ""  # as in explanations: the surface without endings after an apostrophe

    @property
    def shown(self) -> str:
        """The piece in a line of gloss."""
        if self.kind is GlossKind.BETWEEN:
            return " " if self.surface in APOSTROPHES else self.surface
        if self.kind is GlossKind.LEFT_OUT:
            return LEFT_OUT_MARK
        return f"{UNKNOWN_MARK}{self.surface}" if self.gloss is None else self.gloss


class TextPiece(NamedTuple):
    """A word with its stems (a compound's whole first, then its parts), or text between words."""

    surface: str
    stems: tuple[str, ...] = ()
    word: str = ""


def gloss(
    text: str, source_language: str, target_language: str, tables: PivotTables
) -> list[GlossedPiece]:
    """The pieces of ``text`` (its NFKC form), in order, each with its gloss.

    Raises ``ConfigError`` with the message of ``missing_table`` if a table is missing.
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
    """Why there can be no gloss between the two languages; empty if there can be one."""
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
            line.append(" ")  # in scripts without spaces
        line.append(piece.shown)
        after_word = is_word
    return "".join(line)


def pieces(text: str, language: str, analyzer: Analyzer) -> list[TextPiece]:
    """The words of ``text`` (its NFKC form) and the text between them, nothing lost."""
    normal = unicodedata.normalize("NFKC", text)
    parts: list[TextPiece] = []
    end = 0
    for chunk in chunks(normal):
        start = normal.index(chunk, end)
        if start > end:
            parts.append(TextPiece(normal[end:start]))
        parts += _chunk_pieces(chunk, analyzer.analyse_with_surface(chunk, language))
        end = start + len(chunk)
    if end < len(normal):
        parts.append(TextPiece(normal[end:]))
    return parts


def _chunk_pieces(chunk: str, pairs: Sequence[tuple[str, str]]) -> list[TextPiece]:
    parts: list[TextPiece] = []
    end = 0
    for surface, group in groupby(pairs, key=lambda pair: pair[1]):
        start = chunk.find(surface, end)
        if start < 0 or UNSPACED.search(chunk[end:start]):
            continue  # a bigram of characters that overlaps the previous one
        parts += _skipped_pieces(chunk[end:start])
        parts.append(TextPiece(surface, tuple(stem for stem, _ in group), surface))
        end = start + len(surface)
    rest = chunk[end:]
    if parts and rest and not UNSPACED.search(rest):
        parts[-1] = parts[-1]._replace(surface=parts[-1].surface + rest)
    elif rest:
        parts.append(TextPiece(rest, word=rest))
    return parts


def _skipped_pieces(text: str) -> list[TextPiece]:
    """The text that the analyzer removed before a word, as the article in *l'eau*."""
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
    if (translation := translator.translation(piece.stems)) is not None:
        return GlossedPiece(surface, translation, GlossKind.WORD, piece.word)
    if may_be_name and surface[0].isupper() and translator.source not in NOUNS_HAVE_CAPITALS:
        return GlossedPiece(surface, surface, GlossKind.ITSELF, piece.word)
    return GlossedPiece(surface, None, GlossKind.UNKNOWN, piece.word)


class _PivotTranslator:
    """Translates a word into the most probable one of the target language."""

    def __init__(self, source: str, target: str, tables: PivotTables) -> None:
        self.source, self._target = source, target
        self._into_pivot = None if source == PIVOT else tables.table(source)
        target_table = None if target == PIVOT else tables.table(target)
        self._from_pivot = target_table.reversed() if target_table is not None else None
        table = self._into_pivot or self._from_pivot
        assert table is not None, "one of the two languages is not the pivot"
        self.analyzer = table.analyzer()
        self._best = lru_cache(maxsize=None)(self._most_probable)

    def translation(self, stems: Sequence[str]) -> str | None:
        """The translation of the whole word, else of all its parts; None if there is neither."""
        whole, *parts = stems
        if best := self._best(whole):
            return surface_form(best, self._target)
        words = [self._best(part) for part in parts]
        if not words or not all(words):
            return None
        return " ".join(surface_form(word, self._target) for word in words if word)

    def _most_probable(self, stem: str) -> str | None:
        translations = [(stem, 1.0)]
        if self._into_pivot is not None:
            translations = self._into_pivot.translations(stem, CONSIDERED)
        if self._from_pivot is not None:
            sums: defaultdict[str, float] = defaultdict(float)
            for pivot_word, probability in translations:
                for word, onward in self._from_pivot.translations(pivot_word, CONSIDERED):
                    sums[word] += probability * onward
            translations = list(sums.items())
        best = min(translations, key=lambda pair: (-pair[1], pair[0]), default=None)
        return best[0] if best is not None else None


def _has_letters(text: str) -> bool:
    return any(map(str.isalnum, text))
