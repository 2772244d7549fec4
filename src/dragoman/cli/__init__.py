"""The command line: one module per command, which imports what it needs when it runs."""

from typing import Annotated

import typer

import dragoman
from dragoman.cli import benchmark, collection, learn, models, reproduce, terminal, train
from dragoman.cli.doctor import doctor
from dragoman.cli.documents.delete import delete
from dragoman.cli.documents.info import info
from dragoman.cli.documents.listing import list_documents
from dragoman.cli.documents.show import show
from dragoman.cli.documents.similar import similar
from dragoman.cli.endings import CommandGroup, InterruptWatch, ending_of
from dragoman.cli.evaluate import evaluate
from dragoman.cli.explain import explain
from dragoman.cli.failures import failures
from dragoman.cli.index import index
from dragoman.cli.maintenance.copy import copy
from dragoman.cli.maintenance.export import export
from dragoman.cli.maintenance.optimize import optimize
from dragoman.cli.maintenance.restore import restore
from dragoman.cli.maintenance.snapshot import snapshot
from dragoman.cli.maintenance.tune import tune
from dragoman.cli.maintenance.upgrade import upgrade
from dragoman.cli.maintenance.verify import verify
from dragoman.cli.report import report
from dragoman.cli.rerun import rerun
from dragoman.cli.run import run
from dragoman.cli.search import search
from dragoman.cli.service import keys
from dragoman.cli.service.mcp import mcp
from dragoman.cli.service.serve import serve
from dragoman.cli.sync import sync
from dragoman.errors import DragomanError

app = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Ask in your language, find in theirs: cross-lingual search and its research toolkit."""
    if version:
        terminal.out.print(f"dragoman {dragoman.__version__}")
        raise typer.Exit


for command in (
    *(index, sync, copy, optimize, export, verify, snapshot, restore, upgrade),
    *(search, explain, similar, show, delete, info, run, rerun, evaluate, report, failures, tune),
    *(doctor, serve, mcp),
):
    app.command()(command)
app.command("list")(list_documents)
for name, module in {
    "benchmark": benchmark,
    "collection": collection,
    "keys": keys,
    "learn": learn,
    "models": models,
    "reproduce": reproduce,
    "train": train,
}.items():
    app.add_typer(module.group, name=name)


def main() -> None:
    """Run the command line and exit: 0 for success, otherwise with the code of the error."""
    with InterruptWatch() as watch:
        try:
            app()
        except (DragomanError, ModuleNotFoundError, OSError, KeyboardInterrupt) as error:
            terminal.fail(*ending_of(error, interrupted=watch.pressed))
        except Exception as error:
            if not watch.pressed:
                raise  # a bug of ours
            terminal.fail(*ending_of(error, interrupted=True))
