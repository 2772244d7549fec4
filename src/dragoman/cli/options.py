"""Options that several groups of commands share, each with one name, one check and one help."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli.inputs import readable_collection, readable_vectors
from dragoman.errors import UserError
from dragoman.ranking.balance import Balance
from dragoman.storage.outputs import (
    require_changeable_folder,
    require_writable_file,
    require_writable_folder,
    typed_address,
)
from dragoman.text.files import OnError

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
OnBadLine = Annotated[OnError, typer.Option(help="At a bad line: stop, or skip and count it.")]
OutputFolder = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        help="The folder to write.",
        show_default=False,
        callback=require_writable_folder,
    ),
]
OutputIndex = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        help="The index folder to write.",
        show_default=False,
        callback=require_changeable_folder,
    ),
]


OptionalOutputIndex = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        help="The index folder to write.",
        show_default=False,
        callback=lambda path: path and require_changeable_folder(path),
    ),
]
ClusterPlace = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="ADDRESS",
        help="In place of -o: an index in a Qdrant cluster, as in qdrant://127.0.0.1:6333/news.",
        show_default=False,
    ),
]


def output_file(path: Path | None) -> Path | None:
    """A callback of options: the path, if a file can be written there."""
    return None if path is None else require_writable_file(path)


Seed = Annotated[int, typer.Option(min=0, help="Random seed; equal seeds give equal results.")]


def refuse_service(folder: Path) -> Path:
    """The folder; addresses are refused by commands that read or change files."""
    address = typed_address(folder)
    if address.startswith("qdrant"):
        raise UserError(
            f"{address}: found an index in a cluster; this command needs an index folder. Copy it"
            " to one (dragoman copy); delete, evaluate, explain, list, run, search, serve, show,"
            " similar, tune and verify take the address itself."
        )
    if address:
        raise UserError(
            f"{address}: found the address of a service; this command needs an index folder. To a"
            " service talk: search, run, explain, similar, list, show, mcp."
        )
    return folder


# an index and what is searched in it
QueryText = Annotated[
    str,
    typer.Argument(
        metavar="QUERY", help="A sentence or a few words, in any language.", show_default=False
    ),
]
Depth = Annotated[int, typer.Option("-k", min=1, help="How many documents per query.")]
IndexFolder = Annotated[
    Path,
    typer.Argument(
        metavar="INDEX",
        help="An index folder.",
        show_default=False,
        callback=refuse_service,
    ),
]
QueryLanguage = Annotated[
    str, typer.Option("--query-language", help="The query's language; detected where not given.")
]
Within = Annotated[
    str, typer.Option("--in", help="Only documents in these languages, as in fr,it.")
]
Where = Annotated[
    list[str] | None,
    typer.Option(help="Only documents with this metadata, as in 'year>=2019' or author=Anna."),
]
Balanced = Annotated[
    Balance, typer.Option(help="How the scores of different languages are made comparable.")
]
Grouped = Annotated[
    bool,
    typer.Option(
        "--group/--no-group",
        help="List near-copies and translations of a document below the best of them.",
    ),
]
RerankSystem = Annotated[
    str,
    typer.Option(
        "--rerank",
        metavar="SYSTEM",
        help="Re-rank the best documents with another system: idf, bm25, dense ..., or the folder"
        " of a trained model. Its first use may read the whole index.",
    ),
]
RerankWeight = Annotated[
    float, typer.Option("--rerank-weight", help="Its share of the score.", min=0.0, max=1.0)
]
RerankDepth = Annotated[
    int, typer.Option("--rerank-depth", help="How many documents it re-ranks.", min=1)
]
RerankSeconds = Annotated[
    float,
    typer.Option(
        "--rerank-seconds",
        help="Time limit per query; documents not reached keep their order below the others. 0 sets"
        " no limit.",
        min=0.0,
    ),
]

# training
TopicCount = Annotated[int, typer.Option("--topics", min=1, help="How many topics BiLDA learns.")]
SweepCount = Annotated[int, typer.Option("--sweeps", min=1, help="Gibbs sweeps of BiLDA in all.")]
LanguagePair = Annotated[
    str,
    typer.Option(
        "--languages",
        help="The two languages, in the order of the columns or files, as in en-sw.",
        show_default=False,
    ),
]
GradedCollection = Annotated[
    str,
    typer.Argument(
        metavar="COLLECTION",
        help="A collection with graded judgments and the splits train, validation and test.",
        show_default=False,
        callback=readable_collection,
    ),
]
OnlyPair = Annotated[
    str,
    typer.Option(
        "--languages",
        help="Only queries and documents of this language pair, as in en-it.",
        show_default="all pairs",
    ),
]
InitialVectors = Annotated[
    list[str] | None,
    typer.Option(
        "--vectors",
        help="Word vectors to begin with: a folder of `dragoman learn embeddings`, or a file of one"
        " language (.vec, Polyglot .pkl, ...) as in en=FILE.",
        callback=readable_vectors,
    ),
]
PretrainedEncoder = Annotated[
    str,
    typer.Option(
        "--encoder",
        metavar="ENCODER",
        help="The pre-trained encoder to begin with: a Hugging Face folder, such as `dragoman train"
        " encoder` writes, or a name on the hub.",
        show_default=False,
    ),
]
SentenceTeacher = Annotated[
    str,
    typer.Option(
        "--teacher",
        help="The sentence encoder whose vectors are learnt: 'default', or the folder of one.",
    ),
]
