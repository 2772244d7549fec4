"""What the Wasserstein experiment learns for a pair of languages, kept for the next time."""

from collections.abc import Sequence
from pathlib import Path

from dragoman.experiments.paired_documents import PairedDocuments
from dragoman.experiments.wasserstein import Materials
from dragoman.systems.bilda.config import TopicConfig
from dragoman.systems.bilda.corpus import collect
from dragoman.systems.bilda.learning import learn
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext, read_dictionary
from dragoman.vectors.embeddings_learning import EmbeddingsConfig, learn_embeddings
from dragoman.vectors.spelling import Preparation
from dragoman.vectors.words import is_word_vectors


def materials(
    pairs: PairedDocuments,
    bitext: Sequence[Path],
    dictionaries: Sequence[Path],
    folder: Path,
    *,
    topics: TopicConfig,
    embeddings: EmbeddingsConfig,
) -> Materials:
    """Word vectors from bitext and dictionaries, topics from aligned training documents."""
    first, second = pairs.languages
    home = folder / f"{pairs.collection}-{first}-{second}"
    vectors = {code: home / "vectors" / code for code in pairs.languages}
    if not all(map(is_word_vectors, vectors.values())):
        faults = Faults()
        sentences = read_bitext(list(bitext), faults, languages=pairs.languages)
        entries = (entry for path in dictionaries for entry in read_dictionary(path, faults))
        learnt = learn_embeddings(sentences, entries, first, second, embeddings)
        learnt.save(home / "vectors")
    if not (home / "topics").is_dir():
        items = ([d.content for d in pair] for pair in pairs.training.values())
        corpus = collect(items, pairs.languages, Preparation(), topics.first)
        learn(corpus, topics).save(home / "topics")
    return Materials(vectors, home / "topics")
