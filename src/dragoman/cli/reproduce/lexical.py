"""``dragoman reproduce lexical``: psq against untranslated and translated baselines."""

from pathlib import Path

from dragoman.cli import terminal
from dragoman.cli.reproduce.options import DataFolder, QueryLimit, ResultsPage
from dragoman.cli.reproduce.report import command_line, publish


def reproduce_lexical(
    data: DataFolder,
    output: ResultsPage = Path("docs/results.md"),
    queries: QueryLimit = None,
) -> None:
    """Compare psq with untranslated BM25, tf, idf and translated BM25, and write the table.

    [dim]dragoman reproduce lexical ../shared/data -o docs/results.md[/]
    """
    from dragoman.experiments.lexical import SYSTEMS, compare, report
    from dragoman.experiments.tasks import read_data_folder

    collections = [one.sampled(queries) for one in read_data_folder(data)]
    total = len(SYSTEMS) * sum(len(collection.tasks) for collection in collections)
    with terminal.progress("searching", total) as advance:
        rows = [row for one in collections for row in compare(one, advance=advance)]
    command = command_line("lexical", data, output=output, queries=queries)
    publish(report(rows, command), output, "lexical")
