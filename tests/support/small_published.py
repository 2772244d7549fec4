"""Small data in the files of Sasaki et al. and of CLIRMatrix's MULTI-8."""

import gzip
import json
from pathlib import Path

from dragoman.text.formats import sasaki
from dragoman.types import Document, Query

ARTICLES = 60
CODES = ("de", "fr", "es")
CLIRMATRIX_SPLITS = {"train": range(36), "dev": range(36, 48), "test1": range(48, 60)}


def title(language: str, number: int) -> str:
    return f"{language}title{number} {language}topic{number % 4}"


def text(language: str, number: int) -> str:
    return f"{language}word{number} {language}topic{number % 4} {language}more{number % 7}."


def write_sasaki(folder: Path, query_languages=("en",), document_language="fr") -> Path:
    """Articles under the same number in every language; the next of its topic is related."""
    folder.mkdir(parents=True, exist_ok=True)
    documents = [
        Document(f"d{n}", text(document_language, n), title(document_language, n))
        for n in range(ARTICLES)
    ]
    sasaki.write_documents(folder / f"wiki_{document_language}.documents", documents)
    for code in query_languages:
        queries = [
            Query(f"{code}{n}", text(code, n), code, {"title": title(code, n)})
            for n in range(ARTICLES)
        ]
        sasaki.write_queries(folder / f"wiki_{code}.queries", queries)
        judged = {
            f"{code}{n}": {f"d{n}": 2, **({f"d{n + 4}": 1} if n + 4 < ARTICLES else {})}
            for n in range(ARTICLES)
        }
        sasaki.write_judgments(folder / f"{code}2{document_language}.rel", judged)
    return folder


def write_multi8(folder: Path, query_languages=("en",), document_language="fr") -> Path:
    """The same articles: grade 6 is the article, 3 a related one, 0 any other."""
    folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(folder / f"{document_language}.tsv.gz", "wt", encoding="utf-8") as stream:
        for n in range(ARTICLES):
            stream.write(f"d{n}\t{title(document_language, n)} {text(document_language, n)}\n")
    for code in query_languages:
        for split, numbers in CLIRMATRIX_SPLITS.items():
            path = folder / f"{code}.{document_language}.{split}.jl.gz"
            with gzip.open(path, "wt", encoding="utf-8") as stream:
                for n in numbers:
                    others = [[f"d{other}", 0] for other in range(ARTICLES) if other % 5 == n % 5]
                    near = (n + 4) % ARTICLES
                    results = [[f"d{n}", 6], [f"d{near}", 3]]
                    results += [one for one in others if one[0] not in (f"d{n}", f"d{near}")]
                    row = {"src_id": f"{code}{n}", "src_query": title(code, n)}
                    stream.write(json.dumps({**row, "tgt_results": results}) + "\n")
    return folder
