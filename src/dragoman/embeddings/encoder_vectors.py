"""Words -> vectors by a sentence encoder: cross-lingual word vectors without any further data.

A word is encoded as a text of its own, by the reader of its language: the multilingual encoder, or
its student where the encoder lacks the language. All come out in one space. What was encoded is
kept per reader and language, so that a vocabulary that has grown costs its new words only.

Words come in lower case, but in German a noun is never written so. There a word's vector is the
mean of both spellings' (docs/embeddings.md has the figures that decided it, of German alone).
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from dragoman.embeddings.word_vectors import ABSENT, WordVectors, is_word_vectors
from dragoman.encoders.family import EncoderFamily
from dragoman.encoders.sentence_encoder import normalized
from dragoman.protocols import Advance, no_progress
from dragoman.storage.cache import cache_folder
from dragoman.text.languages import canonical
from dragoman.types import FloatArray, Text

CAPITALISING = frozenset({"de", "lb"})  # languages that write their nouns with a capital
RULES = 1  # raised with every change here that gives a word another vector


def encode_words(
    words: Sequence[str],
    language: str,
    family: EncoderFamily,
    *,
    cache: Path | None = None,
    advance: Advance = no_progress,
) -> WordVectors:
    """The vectors of ``words`` in their order, each word once; words that say nothing have none.

    ``cache`` is a folder for what was encoded before (``None``: dragoman's own cache). Words
    are encoded as they are given; ``advance`` is told of those that had to be.
    """
    code = canonical(language)
    wanted = list(dict.fromkeys(words))
    folder = (cache or cache_folder() / "words") / cache_name(code, family)
    kept = WordVectors.open(folder) if is_word_vectors(folder) else None
    rows = kept.rows(wanted) if kept else np.full(len(wanted), ABSENT)
    new = [word for word, row in zip(wanted, rows.tolist(), strict=True) if row == ABSENT]
    if new:
        vectors = encode_uncached(new, code, family, advance)
        said = np.flatnonzero(vectors.any(axis=1))  # a word without letters has no direction
        if len(said):
            named = [new[place] for place in said.tolist()]
            kept = _extended(kept, code, named, vectors[said], family)
            kept.save(folder)
    if kept is None:
        return WordVectors(code, (), np.zeros((0, family.dimension), np.float32))
    rows = kept.rows(wanted)
    found = [word for word, row in zip(wanted, rows.tolist(), strict=True) if row != ABSENT]
    return WordVectors(code, found, np.asarray(kept.matrix[rows[rows != ABSENT]]), kept.facts)


def cache_name(language: str, family: EncoderFamily) -> str:
    """The folder's name: another reader of the language, or another teacher, has another."""
    reader = family.encoder_for(language)
    readers = f"{RULES}|{reader.signature}|{family.teacher.signature}"
    return f"{language}-{sha256(readers.encode()).hexdigest()[:16]}"


def encode_uncached(
    words: Sequence[str], language: str, family: EncoderFamily, advance: Advance = no_progress
) -> FloatArray:
    """One row of length one per word, or 0 where it says nothing; ``advance`` is told of each."""
    vectors = family.encode([Text(word, language) for word in words], advance)
    if language not in CAPITALISING:
        return vectors
    return normalized(vectors + family.encode([Text(w.capitalize(), language) for w in words]))


def _extended(
    kept: WordVectors | None,
    language: str,
    words: Sequence[str],
    vectors: FloatArray,
    family: EncoderFamily,
) -> WordVectors:
    """What was kept and, behind it, the new words."""
    reader = family.encoder_for(language)
    facts = {"encoder": reader.name, "signature": reader.signature}
    if kept is None:
        return WordVectors(language, words, vectors, facts)
    matrix = np.concatenate([np.asarray(kept.matrix), vectors])
    return WordVectors(language, [*kept.words, *words], matrix, facts)
