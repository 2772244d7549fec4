"""A query and a document -> all that is shown of an explanation, with the passage glossed."""

from dataclasses import asdict, dataclass
from typing import Any, Protocol
from unicodedata import normalize

from dragoman.indexes.index import Index
from dragoman.indexes.search.snippets import snippet
from dragoman.indexes.system import System
from dragoman.lexicons.analysis import DEFAULT_ANALYSIS
from dragoman.lexicons.gloss import (
    GlossedPiece,
    PivotTables,
    TextPiece,
    gloss,
    gloss_text,
    missing_table,
    pieces,
)
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.tokens.analyzer import Analyzer
from dragoman.types import Document, Explanation, Hit, Query

PASSAGE = 480  # characters: enough to judge relevance, short enough for a screen
RANKED = 1000  # hits among which the score of the document is looked for


class AttentionMatch(Protocol):
    """A term of a query, the sentence that matches it, and the attention over its words."""

    @property
    def term(self) -> str: ...  # noqa: D102
    @property
    def words(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def attention(self) -> tuple[float, ...]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class GlossedText:
    """A text in pieces, and the same with glosses, empty where no table has them."""

    pieces: tuple[TextPiece, ...]
    gloss: tuple[GlossedPiece, ...]


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """Everything that is shown of an explanation."""

    query: Query
    document: Document
    explanation: Explanation
    reason: str  # why the query's language is uncertain; empty where it is not
    title: GlossedText
    passage: GlossedText
    warning: str  # why there is no gloss; empty where there is one
    matches: tuple[AttentionMatch, ...] = ()  # of a system with attention
    hit: Hit | None = None  # as a search ranks the document; None where it is not among the first

    @property
    def matched_words(self) -> frozenset[str]:
        """The document's words that have links, case-folded."""
        return frozenset(link.document_word.casefold() for link in self.explanation.links)


def view_explanation(index: Index, text: str, doc_id: str, language: str = "") -> ExplanationView:
    """The explanation with the best passage, glossed in the query's language."""
    query, detection = index.query(text, language)
    explanation = index.explain(text, doc_id, language=query.language)
    document = index.get(doc_id)
    tables = tables_of(index.system)
    table = tables.table(document.language)
    analyzer = table.analyzer() if table is not None else Analyzer(DEFAULT_ANALYSIS)
    words = {link.document_word for link in explanation.links}
    passage = snippet(normalize("NFKC", document.text or document.title), words, PASSAGE).text
    warning = missing_table(document.language, query.language, tables)

    def glossed(text: str) -> GlossedText:
        glosses = () if warning else gloss(text, document.language, query.language, tables)
        return GlossedText(tuple(pieces(text, document.language, analyzer)), tuple(glosses))

    return ExplanationView(
        query,
        document,
        explanation,
        detection.reason if detection is not None else "",
        glossed(document.title),
        glossed(passage),
        warning,
        attention_matches(index, query, document),
        next((hit for hit in index.rank(query, RANKED).hits if hit.doc_id == doc_id), None),
    )


def tables_of(system: System) -> PivotTables:
    """The translation tables of the system; the shipped ones where it has none of its own."""
    own: PivotTables | None = getattr(system, "tables", None)
    return own if own is not None else TranslationTables()


def attention_matches(index: Index, query: Query, document: Document) -> tuple[AttentionMatch, ...]:
    """Terms with the sentences that match them; none where the system has no attention."""
    find = getattr(index.system, "matches", None)
    return () if find is None else tuple(find(query, document))


def explanation_fields(shown: ExplanationView) -> dict[str, Any]:
    """The explanation as JSON."""
    return {
        "query": shown.query.text,
        "language": shown.query.language,
        "document": {
            "id": shown.document.doc_id,
            "language": shown.document.language,
            "title": shown.document.title,
        },
        "score": shown.hit.score if shown.hit else None,
        "parts": [part._asdict() for part in shown.hit.parts] if shown.hit else [],
        "by_vectors": shown.explanation.by_vectors,
        "links": [asdict(link) for link in shown.explanation.links],
        "passage": "".join(piece.surface for piece in shown.passage.pieces),
        "marks": highlights(shown),
        "gloss": None if shown.warning else gloss_text(shown.passage.gloss),
        "words": [asdict(piece) for piece in shown.passage.gloss],
        "warning": shown.warning or None,
        "matches": [asdict(match) for match in shown.matches],  # type: ignore[call-overload]
    }


def highlights(shown: ExplanationView) -> list[tuple[int, int]]:
    """Start and end of the matched words in the passage, in characters."""
    spans, start = [], 0
    for piece in shown.passage.pieces:
        end = start + len(piece.surface)
        if piece.word.casefold() in shown.matched_words:
            spans.append((start, end))
        start = end
    return spans
