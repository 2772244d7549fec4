"""``dragoman benchmark mteb``: a system on retrieval tasks of MTEB, as MTEB's own result files."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.inputs import readable_path
from dragoman.cli.options import AsJson, QueryLanguage


def benchmark_mteb(
    tasks: Annotated[
        list[str],
        typer.Argument(
            metavar="TASK",
            help="A retrieval task of MTEB, one that this package adds (AfriQARetrieval,"
            " CIRALRetrieval, CLIRMatrixMulti8Retrieval), a collection folder or irds:NAME.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", help="The folder of results; others in it stay.", show_default=False
        ),
    ],
    system: Annotated[
        str, typer.Option(help="psq, dense, hybrid or another system that needs no training.")
    ] = "hybrid",
    subset: Annotated[
        list[str] | None,
        typer.Option(help="Only this subset of a task, as in en-sw; may be repeated."),
    ] = None,
    split: Annotated[
        str, typer.Option(help="Only this split, as in test-a.", show_default="the task's own")
    ] = "",
    data: Annotated[
        Path | None,
        typer.Option(
            help="The folder of the published files of a task that this package adds.",
            callback=readable_path,
        ),
    ] = None,
    query_language: QueryLanguage = "",
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Measure again what has a result already.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure a system on each TASK and write MTEB's result files and TREC runs.

    Tasks of MTEB are downloaded by MTEB. Needs the extra mteb.

    [dim]dragoman benchmark mteb NeuCLIR2022Retrieval --system psq -o results[/]
    """
    from dragoman import registry
    from dragoman.storage.outputs import require_changeable_folder

    registry.system(system)  # an unknown name is refused before anything is loaded
    require_changeable_folder(output)
    open_task = registry.load("dragoman.integrations.mteb.task_names:open_task")
    evaluate_tasks = registry.load("dragoman.integrations.mteb.evaluation:evaluate_tasks")
    model_kind = registry.load("dragoman.integrations.mteb.search_model:SearchModel")
    opened = [open_task(task, data, subset or (), split) for task in tasks]
    with model_kind(system, query_language=query_language) as model:
        scores = evaluate_tasks(model, opened, output, overwrite=overwrite)
    if as_json:
        terminal.print_json([asdict(score) for score in scores])
        return
    for score in scores:
        where = " ".join((score.task, score.subset, score.split))
        terminal.out.print(f"{where}: {score.measure} {score.score:.5f}", soft_wrap=True)
    terminal.out.print(f"{output}: results, predictions and runs of {system}", soft_wrap=True)
