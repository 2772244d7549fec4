"""Names and addresses: what can be asked for by name, imported when asked and not before.

Adding a part is one file and one line here; the commands' help, the conformance tests and the docs
read these tables.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from dragoman.errors import MissingExtra, UnknownName

SYSTEMS: Mapping[str, str] = {
    "bilda": "dragoman.systems.bilda.system:BildaSystem",
    "bm25": "dragoman.systems.lexical.bm25:Bm25",
    "dense": "dragoman.systems.dense.system:DenseSystem",
    "hybrid": "dragoman.systems.hybrid.system:Hybrid",
    "idf": "dragoman.systems.lexical.distance:Idf",
    "interactive": "dragoman.systems.semi_interactive.reranking:InteractiveSystem",
    "nbow": "dragoman.systems.nbow.system:NbowSystem",
    "non-interactive": "dragoman.systems.semi_interactive.system:NonInteractiveSystem",
    "psq": "dragoman.systems.lexical.psq:Psq",
    "searcher": "dragoman.systems.searcher.system:SearcherSystem",
    "semi-interactive": "dragoman.systems.semi_interactive.system:SemiInteractiveSystem",
    "smooth": "dragoman.systems.smooth.system:SmoothSystem",
    "tf": "dragoman.systems.lexical.distance:Tf",
    "threshold": "dragoman.systems.threshold.system:ThresholdSystem",
    "wasserstein": "dragoman.systems.wasserstein.system:Wasserstein",
}

ENCODERS: Mapping[str, str] = {
    "default": "dragoman.vectors.universal:UniversalEncoder",
}

MEASURES: Mapping[str, str] = {
    "AP": "dragoman.metrics.ranked:average_precision",
    "AQWV": "dragoman.metrics.detection:actual_value",
    "AUC": "dragoman.metrics.auc:area_under_curve",
    "Judged": "dragoman.metrics.ranked:judged",
    "LanguageTau": "dragoman.metrics.bias:language_tau",
    "MQWV": "dragoman.metrics.detection:maximum_value",
    "P": "dragoman.metrics.ranked:precision",
    "PEER": "dragoman.metrics.bias:peer",
    "R": "dragoman.metrics.ranked:recall",
    "RR": "dragoman.metrics.ranked:reciprocal_rank",
    "Success": "dragoman.metrics.ranked:success",
    "nDCG": "dragoman.metrics.ranked:ndcg",
}

COLLECTIONS: Mapping[str, str] = {
    "debian-packages": "dragoman.text.collections.debian_packages:COLLECTION",
    "libreoffice-help": "dragoman.text.collections.libreoffice_help:COLLECTION",
    "wikipedia": "dragoman.text.collections.wikipedia:COLLECTION",
}

DOCUMENT_FORMATS: Mapping[str, str] = {
    "beir": "dragoman.text.beir:read_documents",
    "clirmatrix": "dragoman.text.clirmatrix:read_documents",
    "comparable": "dragoman.text.comparable:read_documents",
    "csv": "dragoman.text.tables:read_csv_documents",
    "folder": "dragoman.text.folder:read_documents",
    "irds": "dragoman.text.irds:read_documents",
    "plain": "dragoman.text.plain:read_documents",
    "sasaki": "dragoman.text.sasaki:read_documents",
    "tsv": "dragoman.text.tables:read_tsv_documents",
}

QUERY_FORMATS: Mapping[str, str] = {
    "beir": "dragoman.text.beir:read_queries",
    "clirmatrix": "dragoman.text.clirmatrix:read_queries",
    "comparable": "dragoman.text.comparable:read_queries",
    "csv": "dragoman.text.tables:read_csv_queries",
    "irds": "dragoman.text.irds:read_queries",
    "plain": "dragoman.text.plain:read_queries",
    "sasaki": "dragoman.text.sasaki:read_queries",
    "tsv": "dragoman.text.tables:read_tsv_queries",
}

JUDGMENT_FORMATS: Mapping[str, str] = {
    "beir": "dragoman.text.beir:read_judgments",
    "clirmatrix": "dragoman.text.clirmatrix:read_judgments",
    "comparable": "dragoman.text.comparable:read_judgments",
    "irds": "dragoman.text.irds:read_judgments",
    "plain": "dragoman.text.plain:read_judgments",
    "sasaki": "dragoman.text.sasaki:read_judgments",
    "trec": "dragoman.text.trec:read_judgments",
}

RUN_FORMATS: Mapping[str, str] = {"trec": "dragoman.text.trec:read_run"}

BITEXT_FORMATS: Mapping[str, str] = {
    "tmx": "dragoman.text.tmx:read_pairs",
    "tsv": "dragoman.text.bitext:read_tsv",
}

DICTIONARY_FORMATS: Mapping[str, str] = {
    "dictd": "dragoman.text.dictd:read_entries",
    "muse": "dragoman.text.dictionaries:read_muse",
    "tei": "dragoman.text.dictionaries:read_tei",
    "tsv": "dragoman.text.dictionaries:read_tsv",
}

CLICK_FORMATS: Mapping[str, str] = {
    "jsonl": "dragoman.text.clicks:read_jsonl",
    "tsv": "dragoman.text.clicks:read_tsv",
}

WORD_VECTOR_FORMATS: Mapping[str, str] = {
    "binary": "dragoman.vectors.readers.binary:read_binary",
    "numberbatch": "dragoman.vectors.readers.numberbatch:read_numberbatch",
    "numberbatch-hdf5": "dragoman.vectors.readers.numberbatch_hdf5:read_hdf5",
    "polyglot": "dragoman.vectors.readers.polyglot:read_polyglot",
    "text": "dragoman.vectors.readers.text:read_text",
}

# by language: cutters of text without blanks that use a dictionary
SEGMENTERS: Mapping[str, str] = {
    "ja": "dragoman.tokens.japanese:JapaneseSegmenter",
    "zh": "dragoman.tokens.chinese:ChineseSegmenter",
}

EXTRAS: Mapping[str, str] = {
    "accelerate": "neural",
    "fugashi": "cjk",
    "h5py": "hdf5",
    "huggingface_hub": "neural",
    "ir_datasets": "irds",
    "jieba": "cjk",
    "matplotlib": "plots",
    "onnx": "neural",
    "tokenizers": "onnx",
    "torch": "neural",
    "transformers": "neural",
    "unidic_lite": "cjk",
}


def load(address: str) -> Any:  # noqa: ANN401 - the address decides
    """The object at ``"package.module:name"``, naming the extra to install if one is missing."""
    module, _, name = address.partition(":")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        raise missing_extra(error) from error


def missing_extra(error: ModuleNotFoundError) -> MissingExtra:
    """The extra that would bring a module; the error itself is raised where none does."""
    missing = (error.name or "").partition(".")[0]
    if missing not in EXTRAS:
        raise error  # our own fault, not a missing extra
    return MissingExtra(missing, EXTRAS[missing])


def find(table: Mapping[str, str], name: str, kind: str) -> Any:  # noqa: ANN401
    """The object registered under ``name`` in ``table``."""
    if name not in table:
        raise UnknownName(name, table, kind)
    return load(table[name])


def system(name: str) -> Any:  # noqa: ANN401
    """The system class registered under ``name``."""
    return find(SYSTEMS, name, "system")


def collection(name: str) -> Any:  # noqa: ANN401
    """The named collection registered under ``name``."""
    return find(COLLECTIONS, name, "collection")
