"""What the Wasserstein experiment learns for a pair of languages, cached for the next time.

A cached folder is named after the training files and the settings: with other files or settings,
others are learnt.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from dragoman.embeddings.bilingual.learning import EmbeddingsConfig, learn_embeddings
from dragoman.embeddings.word_vectors import is_word_vectors
from dragoman.experiments.wasserstein.paired_documents import PairedDocuments
from dragoman.systems.bilda.config import TopicConfig
from dragoman.systems.bilda.corpus import build_corpus
from dragoman.systems.bilda.training import train
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext, read_dictionary
from dragoman.types import DictionaryEntry


@dataclass(frozen=True, slots=True)
class TrainingFiles:
    """The files that word vectors of a pair of languages are learnt from."""

    bitext: Sequence[Path]
    dictionaries: Sequence[Path]
    training: Sequence[Path] = ()  # bitext of the training documents, for the wider vectors


@dataclass(frozen=True, slots=True)
class PairResources:
    """Word vectors and topics of a pair of languages."""

    vectors: Mapping[str, Path]  # by language, in one space
    topics: Path
    wider: Mapping[str, Path] | None = None  # vectors learnt from the training documents as well


def learn_resources(
    pairs: PairedDocuments,
    files: TrainingFiles,
    cache: Path,
    *,
    topics: TopicConfig,
    embeddings: EmbeddingsConfig,
) -> PairResources:
    """Word vectors from bitext and dictionaries, topics from aligned training documents."""
    home = cache / f"{pairs.collection}-{'-'.join(pairs.languages)}"

    def learn_vectors(bitext: Sequence[Path]) -> Mapping[str, Path]:
        facts = map(_file_facts, [*bitext, *files.dictionaries])
        folder = home / f"vectors-{_digest(*facts, embeddings)}"
        folders = {code: folder / code for code in pairs.languages}
        if not all(map(is_word_vectors, folders.values())):
            sentences = read_bitext(list(bitext), Faults(), languages=pairs.languages)
            entries = _entries(files.dictionaries)
            learn_embeddings(sentences, entries, *pairs.languages, embeddings).save(folder)
        return folders

    topic_folder = home / f"topics-{_digest(*sorted(pairs.training), topics)}"
    if not topic_folder.is_dir():
        items = ([d.content for d in pair] for pair in pairs.training.values())
        corpus = build_corpus(items, pairs.languages, topics.tokenizer, topics.first)
        train(corpus, topics).save(topic_folder)
    vectors = learn_vectors(files.bitext)
    wider = learn_vectors([*files.bitext, *files.training]) if files.training else None
    return PairResources(vectors, topic_folder, wider)


def _digest(*facts: object) -> str:
    """Eight digits that depend on every fact."""
    return blake2b(repr(facts).encode(), digest_size=4).hexdigest()


def _file_facts(path: Path) -> tuple[str, int]:
    return path.name, path.stat().st_size


def _entries(paths: Sequence[Path]) -> Iterator[DictionaryEntry]:
    for path in paths:
        yield from read_dictionary(path, Faults())
