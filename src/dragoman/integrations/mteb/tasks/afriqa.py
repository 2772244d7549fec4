"""AfriQA as a task: questions in ten African languages, gold passages in English and French."""

from mteb.abstasks.task_metadata import TaskMetadata

from dragoman.errors import UnknownName
from dragoman.integrations.mteb.published_task import PublishedSplit, PublishedTask
from dragoman.text.files import Faults
from dragoman.text.formats import afriqa
from dragoman.text.judgments import collect_judgments

SPLITS = ("train", "dev", "test")  # the passages of all of them are searched
PIVOTS = {
    **dict.fromkeys(("bem", "hau", "ibo", "kin", "swa", "twi", "yor", "zul"), "en"),
    **dict.fromkeys(("fon", "wol"), "fr"),
}
_PIVOT_CODES = {"en": "eng-Latn", "fr": "fra-Latn"}


class AfriQARetrieval(PublishedTask):
    """Find the passage that answers a question, among the passages of all splits."""

    metadata = TaskMetadata(
        name="AfriQARetrieval",
        description="Questions that speakers of African languages asked, and the passages of"
        " English or French Wikipedia that answer them. Passages of all splits are searched.",
        reference="https://github.com/masakhane-io/afriqa",
        dataset={
            "path": "masakhane/afriqa-gold-passages",
            "revision": "0f709f1f96381f9b4478ef7f8755efb3a91b1d17",
        },
        type="Retrieval",
        category="t2t",
        modalities=["text"],
        eval_splits=["test"],
        eval_langs={
            f"{code}-{pivot}": [f"{code}-Latn", _PIVOT_CODES[pivot]]
            for code, pivot in sorted(PIVOTS.items())
        },
        main_score="ndcg_at_10",
        date=("2022-01-01", "2023-05-11"),
        domains=["Encyclopaedic", "Written"],
        task_subtypes=["Question answering"],
        license="cc-by-sa-4.0",
        annotations_creators="human-annotated",
        dialect=[],
        sample_creation="created",
        bibtex_citation=r"""
@inproceedings{ogundepo2023afriqa,
  author = {Ogundepo, Odunayo and Gwadabe, Tajuddeen R. and Rivera, Clara E. and others},
  booktitle = {Findings of the Association for Computational Linguistics: EMNLP 2023},
  title = {{AfriQA}: Cross-lingual Open-Retrieval Question Answering for African Languages},
  url = {https://arxiv.org/abs/2305.06897},
  year = {2023},
}
""",
    )

    def read_split(self, subset: str, split: str) -> PublishedSplit:
        """The questions of one split and the passages of all."""
        if split not in SPLITS:
            raise UnknownName(split, SPLITS, "split of AfriQA")
        code, pivot = subset.split("-")
        paths = {
            name: self.file(f"gold_span_passages.afriqa.{code}.{pivot}.{name}.json")
            for name in SPLITS
        }
        faults = Faults()
        documents = {
            document.doc_id: document
            for path in paths.values()
            for document in afriqa.read_documents(path, faults)
        }
        return PublishedSplit(
            list(documents.values()),
            list(afriqa.read_queries(paths[split], faults)),
            collect_judgments(afriqa.read_judgments(paths[split], faults), faults),
        )
