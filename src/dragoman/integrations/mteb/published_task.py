"""The base of tasks whose data are read from the files that their authors publish.

The folder of the files is given when the task is created. MTEB's own ``push_dataset_to_hub`` writes
what a task has read in the form that its loader reads from the hub.
"""

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mteb.abstasks.retrieval import AbsTaskRetrieval

from dragoman.errors import InputError, UserError
from dragoman.integrations.mteb.dataset_rows import corpus_dataset, query_dataset
from dragoman.types import Document, Judgments, Query


@dataclass(frozen=True, slots=True)
class PublishedSplit:
    """What a subset and split of a task consists of."""

    documents: list[Document]
    queries: list[Query]
    judgments: Judgments


class PublishedTask(AbsTaskRetrieval):  # type: ignore[misc, unused-ignore]
    """A retrieval task with a subset for each language pair."""

    data_loaded: bool

    def __init__(self, folder: Path | str | None = None, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**options)
        self.folder = Path(folder) if folder else None

    @abstractmethod
    def read_split(self, subset: str, split: str) -> PublishedSplit:
        """The data of one language pair."""

    def load_data(self, **_: object) -> None:
        """Read the published files."""
        if self.data_loaded:
            return
        self.dataset = {
            subset: {split: self._read(subset, split) for split in self.eval_splits}
            for subset in self.hf_subsets
        }
        self.data_loaded = True

    def file(self, name: str) -> Path:
        """The file of this name, wherever it is below the folder."""
        if self.folder is None:
            raise UserError(
                f"{self.metadata.name}: found no folder of its files; expected the files of"
                f" {self.metadata.reference}. Download them and name their folder: --data FOLDER"
            )
        paths = sorted(self.folder.rglob(name)) or sorted(self.folder.rglob(f"{name}.gz"))
        if not paths:
            raise InputError(
                self.folder,
                None,
                found=f"no {name}",
                expected=f"the files of {self.metadata.name}",
                advice=f"They are published at {self.metadata.reference}",
            )
        return paths[0]

    def _read(self, subset: str, split: str) -> dict[str, Any]:
        data = self.read_split(subset, split)
        judged = {
            query_id: dict(grades)
            for query_id, grades in data.judgments.items()
            if any(grade > 0 for grade in grades.values())
        }
        return {
            "corpus": corpus_dataset(data.documents),
            "queries": query_dataset(one for one in data.queries if one.query_id in judged),
            "relevant_docs": judged,
            "top_ranked": None,
        }
