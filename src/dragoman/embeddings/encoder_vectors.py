"""Words -> vectors by a sentence encoder: cross-lingual word vectors without any further data.

A word is encoded as a text, by the encoder for its language: the multilingual teacher, or a student
if the teacher does not support the language. All vectors are in one space. They are cached per
encoder and language, so that only new words of a growing vocabulary are encoded.

Words are in lower case, but German nouns are capitalised. There a word's vector is the mean of both
spellings' (docs/embeddings.md has the figures, of German only).
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from dragoman.embeddings.word_vectors import WordVectors, is_word_vectors
from dragoman.encoders.family import EncoderFamily
from dragoman.encoders.sentence_encoder import normalized
from dragoman.lexicons.vocabulary import ABSENT
from dragoman.protocols import Advance, no_progress
from dragoman.storage.cache import cache_folder
from dragoman.text.languages import canonical
from dragoman.types import FloatArray, Text

CAPITALISING = frozenset({"de", "lb"})  # languages with capitalised nouns
RULES = 1  # raised with every change here that gives a word another vector


def encode_words(
    words: Sequence[str],
    language: str,
    family: EncoderFamily,
    *,
    cache: Path | None = None,
    advance: Advance = no_progress,
) -> WordVectors:
    """The vectors of the distinct ``words`` in their order, without words that have none.

    ``cache`` is a folder for encoded words (default: dragoman's own cache). Words are encoded
    without normalisation; ``advance`` is called for every word that is not in the cache.
    """
    code = canonical(language)
    wanted = list(dict.fromkeys(words))
    folder = (cache or cache_folder() / "words") / cache_name(code, family)
    cached = WordVectors.open(folder) if is_word_vectors(folder) else None
    rows = cached.rows(wanted) if cached else np.full(len(wanted), ABSENT)
    new = [word for word, row in zip(wanted, rows.tolist(), strict=True) if row == ABSENT]
    if new:
        vectors = encode_uncached(new, code, family, advance)
        nonzero = np.flatnonzero(vectors.any(axis=1))  # a word without letters has no vector
        if len(nonzero):
            encoded = [new[row] for row in nonzero.tolist()]
            cached = _extended(cached, code, encoded, vectors[nonzero], family)
            cached.save(folder)
    if cached is None:
        return WordVectors(code, (), np.zeros((0, family.dimension), np.float32))
    rows = cached.rows(wanted)
    known = [word for word, row in zip(wanted, rows.tolist(), strict=True) if row != ABSENT]
    return WordVectors(code, known, np.asarray(cached.matrix[rows[rows != ABSENT]]), cached.facts)


def cache_name(language: str, family: EncoderFamily) -> str:
    """The name of the cache folder; another encoder or teacher has another."""
    signature = family.encoder_for(language).signature
    signatures = f"{RULES}|{signature}|{family.teacher.signature}"
    return f"{language}-{sha256(signatures.encode()).hexdigest()[:16]}"


def encode_uncached(
    words: Sequence[str], language: str, family: EncoderFamily, advance: Advance = no_progress
) -> FloatArray:
    """One row per word, of length one, or 0 for a word without letters."""
    vectors = family.encode([Text(word, language) for word in words], advance)
    if language not in CAPITALISING:
        return vectors
    return normalized(vectors + family.encode([Text(w.capitalize(), language) for w in words]))


def _extended(
    cached: WordVectors | None,
    language: str,
    words: Sequence[str],
    vectors: FloatArray,
    family: EncoderFamily,
) -> WordVectors:
    """The cached vectors, followed by the new ones."""
    encoder = family.encoder_for(language)
    facts = {"encoder": encoder.name, "signature": encoder.signature}
    if cached is None:
        return WordVectors(language, words, vectors, facts)
    matrix = np.concatenate([np.asarray(cached.matrix), vectors])
    return WordVectors(language, [*cached.words, *words], matrix, facts)
