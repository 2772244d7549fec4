"""The baselines of SEARCHER on one task: word vectors, translation, psq (section 9).

All of them learn from the training pairs of the task and from nothing else. Document translation
turns documents into English: word by word with the likeliest translation of the task's own lexicon,
by the convolutional translation model (``neural_translation``), or with Apertium. The English is
then searched with BM25. "+ source" also searches the documents themselves with the translated
query; the development queries choose the weights of the sum. The oracle searches the true English.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dragoman.embeddings.bilingual.learning import EmbeddingsConfig, learn_embeddings
from dragoman.embeddings.word_vectors import is_word_vectors
from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.searcher import apertium
from dragoman.experiments.searcher.normalization import ENGLISH, normalize_english
from dragoman.experiments.searcher.score_tables import Scores
from dragoman.experiments.searcher.task import DetectionTask
from dragoman.lexicons.gloss import GlossKind, gloss
from dragoman.lexicons.learning import learn_lexicon
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.ranking.balance import Balance
from dragoman.types import Document, Ranking

DIMENSION = 300
SOURCE_WEIGHTS = (0.1, 0.25, 0.5, 0.75, 0.9)  # of the search in the documents themselves


@dataclass(frozen=True, slots=True)
class BaselineResources:
    """The folders of what the baselines of a task share: a lexicon and word vectors."""

    lexicon: Path
    vectors: tuple[Path, ...]


def learn_resources(task: DetectionTask, folder: Path) -> BaselineResources:
    """The lexicon and the vectors of a task, learnt where ``folder`` does not have them yet."""
    home = folder / f"{task.language}-{task.training_fingerprint}"
    lexicon, vectors = home / "lexicon", home / "vectors"
    pair = (ENGLISH, task.language)
    if not lexicon.is_dir():
        learn_lexicon(list(task.training), [], *pair).lexicon.save(lexicon)
    if not all(is_word_vectors(vectors / code) for code in pair):
        dimension = min(DIMENSION, max(2, len(task.training) // 10))
        config = EmbeddingsConfig(dimension=dimension, held_out=0)
        learn_embeddings(task.training, [], *pair, config).save(vectors)
    return BaselineResources(lexicon, tuple(vectors / code for code in pair))


def threshold(task: DetectionTask, resources: BaselineResources) -> Scores:
    """The cosine of the nearest word (section 2)."""
    settings = {"vectors": [str(folder) for folder in resources.vectors]}
    return _search(task, "threshold", settings, task.documents)


def psq(task: DetectionTask, resources: BaselineResources) -> Scores:
    """Probabilistic structured queries with the task's own lexicon."""
    return _search(task, "psq", {"lexicons": [str(resources.lexicon)]}, task.documents)


def oracle(task: DetectionTask) -> Scores:
    """BM25 on the true English sides: what a perfect translation of the documents reaches."""
    return search_english(task, task.english)


def document_translation(task: DetectionTask, resources: BaselineResources) -> Scores:
    """BM25 on documents that were translated word by word."""
    tables = TranslationTables([resources.lexicon], use_shipped=False)
    bodies = (document.content.body for document in task.documents)
    return search_english(task, [word_by_word(body, task.language, tables) for body in bodies])


def query_translation(task: DetectionTask, resources: BaselineResources) -> Scores:
    """BM25 on the documents themselves; every query word becomes its best translation."""
    return _search(task, "bm25", {"lexicons": [str(resources.lexicon)]}, task.documents)


def with_source(translated: Scores, source: Scores) -> dict[str, Scores]:
    """Weighted sums of a search in translated documents and one with translated queries.

    Both are BM25 with the same settings, so that their scores are on one scale.
    """
    return {
        f"source {weight:g}": {
            query_id: {
                doc_id: (1 - weight) * found.get(doc_id, 0.0) + weight * other.get(doc_id, 0.0)
                for doc_id in {*found, *other}
            }
            for query_id, found in translated.items()
            for other in [source[query_id]]
        }
        for weight in SOURCE_WEIGHTS
    }


def machine_translation(task: DetectionTask) -> Scores:
    """BM25 on documents translated by Apertium, which must be available."""
    bodies = [document.content.body for document in task.documents]
    return search_english(task, apertium.translate(bodies, task.language, ENGLISH))


def word_by_word(text: str, language: str, tables: TranslationTables) -> str:
    """The likeliest translation of every word; unknown words stay, function words are dropped."""
    words = []
    for piece in gloss(text, language, ENGLISH, tables):
        if piece.kind in (GlossKind.WORD, GlossKind.ITSELF, GlossKind.UNKNOWN):
            words.append(piece.surface if piece.gloss is None else piece.gloss)
        elif "\n" in piece.surface:
            words.append("\n")
    return " ".join(words)


def search_english(task: DetectionTask, texts: Sequence[str]) -> Scores:
    """BM25 on English versions of the documents, normalised as the queries are."""
    documents = [
        replace(document, text=normalize_english(text), title="", language=ENGLISH)
        for document, text in zip(task.documents, texts, strict=True)
    ]
    return _search(task, "bm25", {"translate": False}, documents)


def _search(
    task: DetectionTask,
    name: str,
    settings: Mapping[str, object],
    documents: Sequence[Document],
) -> Scores:
    """The scores of all documents that a registered system retrieves for every query."""
    with temporary_index(documents, name, settings) as index:
        everywhere = index.scope(balance=Balance.OFF)
        return scores_of(index.rank_all(task.queries, len(documents), everywhere))


def scores_of(rankings: Iterable[Ranking]) -> Scores:
    """The scores of rankings, by query and document."""
    return {
        ranking.query_id: {hit.doc_id: hit.score for hit in ranking.hits} for ranking in rankings
    }
