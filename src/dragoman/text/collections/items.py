"""The things a collection is about, each in several languages, and what ties them together."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dragoman.text.collections.catalogue import PIVOT
from dragoman.text.collections.sentences import first_sentence, without_title_words
from dragoman.types import Document


@dataclass(frozen=True, slots=True)
class Page:
    """One item in one language: a title, and paragraphs in reading order.

    ``marks`` name the paragraphs where the source does: translations of each other share a mark.
    """

    title: str
    paragraphs: tuple[str, ...]
    marks: tuple[Hashable, ...] = ()

    @property
    def text(self) -> str:
        """The paragraphs, one to a line."""
        return "\n".join(self.paragraphs)


@dataclass(frozen=True, slots=True)
class Item:
    """What all languages' versions of one page share.

    ``group`` names what must not be torn apart by the split (variants of one thing); ``related``
    are the names of items that are partly relevant to this one's query.
    """

    name: str
    group: str
    languages: tuple[str, ...]  # in which it has a document
    sentence: str  # the first English one
    query: str  # what is left of it; empty where it asks nothing
    related: Mapping[str, Sequence[str]]  # by the language of the documents


def document_id(language: str, name: str) -> str:
    """The id of an item's document in one language, as in ``it:0ad``."""
    return f"{language}:{name}"


def describe(
    name: str,
    pages: Mapping[str, Page],
    *,
    group: str,
    title_words: str = "",
    related: Sequence[str] = (),
    running_text: Iterable[str] | None = None,
) -> Item:
    """The item whose pages these are; ``title_words`` are removed beside the title's own.

    ``running_text`` are the English paragraphs to take the sentence from, where not all will do.
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
    """The page as something that can be found."""
    return Document(document_id(language, name), page.text, page.title, language)
