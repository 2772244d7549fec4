"""What the Wasserstein experiment learns for a pair of languages, cached for the next time.

Word vectors and translation tables are learnt from the same files, so that no row of Table 2 knows
texts that another does not. A cached folder is named after the training files and the settings:
with other files or settings, others are learnt.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from dragoman.embeddings.bilingual.learning import EmbeddingsConfig, learn_embeddings
from dragoman.embeddings.word_vectors import is_word_vectors
from dragoman.experiments.wasserstein.paired_documents import PairedDocuments
from dragoman.lexicons.learning import LexiconConfig, learn_lexicon
from dragoman.systems.bilda.config import TopicConfig
from dragoman.systems.bilda.corpus import build_corpus
from dragoman.systems.bilda.training import train
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext, read_dictionary
from dragoman.types import DictionaryEntry


@dataclass(frozen=True, slots=True)
class TrainingFiles:
    """The files that vectors and translations of a pair of languages are learnt from."""

    bitext: Sequence[Path]
    dictionaries: Sequence[Path]


@dataclass(frozen=True, slots=True)
class PairResources:
    """Word vectors, a translation table and topics of a pair of languages."""

    vectors: Mapping[str, Path]  # by language, in one space
    table: Path
    topics: Path


def learn_resources(
    pairs: PairedDocuments,
    files: TrainingFiles,
    cache: Path,
    *,
    topics: TopicConfig,
    embeddings: EmbeddingsConfig,
    lexicon: LexiconConfig,
) -> PairResources:
    """Vectors and a table from bitext and dictionaries, topics from aligned training documents."""
    home = cache / f"{pairs.collection}-{'-'.join(pairs.languages)}"
    facts = [*map(_file_facts, [*files.bitext, *files.dictionaries])]
    vectors = home / f"vectors-{_digest(*facts, embeddings)}"
    folders = {code: vectors / code for code in pairs.languages}
    table = home / f"table-{_digest(*facts, lexicon)}"
    has_vectors, has_table = all(map(is_word_vectors, folders.values())), table.is_dir()
    if not (has_vectors and has_table):
        sentences = list(read_bitext(list(files.bitext), Faults(), languages=pairs.languages))
        entries = list(_entries(files.dictionaries))
        if not has_vectors:
            learn_embeddings(sentences, entries, *pairs.languages, embeddings).save(vectors)
        if not has_table:
            learn_lexicon(sentences, entries, *pairs.languages, lexicon).lexicon.save(table)
    topic_folder = home / f"topics-{_digest(*sorted(pairs.training), topics)}"
    if not topic_folder.is_dir():
        items = ([d.content for d in pair] for pair in pairs.training.values())
        corpus = build_corpus(items, pairs.languages, topics.tokenizer, topics.first)
        train(corpus, topics).save(topic_folder)
    return PairResources(folders, table, topic_folder)


def _digest(*facts: object) -> str:
    """Eight digits that depend on every fact."""
    return blake2b(repr(facts).encode(), digest_size=4).hexdigest()


def _file_facts(path: Path) -> tuple[str, int]:
    return path.name, path.stat().st_size


def _entries(paths: Sequence[Path]) -> Iterator[DictionaryEntry]:
    for path in paths:
        yield from read_dictionary(path, Faults())
