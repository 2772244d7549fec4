"""Texts as word ids -> as the authors' code reads them: unknown words and padding have vectors.

The code (github.com/JiapengL/multi_ling_search) has one trained vector for all words outside of the
vocabulary, pads texts to the longest of their batch with another, and divides the sum of word
vectors by that length. A score must not depend on a batch here, so every query, and every document,
is padded to the mean of these lengths.
"""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.training import SmoothDataset, training_batches
from dragoman.systems.smooth.vocabulary import (
    PADDING,
    LanguageWords,
    SmoothTokenizer,
    SmoothVocabulary,
    TokenizedTexts,
)

UNKNOWN = "<UNK>"  # no word of a text, which are in lower case


def with_authors_texts(dataset: SmoothDataset, config: SmoothConfig) -> SmoothDataset:
    """The same collection with a vector for unknown words, and padded means."""
    data, tokenizer = dataset.data, SmoothTokenizer(config.model)
    query_words, document_words = map(with_unknown, dataset.vocabularies)
    dataset = replace(
        dataset,
        vocabularies=(query_words, document_words),
        queries=tokenizer.to_ids(replace_unknown(data.queries, query_words), query_words),
        documents=tokenizer.to_ids(replace_unknown(data.documents, document_words), document_words),
    )
    queries, documents = padded_lengths(dataset, config)
    return replace(
        dataset,
        queries=_padded(dataset.queries, queries),
        documents=_padded(dataset.documents, documents),
    )


def with_unknown(vocabulary: SmoothVocabulary) -> SmoothVocabulary:
    """The words and, in every language, one for all others."""
    return SmoothVocabulary(
        {language: (*words, UNKNOWN) for language, words in vocabulary.words.items()}
    )


def replace_unknown(
    texts: Iterable[LanguageWords], vocabulary: SmoothVocabulary
) -> list[LanguageWords]:
    """The texts with ``UNKNOWN`` in place of each word outside of the vocabulary."""
    known = {language: frozenset(words) for language, words in vocabulary.words.items()}
    return [
        (language, [word if word in known.get(language, ()) else UNKNOWN for word in words])
        for language, words in texts
    ]


def padded_lengths(dataset: SmoothDataset, config: SmoothConfig) -> tuple[int, int]:
    """The mean length of the longest query, and of the longest document, of a batch.

    Over the batches of the first epoch, rounded to whole words.
    """
    query_lengths = dataset.queries.sequences.lengths
    document_lengths = dataset.documents.sequences.lengths
    longest = [
        (query_lengths[batch.queries].max(), document_lengths[batch.documents].max())
        for batch in training_batches(dataset, config).epoch(0)
    ]
    queries, documents = np.mean(longest, axis=0)
    return round(float(queries)), round(float(documents))


def _padded(texts: TokenizedTexts, length: int) -> TokenizedTexts:
    return replace(texts, bags=texts.sequences.bags(length, PADDING))
