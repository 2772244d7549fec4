"""Small tables into English, written by hand."""

import numpy as np
from scipy.sparse import csr_array

from dragoman.lexicons import sparse_rows
from dragoman.lexicons.lexicon import Lexicon
from dragoman.lexicons.vocabulary import Vocabulary
from dragoman.tokens.analyzer import Analyzer

ANALYSIS = {"stop": True, "stem": True, "min_length": 1, "cjk": "bigrams"}


def table(language, translations, splitters=None):
    """A table from ``language`` into English; words are given as people write them."""
    analyse = Analyzer()
    counts = {
        (analyse(word, language)[0], analyse(english, "en")[0]): weight
        for word, found in translations.items()
        for english, weight in found.items()
    }
    sides = [Vocabulary(tuple(dict.fromkeys(pair[side] for pair in counts))) for side in (0, 1)]
    joint = np.zeros((len(sides[0]), len(sides[1])), dtype=np.float32)
    for (word, english), weight in counts.items():
        joint[sides[0].ids[word], sides[1].ids[english]] = weight
    return Lexicon(
        *(language, "en", *sides, *(np.ones(len(side), dtype=np.int64) for side in sides)),
        sparse_rows.normalised(csr_array(joint)),
        sparse_rows.normalised(csr_array(joint.T)),
        ANALYSIS,
        splitters or {},
    )


class HandWritten:
    """Tables by language, as a gloss asks for them."""

    def __init__(self, *tables):
        self._tables = {one.source: one for one in tables}

    def table(self, language):
        return self._tables.get(language)
