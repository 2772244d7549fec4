"""English text -> words as relevance, training pairs, queries and all systems have them.

A query is relevant to a document whose English side has a word of the same stem. So that no system
is measured by forms that it does not tell apart, or that relevance does not, the task itself has
stems: in the pairs that systems learn from, in the queries, in translations before they are
searched. Stemming is repeated until it changes nothing, so that systems may stem again.
"""

from functools import lru_cache

from dragoman.systems.searcher.terms import all_words, is_stop_word, stem_word
from dragoman.types import Text

ENGLISH = "en"


def normalize_english(text: str) -> str:
    """The words of a text, case-folded: stop words as they are, others by their stems.

    A word whose stem is a stop word (running) stays as it is: lexical systems would drop it.
    """
    return " ".join(_normalize(word) for word in all_words(Text(text, ENGLISH)))


@lru_cache(1 << 18)
def _normalize(word: str) -> str:
    if is_stop_word(word, ENGLISH):
        return word
    stem = stem_word(word, ENGLISH)
    while stem != word and not is_stop_word(stem, ENGLISH):
        word, stem = stem, stem_word(stem, ENGLISH)
    return word


def is_stem(word: str) -> bool:
    """Whether a normalised word is its own stem, so that all systems tell it from others alike."""
    return stem_word(word, ENGLISH) == word
