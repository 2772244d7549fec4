"""Tables of names and import addresses; an object is imported when it is looked up, not before.

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
    "interactive": "dragoman.systems.semi_interactive.rerank:InteractiveSystem",
    "nbow": "dragoman.systems.bags.nbow:NbowSystem",
    "non-interactive": "dragoman.systems.semi_interactive.system:NonInteractiveSystem",
    "psq": "dragoman.systems.lexical.psq:Psq",
    "searcher": "dragoman.systems.searcher.system:SearcherSystem",
    "semi-interactive": "dragoman.systems.semi_interactive.system:SemiInteractiveSystem",
    "smooth": "dragoman.systems.smooth.system:SmoothSystem",
    "tf": "dragoman.systems.lexical.distance:Tf",
    "threshold": "dragoman.systems.threshold.system:ThresholdSystem",
    "wasserstein": "dragoman.systems.bags.wasserstein:WassersteinSystem",
}

ENCODERS: Mapping[str, str] = {
    "default": "dragoman.encoders.universal_encoder:UniversalEncoder",
}

MEASURES: Mapping[str, str] = {
    "AP": "dragoman.metrics.ranked_measures:average_precision",
    "AQWV": "dragoman.metrics.detection:actual_value",
    "AUC": "dragoman.metrics.auc:area_under_curve",
    "Judged": "dragoman.metrics.ranked_measures:judged",
    "LanguageTau": "dragoman.metrics.bias:language_tau",
    "MQWV": "dragoman.metrics.detection:maximum_value",
    "P": "dragoman.metrics.ranked_measures:precision",
    "PEER": "dragoman.metrics.bias:peer",
    "R": "dragoman.metrics.ranked_measures:recall",
    "RR": "dragoman.metrics.ranked_measures:reciprocal_rank",
    "Success": "dragoman.metrics.ranked_measures:success",
    "nDCG": "dragoman.metrics.ranked_measures:ndcg",
}

COLLECTIONS: Mapping[str, str] = {
    "debian-packages": "dragoman.text.collections.debian_packages:COLLECTION",
    "libreoffice-help": "dragoman.text.collections.libreoffice_help:COLLECTION",
    "wikipedia": "dragoman.text.collections.wikipedia:COLLECTION",
}

DOCUMENT_FORMATS: Mapping[str, str] = {
    "afriqa": "dragoman.text.formats.afriqa:read_documents",
    "beir": "dragoman.text.formats.beir:read_documents",
    "ciral": "dragoman.text.formats.ciral:read_documents",
    "clirmatrix": "dragoman.text.formats.clirmatrix:read_documents",
    "comparable": "dragoman.text.formats.comparable:read_documents",
    "csv": "dragoman.text.formats.tables:read_csv_documents",
    "irds": "dragoman.text.formats.irds:read_documents",
    "plain": "dragoman.text.formats.plain:read_documents",
    "sasaki": "dragoman.text.formats.sasaki:read_documents",
    "trec": "dragoman.text.formats.sgml_documents:read_documents",
    "tsv": "dragoman.text.formats.tables:read_tsv_documents",
}

QUERY_FORMATS: Mapping[str, str] = {
    "afriqa": "dragoman.text.formats.afriqa:read_queries",
    "beir": "dragoman.text.formats.beir:read_queries",
    "ciral": "dragoman.text.formats.ciral:read_queries",
    "clirmatrix": "dragoman.text.formats.clirmatrix:read_queries",
    "comparable": "dragoman.text.formats.comparable:read_queries",
    "csv": "dragoman.text.formats.tables:read_csv_queries",
    "irds": "dragoman.text.formats.irds:read_queries",
    "plain": "dragoman.text.formats.plain:read_queries",
    "sasaki": "dragoman.text.formats.sasaki:read_queries",
    "trec": "dragoman.text.formats.topics:read_queries",
    "tsv": "dragoman.text.formats.tables:read_tsv_queries",
}

JUDGMENT_FORMATS: Mapping[str, str] = {
    "afriqa": "dragoman.text.formats.afriqa:read_judgments",
    "beir": "dragoman.text.formats.beir:read_judgments",
    "clirmatrix": "dragoman.text.formats.clirmatrix:read_judgments",
    "comparable": "dragoman.text.formats.comparable:read_judgments",
    "irds": "dragoman.text.formats.irds:read_judgments",
    "plain": "dragoman.text.formats.plain:read_judgments",
    "sasaki": "dragoman.text.formats.sasaki:read_judgments",
    "trec": "dragoman.text.formats.trec:read_judgments",
}

RUN_FORMATS: Mapping[str, str] = {"trec": "dragoman.text.formats.trec:read_run"}

BITEXT_FORMATS: Mapping[str, str] = {
    "tmx": "dragoman.text.formats.tmx:read_pairs",
    "tsv": "dragoman.text.formats.bitext:read_tsv",
}

DICTIONARY_FORMATS: Mapping[str, str] = {
    "dictd": "dragoman.text.formats.dictd:read_entries",
    "muse": "dragoman.text.formats.dictionaries:read_muse",
    "tei": "dragoman.text.formats.dictionaries:read_tei",
    "tsv": "dragoman.text.formats.dictionaries:read_tsv",
}

CLICK_FORMATS: Mapping[str, str] = {
    "jsonl": "dragoman.text.formats.clicks:read_jsonl",
    "tsv": "dragoman.text.formats.clicks:read_tsv",
}

# by type of file, see ``text.readers.file_types``
FILE_READERS: Mapping[str, str] = {
    "compressed": "dragoman.text.readers.formats.archives:read_compressed",
    "csv": "dragoman.text.readers.formats.tables:read_csv",
    "docx": "dragoman.text.readers.formats.docx:read",
    "eml": "dragoman.text.readers.formats.mail:read_eml",
    "epub": "dragoman.text.readers.formats.epub:read",
    "html": "dragoman.text.readers.formats.html:read",
    "json": "dragoman.text.readers.formats.json_records:read_json",
    "jsonl": "dragoman.text.readers.formats.json_records:read_jsonl",
    "markdown": "dragoman.text.readers.formats.markdown:read",
    "mbox": "dragoman.text.readers.formats.mail:read_mbox",
    "opendocument": "dragoman.text.readers.formats.opendocument:read",
    "pdf": "dragoman.text.readers.formats.pdf:read",
    "pptx": "dragoman.text.readers.formats.pptx:read",
    "rst": "dragoman.text.readers.formats.rst:read",
    "rtf": "dragoman.text.readers.formats.rtf:read",
    "subtitles": "dragoman.text.readers.formats.subtitles:read",
    "tar": "dragoman.text.readers.formats.archives:read_tar",
    "text": "dragoman.text.readers.formats.plain_text:read",
    "trec": "dragoman.text.readers.formats.trec_documents:read",
    "tsv": "dragoman.text.readers.formats.tables:read_tsv",
    "xlsx": "dragoman.text.readers.formats.xlsx:read",
    "zip": "dragoman.text.readers.formats.archives:read_zip",
}

WORD_VECTOR_FORMATS: Mapping[str, str] = {
    "binary": "dragoman.embeddings.readers.binary:read_binary",
    "numberbatch": "dragoman.embeddings.readers.numberbatch:read_numberbatch",
    "numberbatch-hdf5": "dragoman.embeddings.readers.numberbatch_hdf5:read_hdf5",
    "polyglot": "dragoman.embeddings.readers.polyglot:read_polyglot",
    "text": "dragoman.embeddings.readers.text:read_text",
}

# by language: dictionary-based word segmenters for text without spaces
SEGMENTERS: Mapping[str, str] = {
    "ja": "dragoman.tokens.japanese:JapaneseSegmenter",
    "zh": "dragoman.tokens.chinese:ChineseSegmenter",
}

EXTRAS: Mapping[str, str] = {
    "accelerate": "neural",
    "datasets": "mteb",
    "docutils": "files",
    "fastapi": "serve",
    "fugashi": "cjk",
    "h5py": "hdf5",
    "httptools": "serve",
    "httpx": "serve",
    "huggingface_hub": "neural",
    "ir_datasets": "irds",
    "jieba": "cjk",
    "markdown_it": "files",
    "matplotlib": "plots",
    "mcp": "serve",
    "mcp_types": "serve",
    "mteb": "mteb",
    "onnx": "neural",
    "openpyxl": "files",
    "pandas": "pyterrier",
    "prometheus_client": "serve",
    "pydantic": "serve",
    "pypdfium2": "files",
    "pyterrier": "pyterrier",
    "qdrant_client": "cluster",
    "ray": "ray",
    "starlette": "serve",
    "striprtf": "files",
    "tokenizers": "onnx",
    "torch": "neural",
    "transformers": "neural",
    "unidic_lite": "cjk",
    "uvicorn": "serve",
    "watchfiles": "files",
}


def load(address: str) -> Any:  # noqa: ANN401 - the address decides
    """The object at ``"package.module:name"``; a missing extra is named in the error."""
    module, _, name = address.partition(":")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        raise missing_extra(error) from error


def missing_extra(error: ModuleNotFoundError) -> MissingExtra:
    """The error that names the extra of a missing module; re-raises ``error`` where none has it."""
    missing = (error.name or "").partition(".")[0]
    if missing not in EXTRAS:
        raise error  # a bug of ours, not a missing extra
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
