"""A collection folder, or ``irds:NAME`` -> a retrieval task of MTEB."""

from pathlib import Path
from typing import Any

from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata

from dragoman.integrations.mteb.dataset_rows import corpus_dataset, query_dataset
from dragoman.integrations.mteb.language_codes import mteb_code
from dragoman.text.collection import Collection
from dragoman.text.files import Faults
from dragoman.text.fingerprints import fingerprint_documents

SUBSET, SPLIT = "default", "test"


def collection_task(
    path: str | Path, split: str | None = None, *, main_score: str = "ndcg_at_10"
) -> Any:  # noqa: ANN401 - MTEB's tasks have no types here
    """The task of searching the collection with its queries, or with those of one split."""
    collection = Collection.open(path, Faults())
    documents = list(collection.documents())
    queries = list(collection.queries(split))
    languages = {one.language for one in documents} | {one.language for one in queries}
    metadata = TaskMetadata(
        name=f"{Path(collection.name.replace(':', '-')).name}Retrieval",
        description=f"Queries and judgments of the collection {collection.name}.",
        dataset={"path": str(path), "revision": fingerprint_documents(documents)},
        type="Retrieval",
        category="t2t",
        eval_splits=[split or SPLIT],
        eval_langs=sorted(map(mteb_code, languages - {""})) or ["eng-Latn"],
        main_score=main_score,
    )
    judgments = collection.judgments(split)

    class CollectionTask(AbsTaskRetrieval):  # type: ignore[misc, unused-ignore]
        """The task of one collection; MTEB reads its metadata from the class."""

        def load_data(self, **_: object) -> None:
            """Hand over what has been read."""
            judged = [query for query in queries if query.query_id in judgments]
            self.dataset = {
                SUBSET: {
                    (split or SPLIT): {
                        "corpus": corpus_dataset(documents),
                        "queries": query_dataset(judged),
                        "relevant_docs": {key: dict(value) for key, value in judgments.items()},
                        "top_ranked": None,
                    }
                }
            }
            self.data_loaded = True

    CollectionTask.metadata = metadata
    return CollectionTask()
