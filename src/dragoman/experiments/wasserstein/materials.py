"""What the Wasserstein experiment learns for a pair of languages, kept for the next time.

A kept folder is named after what it was learnt from and how: with other files or settings, others
are learnt.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from dragoman.embeddings.bilingual.learning import EmbeddingsConfig, learn_embeddings
from dragoman.embeddings.word_vectors import is_word_vectors
from dragoman.experiments.wasserstein.experiment import Materials
from dragoman.experiments.wasserstein.paired_documents import PairedDocuments
from dragoman.systems.bilda.config import TopicConfig
from dragoman.systems.bilda.corpus import collect
from dragoman.systems.bilda.learning import learn
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext, read_dictionary
from dragoman.types import DictionaryEntry


@dataclass(frozen=True, slots=True)
class Sources:
    """The files that teach a pair of languages."""

    bitext: Sequence[Path]
    dictionaries: Sequence[Path]
    training: Sequence[Path] = ()  # lines of the training documents, for wider vectors beside


def materials(
    pairs: PairedDocuments,
    sources: Sources,
    folder: Path,
    *,
    topics: TopicConfig,
    embeddings: EmbeddingsConfig,
) -> Materials:
    """Word vectors from bitext and dictionaries, topics from aligned training documents."""
    home = folder / f"{pairs.collection}-{'-'.join(pairs.languages)}"

    def vectors(bitext: Sequence[Path]) -> Mapping[str, Path]:
        folder = (
            home / f"vectors-{_mark(*map(_facts, [*bitext, *sources.dictionaries]), embeddings)}"
        )
        found = {code: folder / code for code in pairs.languages}
        if not all(map(is_word_vectors, found.values())):
            sentences = read_bitext(list(bitext), Faults(), languages=pairs.languages)
            entries = _entries(sources.dictionaries)
            learn_embeddings(sentences, entries, *pairs.languages, embeddings).save(folder)
        return found

    known = home / f"topics-{_mark(*sorted(pairs.training), topics)}"
    if not known.is_dir():
        items = ([d.content for d in pair] for pair in pairs.training.values())
        corpus = collect(items, pairs.languages, topics.preparation, topics.first)
        learn(corpus, topics).save(known)
    given = vectors(sources.bitext)
    wider = vectors([*sources.bitext, *sources.training]) if sources.training else None
    return Materials(given, known, wider)


def _mark(*facts: object) -> str:
    """Eight digits that depend on every fact."""
    return blake2b(repr(facts).encode(), digest_size=4).hexdigest()


def _facts(path: Path) -> tuple[str, int]:
    return path.name, path.stat().st_size


def _entries(paths: Sequence[Path]) -> Iterator[DictionaryEntry]:
    for path in paths:
        yield from read_dictionary(path, Faults())
