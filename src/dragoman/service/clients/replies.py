"""JSON of a service -> the values that an index in a folder gives: answers, documents, views."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.indexes.search.answer import Answer, GroupMember, MatchQuality, Relation, Result
from dragoman.indexes.search.explanation_view import ExplanationView, GlossedText
from dragoman.indexes.search.listing import DocumentEntry
from dragoman.indexes.search.results import document_words
from dragoman.indexes.search.sections import SECTIONS
from dragoman.indexes.search.snippets import Snippet
from dragoman.lexicons.gloss import GlossedPiece, GlossKind, TextPiece
from dragoman.text.language_detection import Detection
from dragoman.types import Document, Explanation, Hit, Link, Query, Ranking, ScorePart

Fields = Mapping[str, Any]
NO_SNIPPET: Fields = {"text": "", "marks": (), "start": 0, "end": 0, "met": 0}


@dataclass(frozen=True, slots=True)
class TermAttention:
    """A term of a query, the sentence that matches it, and the attention over its words."""

    term: str
    words: tuple[str, ...]
    attention: tuple[float, ...]


def answer_of(pages: Sequence[Fields], texts: Mapping[str, str]) -> Answer:
    """The answer in the pages of one search; ``texts`` has the documents' texts by id."""
    first = pages[0]
    language = first["language"]
    detection = Detection(
        language["code"], language["probability"], language["certain"], language["reason"]
    )
    return Answer(
        Query("query", first["query"], language["code"]),
        tuple(result_of(hit, texts.get(hit["id"], "")) for page in pages for hit in page["hits"]),
        detection if language["detected"] else None,
        tuple(first["warnings"]),
    )


def ranking_of(query_id: str, pages: Sequence[Fields]) -> Ranking:
    """The hits alone in the pages of one search."""
    hits = tuple(hit_of(hit) for page in pages for hit in page["hits"])
    return Ranking(query_id, hits, tuple(pages[0]["warnings"]))


def result_of(fields: Fields, text: str) -> Result:
    """A hit with its document; the section is all that is known of the document's sections."""
    section = [[0, fields["page"] or 0, fields["heading"] or ""]]
    sections = {SECTIONS: section} if fields["page"] or fields["heading"] else {}
    metadata = {**fields["metadata"], **sections}
    links = links_of(fields["links"])
    return Result(
        hit_of(fields),
        Document(fields["id"], text, fields["title"], fields["language"], metadata),
        document_words(links),
        snippet_of(fields["snippet"] or NO_SNIPPET),
        links,
        tuple(member_of(member) for member in fields["members"]),
        MatchQuality(fields["match"]) if fields["match"] else None,
    )


def member_of(fields: Fields) -> GroupMember:
    """A copy or translation of a hit."""
    return GroupMember(
        fields["id"],
        float(fields["score"]),
        fields["language"],
        fields["title"],
        Relation(fields["relation"]),
    )


def hit_of(fields: Fields) -> Hit:
    """The id and the score of a hit, with the parts of the score."""
    return Hit(fields["id"], float(fields["score"]), parts_of(fields["parts"]))


def parts_of(fields: Sequence[Fields]) -> tuple[ScorePart, ...]:
    """The parts of a score."""
    return tuple(ScorePart(one["system"], one["score"], one["added"]) for one in fields)


def links_of(fields: Sequence[Fields]) -> tuple[Link, ...]:
    """Links, strongest first."""
    return tuple(
        Link(one["query_word"], one["document_word"], one["weight"], one["share"]) for one in fields
    )


def snippet_of(fields: Fields) -> Snippet:
    """A snippet with its marks."""
    marks = tuple((start, end) for start, end in fields["marks"])
    return Snippet(fields["text"], marks, fields["start"], fields["end"], fields["met"])


def document_of(fields: Fields, text: str) -> Document:
    """A document with its whole text."""
    return Document(fields["id"], text, fields["title"], fields["language"], fields["metadata"])


def entry_of(fields: Fields) -> DocumentEntry:
    """A document of a list."""
    return DocumentEntry(
        fields["id"], fields["language"], fields["title"], fields["letters"], fields["metadata"]
    )


def view_of(fields: Fields) -> ExplanationView:
    """All that is shown of an explanation; the document is without its text."""
    document, score = fields["document"], fields["score"]
    return ExplanationView(
        Query("query", fields["query"], fields["language"]),
        Document(document["id"], "", document["title"], document["language"]),
        Explanation(
            document["id"], fields["words_score"], links_of(fields["links"]), fields["by_vectors"]
        ),
        fields["reason"],
        glossed_text(fields["title_pieces"], fields["title_words"]),
        glossed_text(fields["pieces"], fields["words"]),
        fields["warning"] or "",
        tuple(
            TermAttention(one["term"], tuple(one["words"]), tuple(one["attention"]))
            for one in fields["matches"]
        ),
        None if score is None else Hit(document["id"], score, parts_of(fields["parts"])),
    )


def glossed_text(pieces: Sequence[Fields], words: Sequence[Fields]) -> GlossedText:
    """A text in pieces, and the same with glosses."""
    return GlossedText(
        tuple(TextPiece(one["surface"], (), one["word"]) for one in pieces),
        tuple(
            GlossedPiece(one["surface"], one["gloss"], GlossKind(one["kind"]), one["word"])
            for one in words
        ),
    )
