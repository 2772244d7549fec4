"""Items of a collection, each with pages in several languages, and the relations between items."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dragoman.text.collections.catalogue import PIVOT
from dragoman.text.collections.sentences import first_sentence, without_title_words
from dragoman.types import Document


@dataclass(frozen=True, slots=True)
class Page:
    """One item in one language: a title, and paragraphs in reading order.

    ``keys`` identify the paragraphs across languages, where the source does: a paragraph and its
    translation share a key.
    """

    title: str
    paragraphs: tuple[str, ...]
    keys: tuple[Hashable, ...] = ()

    @property
    def text(self) -> str:
        """The paragraphs, one to a line."""
        return "\n".join(self.paragraphs)


@dataclass(frozen=True, slots=True)
class Item:
    """The properties of an item that do not depend on the language.

    Items of one ``group`` (variants of one thing) are in the same split; ``related`` are the names
    of items that are partly relevant to this one's query.
    """

    name: str
    group: str
    languages: tuple[str, ...]  # of its documents
    sentence: str  # the first English one
    query: str  # the sentence without the title's words; empty where too little is left
    related: Mapping[str, Sequence[str]]  # by the language of the documents


def document_id(language: str, name: str) -> str:
    """The id of an item's document in one language, as in ``it:0ad``."""
    return f"{language}:{name}"


def make_item(
    name: str,
    pages: Mapping[str, Page],
    *,
    group: str,
    title_words: str = "",
    related: Sequence[str] = (),
    running_text: Iterable[str] | None = None,
) -> Item:
    """The item with these pages; its query lacks ``title_words`` and the words of the title.

    ``running_text`` are the English paragraphs to take the first sentence from; None for all.
    """
    english = pages[PIVOT]
    sentence = first_sentence(english.paragraphs if running_text is None else running_text)
    return Item(
        name=name,
        group=group,
        languages=tuple(pages),
        sentence=sentence,
        query=without_title_words(sentence, f"{english.title} {title_words}"),
        related=dict.fromkeys(pages, tuple(related)),
    )


def as_document(name: str, language: str, page: Page) -> Document:
    """The page as a document."""
    return Document(document_id(language, name), page.text, page.title, language)
