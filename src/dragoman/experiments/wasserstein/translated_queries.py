"""Queries of one language -> queries word by word in the language of the documents.

Balikas et al. 2018, section 4: among several translations of a word, a unigram language model of
the training documents chooses. The searched documents have no part in it.
"""

from collections import Counter
from collections.abc import Iterable

from dragoman.embeddings.normalization import WordTokenizer
from dragoman.experiments.wasserstein.paired_documents import PairedDocuments
from dragoman.lexicons.query_translation import DocumentForms, QueryTranslator
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.types import Document, Query


def unigrams(documents: Iterable[Document]) -> Counter[str]:
    """How often each word occurs: a unigram language model, up to its normaliser."""
    tokenize = WordTokenizer()
    return Counter(
        word
        for document in documents
        for word in tokenize(document.content.body, document.language)
    )


def translate_queries(
    pairs: PairedDocuments, query_side: int, tables: TranslationTables
) -> list[Query]:
    """The test documents of one language as queries in the other."""
    language = pairs.languages[1 - query_side]
    translator = QueryTranslator(tables)
    counts = unigrams(pair[1 - query_side] for pair in pairs.training.values())
    model = DocumentForms.from_frequencies(language, counts, translator.analyzer)
    return [
        Query(query.query_id, " ".join(translator.translate(query.content, model)), language)
        for query in pairs.queries(query_side)
    ]
