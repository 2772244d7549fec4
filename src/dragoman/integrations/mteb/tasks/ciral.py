"""CIRAL as a task: English questions, news passages in four African languages."""

from mteb.abstasks.task_metadata import TaskMetadata

from dragoman.integrations.mteb.published_task import PublishedSplit, PublishedTask
from dragoman.text.files import Faults
from dragoman.text.formats import ciral
from dragoman.text.source import read_judgments

_CODES = {"ha": "hau-Latn", "so": "som-Latn", "sw": "swa-Latn", "yo": "yor-Latn"}


class CIRALRetrieval(PublishedTask):
    """Find passages in Hausa, Somali, Swahili or Yoruba for questions in English."""

    metadata = TaskMetadata(
        name="CIRALRetrieval",
        description="English questions and passages of African news in Hausa, Somali, Swahili and"
        " Yoruba; the track of FIRE 2023.",
        reference="https://github.com/ciralproject/ciral",
        dataset={"path": "CIRAL/ciral", "revision": "main"},
        type="Retrieval",
        category="t2t",
        modalities=["text"],
        eval_splits=["test-a", "test-b"],
        eval_langs={f"en-{code}": ["eng-Latn", own] for code, own in _CODES.items()},
        main_score="ndcg_at_20",
        date=("2023-01-01", "2023-12-18"),
        domains=["News", "Written"],
        task_subtypes=["Question answering"],
        license="apache-2.0",
        annotations_creators="expert-annotated",
        dialect=[],
        sample_creation="created",
        bibtex_citation=r"""
@inproceedings{adeyemi2024ciral,
  author = {Adeyemi, Mofetoluwa and Oladipo, Akintunde and Zhang, Xinyu and others},
  booktitle = {Proceedings of the 47th International ACM SIGIR Conference},
  doi = {10.1145/3626772.3657884},
  title = {{CIRAL}: A Test Collection for {CLIR} Evaluations in African Languages},
  year = {2024},
}
""",
    )

    def read_split(self, subset: str, split: str) -> PublishedSplit:
        """All passages of a language, and the queries of one split."""
        code = subset.removeprefix("en-")
        faults = Faults()
        passages = self.file(f"*{ciral.LANGUAGES[code]}*passages*.jsonl")
        queries = self.file(f"topics.ciral-v*-{code}-{split}.tsv")
        qrels = self.file(f"qrels.ciral-v*-{code}-{split}.tsv")
        return PublishedSplit(
            list(ciral.read_documents(passages, faults)),
            list(ciral.read_queries(queries, faults)),
            read_judgments(qrels, faults, format="trec"),
        )
