"""word2vec's binary format: a text header, then each word, a blank and its float32 numbers.

A line end may stand before a word: word2vec writes one behind every vector, gensim does not.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

from dragoman.embeddings.readers.word_row import (
    LONGEST_WORD,
    Wanted,
    WordRow,
    accept_all,
    check_finite,
    decode_word,
    parse_header,
)
from dragoman.errors import InputError
from dragoman.text.files import Faults, open_bytes

BLOCK = 1 << 20


def read_binary(path: Path, faults: Faults, wanted: Wanted = accept_all) -> Iterator[WordRow]:
    """The rows of a binary file of one language; an error's line counts words from 1."""
    with open_bytes(path) as stream:
        header = parse_header(path, stream.readline(LONGEST_WORD))
        if header is None:
            raise InputError(
                path,
                None,
                found="no header",
                expected="the numbers of words and dimensions in the first line",
                advice="A text file of vectors is read with the format 'text'.",
            )
        words, dimension = header
        waiting = _Waiting(path, stream)
        for number in range(1, words + 1):
            raw_word, raw_vector = waiting.take(number, 4 * dimension)
            try:
                word = decode_word(path, number, raw_word)
                if not wanted(word, ""):
                    continue
                vector = np.frombuffer(raw_vector, dtype="<f4").astype(np.float32)
                check_finite(path, number, word, vector)
            except InputError as error:
                faults.report(error)
            else:
                yield WordRow(word, vector)


class _Waiting:
    """Bytes that were read and not yet taken."""

    def __init__(self, path: Path, stream: IO[bytes]) -> None:
        self._path, self._stream = path, stream
        self._bytes, self._place = b"", 0

    def take(self, number: int, size: int) -> tuple[bytes, bytes]:
        """The next word and the ``size`` bytes of its vector."""
        most = LONGEST_WORD + size
        if len(self._bytes) - self._place < most:
            rest = self._bytes[self._place :]
            self._bytes, self._place = rest + self._stream.read(BLOCK + most), 0
        blank = self._bytes.find(b" ", self._place, self._place + LONGEST_WORD)
        start, stop = blank + 1, blank + 1 + size
        if blank < 0 or stop > len(self._bytes):
            raise InputError(
                self._path,
                None,
                found=f"the end of the file or no blank at word {number:,}",
                expected="as many words as the header says",
            )
        word = self._bytes[self._place : blank].lstrip(b"\n")
        self._place = stop
        return word, self._bytes[start:stop]
