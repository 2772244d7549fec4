"""ConceptNet Numberbatch (Speer et al. 2017): many languages in one space, keyed by ConceptNet's
uris as ``/c/fr/chat``; the text file, plain or compressed.

Files of one language (``numberbatch-en-...``) have plain words and are read as text. Phrases keep
their underscores.
"""

from collections.abc import Iterator
from pathlib import Path

from dragoman.embeddings.readers import text
from dragoman.embeddings.readers.word_row import Wanted, WordRow, accept_all
from dragoman.errors import InputError
from dragoman.text.files import Faults

URI = "/c/"


def read_numberbatch(path: Path, faults: Faults, wanted: Wanted = accept_all) -> Iterator[WordRow]:
    """The rows of a text file with uris; ``wanted`` is asked with each word's language."""
    for number, uri, numbers in text.lines(path, faults):
        try:
            language, word = parse_uri(path, number, uri)
        except InputError as error:
            faults.report(error)
            continue
        if wanted(word, language):
            yield from text.parsed(path, faults, number, word, numbers)


def parse_uri(path: Path, line: int, uri: str) -> tuple[str, str]:
    """Language and word of ``/c/fr/chat``; what follows the word (a sense) is left out."""
    parts = uri.split("/")
    if not uri.startswith(URI) or len(parts) < 4 or not parts[2] or not parts[3]:
        raise InputError(
            path,
            line,
            found=f"the key {uri[:80]!r}",
            expected="a ConceptNet uri, as in /c/fr/chat",
            advice="A Numberbatch file of one language is read with the format 'text'.",
        )
    return parts[2], parts[3]
