"""A small index as PyTerrier's artifact, and frames of the sample."""

import pandas as pd

from dragoman.text.collection import Collection

DOCUMENTS = [
    {"docno": "bread", "title": "Bread", "text": "Bread is baked from flour.", "language": "en"},
    {"docno": "tides", "title": "Tides", "text": "The moon pulls the sea.", "language": "en"},
    {"docno": "mkate", "text": "Mkate huokwa kwa unga na maji.", "language": "sw"},
    {"docno": "bahari", "text": "Bahari hujaa na kupwa kila siku.", "language": "sw"},
]
TOPICS = pd.DataFrame(
    [
        {"qid": "q1", "query": "mkate wa unga", "language": "sw"},
        {"qid": "q2", "query": "sea and moon", "language": "en"},
    ]
)


def sample_frames() -> tuple[pd.DataFrame, pd.DataFrame]:
    """The topics and qrels of the sample."""
    sample = Collection.open("sample")
    topics = [
        {"qid": query.query_id, "query": query.text, "language": query.language}
        for query in sample.queries()
    ]
    qrels = [
        {"qid": query_id, "docno": doc_id, "label": grade}
        for query_id, grades in sample.judgments().items()
        for doc_id, grade in grades.items()
    ]
    return pd.DataFrame(topics), pd.DataFrame(qrels)
