"""A collection of items in two languages -> documents as queries for their own translation.

The task of Balikas et al. 2018, section 4, on whole documents or their first words: a document in
one language is the query, the document of the same item in the other is the only relevant one among
those of all test items. Items of the collection's training part serve to learn topic models, word
vectors and lexicons and are never queries.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dragoman.errors import InputError
from dragoman.protocols import Tokenizer
from dragoman.systems.bags.weighting import MAX_WORDS, MIN_WORDS
from dragoman.text.collection import Collection
from dragoman.text.collections.splits import Split, draws
from dragoman.types import Document, Judgments, Query

TEST_ITEMS = 500


@dataclass(frozen=True, slots=True)
class PairedDocuments:
    """Two languages of one collection: aligned test documents, aligned training documents."""

    collection: str
    languages: tuple[str, str]
    test: Mapping[str, tuple[Document, Document]]  # by item
    training: Mapping[str, tuple[Document, Document]]

    def documents(self, side: int) -> list[Document]:
        """The test documents of one language."""
        return [pair[side] for pair in self.test.values()]

    def queries(self, side: int) -> list[Query]:
        """The test documents of one language as queries."""
        return [
            Query(item, pair[side].content.body, pair[side].language)
            for item, pair in self.test.items()
        ]

    def excerpts(self, words: int) -> "PairedDocuments":
        """The same with the first ``words`` words of each test document: a harder task."""
        cut = {
            item: (_cut(pair[0], words), _cut(pair[1], words)) for item, pair in self.test.items()
        }
        return replace(self, test=cut)

    def judgments(self, side: int) -> Judgments:
        """The only relevant document of every item, in one language."""
        return {item: {pair[side].doc_id: 1} for item, pair in self.test.items()}


@dataclass(frozen=True, slots=True)
class TextStatistics:
    """Table 1 of the paper for one language: documents, running words, different words."""

    language: str
    documents: int
    words: int
    vocabulary: int


def paired_documents(
    collection: Collection, first: str, second: str, tokenize: Tokenizer, count: int = TEST_ITEMS
) -> PairedDocuments:
    """At most ``count`` test items with more than five words in both languages.

    Items of the validation part are test items too: nothing is chosen on them here.
    """
    pages = _pages(collection, (first, second))
    splits = {query.query_id: query.metadata.get("split") for query in collection.queries()}
    both = {item: pair for item, pair in pages.items() if len(pair) == 2}
    known = {item: (pair[first], pair[second]) for item, pair in sorted(both.items())}
    training = {item: pair for item, pair in known.items() if splits.get(item) == Split.TRAIN}
    others = [item for item in known if splits.get(item) in (Split.TEST, Split.VALIDATION)]
    long_enough = [
        item
        for item in sorted(others, key=lambda item: next(draws("paired", item)))
        if all(len(tokenize(d.content.body, d.language)) >= MIN_WORDS for d in known[item])
    ]
    chosen = sorted(long_enough[:count])
    if not chosen or not training:
        raise InputError(
            collection.name,
            None,
            found=f"{len(chosen)} test and {len(training)} training items in {first} and {second}",
            expected="documents called LANGUAGE:ITEM and queries called ITEM with a split",
            advice="Build it with: dragoman collection get libreoffice-help",
        )
    test = {item: known[item] for item in chosen}
    return PairedDocuments(collection.name, (first, second), test, training)


def _cut(document: Document, words: int) -> Document:
    text = " ".join(document.content.body.split()[:words])
    return Document(document.doc_id, text, language=document.language)


def _pages(collection: Collection, languages: Sequence[str]) -> dict[str, dict[str, Document]]:
    """Documents by item and language; ids are LANGUAGE:ITEM, English ones too."""
    pages: dict[str, dict[str, Document]] = {}
    for document in collection.documents():
        if document.language in languages:
            item = document.doc_id.removeprefix(f"{document.language}:")
            pages.setdefault(item, {})[document.language] = document
    return pages


def text_statistics(pairs: PairedDocuments, side: int, tokenize: Tokenizer) -> TextStatistics:
    """The counts of the test documents of one language."""
    running, words = 0, set[str]()
    for document in pairs.documents(side):
        tokens = tokenize(document.content.body, document.language)[:MAX_WORDS]
        running += len(tokens)
        words.update(tokens)
    return TextStatistics(pairs.languages[side], len(pairs.test), running, len(words))
