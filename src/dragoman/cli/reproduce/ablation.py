"""``dragoman reproduce ablation``: what each step of the hybrid ranking adds."""

from pathlib import Path

from dragoman.cli import terminal
from dragoman.cli.reproduce.options import DataFolder, QueryLimit, ResultsPage
from dragoman.cli.reproduce.report import command_line, publish


def reproduce_ablation(
    data: DataFolder,
    output: ResultsPage = Path("docs/results.md"),
    queries: QueryLimit = None,
) -> None:
    """Add the steps of the hybrid ranking one by one, on two halves of XQuAD-R's articles.

    [dim]dragoman reproduce ablation ../shared/data --queries 300[/]
    """
    from dragoman.experiments.engine.ablation import STEPS, ablation_markdown, compare_steps
    from dragoman.experiments.sections import provenance
    from dragoman.experiments.tasks import read_xquad

    collection = read_xquad(data / "xquad-r", with_titles=False)
    with terminal.progress("steps", len(STEPS)) as advance:
        rows = compare_steps(collection, queries, advance)
    command = command_line("ablation", data, output=output, queries=queries)
    lines = [
        "## Steps of the hybrid ranking",
        "",
        *provenance(command),
        "",
        *ablation_markdown(collection, rows),
    ]
    publish("\n".join(lines), output, "ablation")
