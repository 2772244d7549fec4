"""A model -> the scores of documents by one sentence for all terms of a query (section 3).

The paper takes the relevance of a document to a query phrase as its maximum over sentences. The
system lets each term of a query have its own best sentence. The two differ for queries with several
terms alone, and only these are scored here.
"""

import numpy as np

from dragoman.experiments.searcher.score_tables import Scores
from dragoman.experiments.searcher.task import DetectionTask
from dragoman.storage.gathering import starts_of
from dragoman.systems.searcher.decisions import Combination, combine_logits, saved_scaling
from dragoman.systems.searcher.matching import pool_array
from dragoman.systems.searcher.model import SearcherModel


def one_sentence_scores(model: SearcherModel, task: DetectionTask) -> dict[str, Scores]:
    """The scores of all documents by each way to combine terms within a sentence."""
    parsed = [model.document_sentences(document.content) for document in task.documents]
    positions = model.positions([one.words for some in parsed for one in some])
    sentences = starts_of([len(one.words) for some in parsed for one in some])
    filled = [row for row, some in enumerate(parsed) if some]
    names = [task.documents[row].doc_id for row in filled]
    documents = starts_of([len(parsed[row]) for row in filled])[:-1]
    scaling = saved_scaling(model.facts)
    scores: dict[str, Scores] = {str(combination): {} for combination in Combination}
    for query in task.queries:
        terms = model.query_terms(query.content)
        if len(terms) < 2:
            continue
        table = model.term_vectors(terms)
        dots = table[:, :-1] @ positions.T
        logits = pool_array(dots, sentences, model.config.pooling) + table[:, -1:]
        for combination in Combination:
            by_sentence = combine_logits(logits, scaling, combination)
            best = np.maximum.reduceat(by_sentence, documents)
            scores[str(combination)][query.query_id] = dict(zip(names, best.tolist(), strict=True))
    return scores
