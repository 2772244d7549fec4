"""CLIRMatrix MULTI-8 as a task: every ordered pair of eight languages."""

from itertools import permutations

from mteb.abstasks.task_metadata import TaskMetadata

from dragoman.integrations.mteb.published_task import PublishedSplit, PublishedTask
from dragoman.text.files import Faults
from dragoman.text.formats import clirmatrix
from dragoman.text.judgments import collect_judgments
from dragoman.text.source import read_documents, read_judgments, read_queries

CODES = {
    "ar": "ara-Arab",
    "de": "deu-Latn",
    "en": "eng-Latn",
    "es": "spa-Latn",
    "fr": "fra-Latn",
    "ja": "jpn-Jpan",
    "ru": "rus-Cyrl",
    "zh": "zho-Hans",
}


class CLIRMatrixMulti8Retrieval(PublishedTask):
    """Queries in one language of MULTI-8, documents in another; grades from 0 to 6."""

    metadata = TaskMetadata(
        name="CLIRMatrixMulti8Retrieval",
        description="Titles of Wikipedia articles as queries, articles in another of eight"
        " languages as documents, with graded judgments that were derived from links between"
        " languages and BM25 within one.",
        reference="https://github.com/ssun32/CLIRMatrix",
        dataset={"path": "clirmatrix/multi8", "revision": "main"},
        type="Retrieval",
        category="t2t",
        modalities=["text"],
        eval_splits=["test1"],
        eval_langs={f"{a}-{b}": [CODES[a], CODES[b]] for a, b in permutations(CODES, 2)},
        main_score="ndcg_at_10",
        date=("2001-01-15", "2020-11-16"),
        domains=["Encyclopaedic", "Written"],
        task_subtypes=[],
        license="not specified",
        annotations_creators="derived",
        dialect=[],
        sample_creation="found",
        bibtex_citation=r"""
@inproceedings{sun2020clirmatrix,
  author = {Sun, Shuo and Duh, Kevin},
  booktitle = {Proceedings of EMNLP 2020},
  title = {{CLIRMatrix}: A massively large collection of bilingual and multilingual datasets
    for Cross-Lingual Information Retrieval},
  year = {2020},
}
""",
    )

    def read_split(self, subset: str, split: str) -> PublishedSplit:
        """The published files of a pair; without a folder those that ir_datasets downloads."""
        query_language, document_language = subset.split("-")
        faults = Faults()
        if self.folder is None:
            name = f"irds:clirmatrix/{document_language}/multi8/{query_language}/{split}"
            return PublishedSplit(
                list(read_documents(name, faults)),
                list(read_queries(name, faults)),
                read_judgments(name, faults),
            )
        judged = self.file(f"{query_language}.{document_language}.{split}*.jl")
        return PublishedSplit(
            list(clirmatrix.read_documents(self.file(f"{document_language}.tsv"), faults)),
            list(clirmatrix.read_queries(judged, faults)),
            collect_judgments(clirmatrix.read_judgments(judged, faults), faults),
        )
