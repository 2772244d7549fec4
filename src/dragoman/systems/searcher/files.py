"""The vocabulary files of a saved model: query terms and document words."""

from pathlib import Path

import numpy as np

from dragoman.encoders.subwords import SubwordVocabulary
from dragoman.errors import InputError
from dragoman.systems.searcher.document_words import DocumentWords
from dragoman.systems.searcher.terms import Terms

KEYS, WEIGHTS = "words.keys.npy", "words.weights.npy"


def read_terms(path: Path) -> Terms:
    """The query terms."""
    kinds: dict[str, list[str]] = {"word": [], "stem": [], "phrase": []}
    try:
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    except OSError as error:
        raise InputError(path, None, found=f"no terms ({error})", expected="a model") from error
    for number, line in enumerate(lines, start=1):
        kind, _, name = line.partition("\t")
        if kind not in kinds or not name:
            raise InputError(path, number, found=line, expected="a kind, a tab and a term")
        kinds[kind].append(name)
    return Terms(tuple(kinds["word"]), tuple(kinds["stem"]), tuple(kinds["phrase"]))


def write_words(folder: Path, words: DocumentWords) -> None:
    """Write what ``read_words`` reads."""
    np.save(folder / KEYS, words.vocabulary.keys, allow_pickle=False)
    np.save(folder / WEIGHTS, words.vocabulary.weights, allow_pickle=False)


def read_words(folder: Path, languages: frozenset[str], unseen: float) -> DocumentWords:
    """The document words."""
    try:
        keys = np.load(folder / KEYS, allow_pickle=False)
        weights = np.load(folder / WEIGHTS, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InputError(
            folder, None, found=f"no words ({error})", expected=f"{KEYS} and {WEIGHTS}"
        ) from error
    return DocumentWords(SubwordVocabulary(keys, weights, unseen), languages)
