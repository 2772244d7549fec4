"""What a user names -> word vectors of one language: a saved folder, or a file of any format.

``read_vectors`` collects rows in memory, which a ``vocabulary`` keeps small. ``convert`` writes
them to a folder as they come, so that a file of any size is turned into one that is memory-mapped.
"""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import numpy as np

from dragoman import registry
from dragoman.embeddings.normalization import normalize_word
from dragoman.embeddings.readers.numberbatch import URI
from dragoman.embeddings.readers.word_row import Wanted, WordRow
from dragoman.embeddings.word_vectors import WordVectors, is_word_vectors
from dragoman.embeddings.writer import WordVectorsWriter
from dragoman.encoders.sentence_encoder import normalized
from dragoman.errors import ConfigError, InputError
from dragoman.protocols import Advance, no_progress
from dragoman.text.files import Faults, open_bytes, require_readable
from dragoman.text.languages import canonical
from dragoman.types import FloatArray

BLOCK = 4096  # rows that are normalised at a time
ENDINGS = {".pkl": "polyglot", ".h5": "numberbatch-hdf5", ".bin": "binary"}


def open_vectors(
    source: Path,
    language: str,
    vocabulary: Collection[str] | None = None,
    faults: Faults | None = None,
) -> WordVectors:
    """The vectors of a saved folder, of its subfolder ``language``, or of a file.

    ``vocabulary`` holds words as ``spelling`` writes them; others are left out.
    """
    code = canonical(language)
    for folder in (source, source / code):
        if is_word_vectors(folder):
            saved = WordVectors.open(folder)
            if saved.language != code:
                found = f"vectors of {saved.language!r}"
                raise InputError(folder, None, found=found, expected=f"those of {code!r}")
            return saved if vocabulary is None else _restricted(saved, vocabulary)
    return read_vectors(source, code, vocabulary=vocabulary, faults=faults)


def read_vectors(
    path: Path,
    language: str,
    *,
    format: str | None = None,  # noqa: A002 - the name users know
    vocabulary: Collection[str] | None = None,
    most: int | None = None,
    faults: Faults | None = None,
    advance: Advance = no_progress,
) -> WordVectors:
    """The rows of a file at length one, in memory, and their lengths in the file.

    ``most`` keeps only the first so many.
    """
    name = _check_arguments(path, language, format, most)
    words: list[str] = []
    blocks: list[FloatArray] = []
    lengths: list[FloatArray] = []
    for names, vectors in _blocks(path, language, name, vocabulary, most, faults, advance):
        words += names
        blocks.append(normalized(vectors))
        lengths.append(np.linalg.norm(vectors.astype(np.float64), axis=1))
    _check_some(path, language, len(words))
    facts = {"source": path.name, "format": name}
    matrix, own = np.concatenate(blocks), np.concatenate(lengths)
    return WordVectors(canonical(language), words, matrix, facts, lengths=own)


def convert(
    path: Path,
    folder: Path,
    language: str,
    *,
    format: str | None = None,  # noqa: A002
    vocabulary: Collection[str] | None = None,
    most: int | None = None,
    faults: Faults | None = None,
    advance: Advance = no_progress,
) -> WordVectors:
    """The rows of a file, written to ``folder`` as they are read and opened from there."""
    name = _check_arguments(path, language, format, most)
    facts = {"source": path.name, "format": name}
    with WordVectorsWriter(folder, canonical(language), facts) as writer:
        for words, vectors in _blocks(path, language, name, vocabulary, most, faults, advance):
            writer.write(words, normalized(vectors))
        _check_some(path, language, writer.words)
    return WordVectors.open(folder)


def _check_arguments(
    path: Path,
    language: str,
    format: str | None,  # noqa: A002
    most: int | None,
) -> str:
    """The name of the format; refuses wrong arguments before anything is read or written."""
    canonical(language)
    require_readable(path)
    if most is not None and most < 1:
        raise ConfigError(f"Found most = {most}; expected at least 1 word vector.")
    name = format or vector_format(path)
    registry.find(registry.WORD_VECTOR_FORMATS, name, "word vector format")
    return name


def vector_format(path: Path) -> str:
    """The format that a file's name and first lines tell."""
    endings = [ending.lower() for ending in path.suffixes[-2:] if ending not in (".gz", ".zst")]
    for ending in endings[-1:]:
        if ending in ENDINGS:
            return ENDINGS[ending]
    with open_bytes(path) as stream:
        first, second = stream.readline(1 << 16), stream.readline(1 << 16)
    if first.startswith(b"\x89HDF"):
        return "numberbatch-hdf5"
    key = second if len(first.split()) == 2 else first
    return "numberbatch" if key.startswith(URI.encode()) else "text"


def _blocks(
    path: Path,
    language: str,
    name: str,
    vocabulary: Collection[str] | None,
    most: int | None,
    faults: Faults | None,
    advance: Advance,
) -> Iterator[tuple[list[str], FloatArray]]:
    """Words that come for the first time with their vectors as in the file, block by block."""
    code = canonical(language)
    read: Callable[[Path, Faults, Wanted], Iterator[WordRow]] = registry.find(
        registry.WORD_VECTOR_FORMATS, name, "word vector format"
    )
    chosen = _Chosen(code, None if vocabulary is None else frozenset(vocabulary))
    waiting: list[WordRow] = []
    taken = 0
    for row in read(path, faults or Faults(), chosen):
        if not row.vector.any() or not chosen.is_new(row.word):
            continue  # a zero vector has no direction, and so no place among unit vectors
        waiting.append(row)
        taken += 1
        if len(waiting) == BLOCK or taken == most:
            yield _block(waiting)
            advance(len(waiting))
            waiting = []
        if taken == most:
            break
    if waiting:
        yield _block(waiting)
        advance(len(waiting))


class _Chosen:
    """Whether a word is wanted, and whether it comes for the first time."""

    def __init__(self, language: str, vocabulary: frozenset[str] | None) -> None:
        self._language, self._vocabulary = language, vocabulary
        self._met: set[str] = set()

    def __call__(self, word: str, language: str) -> bool:
        if language and language != self._language:
            return False
        return self._vocabulary is None or normalize_word(word, self._language) in self._vocabulary

    def is_new(self, word: str) -> bool:
        known = word in self._met
        self._met.add(word)
        return not known


def _block(rows: list[WordRow]) -> tuple[list[str], FloatArray]:
    return [row.word for row in rows], np.stack([row.vector for row in rows])


def _restricted(saved: WordVectors, vocabulary: Collection[str]) -> WordVectors:
    wanted = frozenset(vocabulary)
    code = saved.language
    return saved.restricted({word for word in saved.words if normalize_word(word, code) in wanted})


def _check_some(path: Path, language: str, words: int) -> None:
    if not words:
        raise InputError(
            path,
            None,
            found=f"no vector of a wanted word in {language!r}",
            expected="at least one",
            advice="Check the language, the format and the vocabulary.",
        )
