"""``dragoman tune``: the weights of an index, chosen by judgments of its documents."""

from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.opening import IndexPlace, changeable_index
from dragoman.cli.options import AsJson, OnBadLine, QueryLanguage, Seed, Within
from dragoman.text.files import OnError

if TYPE_CHECKING:
    from dragoman.indexes.index import Index
    from dragoman.runs.request import RunRequest
    from dragoman.text.files import Faults
    from dragoman.tuning.record import TuningRecord
    from dragoman.tuning.tuner import Tuning


def tune(
    place: IndexPlace,
    queries: Annotated[
        str,
        typer.Option(help="Queries: .jsonl, .tsv, .csv, TREC topics, a collection, irds:NAME."),
    ] = "",
    qrels: Annotated[
        str,
        typer.Option(metavar="QRELS", help="Their judgments: a file, a collection, irds:NAME."),
    ] = "",
    measure: Annotated[
        str, typer.Option(help="The measure that weights are chosen by.")
    ] = "nDCG@10",
    query_language: QueryLanguage = "",
    within: Within = "",
    split: Annotated[str, typer.Option(help="Only queries of this split, as in train.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Choose and print, but leave the index as it is.")
    ] = False,
    force: Annotated[
        bool,
        typer.Option("--force", help="Save the choice even if its held-out gain may be chance."),
    ] = False,
    reset: Annotated[
        bool, typer.Option("--reset", help="Restore the weights that the index was built with.")
    ] = False,
    seed: Seed = 0,
    on_error: OnBadLine = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Choose the weights of INDEX by your own judgments, and estimate what that gains.

    The gain is that of held-out queries, which took no part in the choice. Weights are saved if its
    95 % interval is above 0; searches that begin afterwards use them.

    [dim]dragoman tune my-index --queries queries.jsonl --qrels qrels.tsv[/]
    """
    from dragoman.errors import UserError
    from dragoman.runs.request import RunRequest
    from dragoman.text.files import Faults
    from dragoman.tuning.record import save_tuning, saved_tuning

    if reset == bool(queries or qrels) or bool(queries) != bool(qrels):
        raise UserError("Expected --queries and --qrels together, or --reset alone.")
    faults = Faults(on_error)
    with changeable_index(place) as index:
        if reset:
            restored = reset_tuning(index, dry_run=dry_run)
            terminal.out.print(f"{terminal.plain(place)}: {restored}", soft_wrap=True)
            return
        before = saved_tuning(index)
        request = RunRequest(
            place, queries, query_language=query_language, within=within, split=split
        )
        tuning = choose(index, request, qrels, measure, seed, faults)
        record = tuning.record(qrels)
        is_saved = bool(tuning.weights) and (tuning.is_gain or force) and not dry_run
        if is_saved:
            save_tuning(index, record)
    if as_json:
        terminal.print_json(tuning.as_json() | {"saved": is_saved})
    else:
        print_tuning(tuning)
        terminal.out.print(
            f"{terminal.plain(place)}: {verdict(tuning, before, dry_run=dry_run, force=force)}",
            soft_wrap=True,
        )
    terminal.report(faults)


def choose(
    index: "Index", request: "RunRequest", qrels: str, measure: str, seed: int, faults: "Faults"
) -> "Tuning":
    """Read queries and judgments, and choose weights with a progress bar."""
    import numpy as np

    from dragoman.text.source import read_judgments
    from dragoman.tuning.judged_queries import judged_queries
    from dragoman.tuning.trials import parse_ranked_measure
    from dragoman.tuning.tuner import tune as choose_weights
    from dragoman.tuning.tuner import with_weights

    with_weights(index)  # both are refused before any file is read
    parse_ranked_measure(measure)
    scope = index.scope(request.languages)
    queries, judgments = request.read_queries(faults), read_judgments(qrels, faults)
    if request.split:
        judgments = {q.query_id: judgments.get(q.query_id, {}) for q in queries}
    judged, mismatches = judged_queries(index, queries, judgments, scope)
    for mismatch in mismatches:
        terminal.warn(str(mismatch))
    index.warm_up()
    with terminal.progress("searching", len(judged)) as advance:
        return choose_weights(
            index,
            judged,
            measure=measure,
            scope=scope,
            rng=np.random.default_rng(seed),
            advance=advance,
        )


def print_tuning(tuning: "Tuning") -> None:
    """Print each weight with its default and its number of queries, then the held-out gain."""
    from dragoman.cli.evaluate import new_table, print_table
    from dragoman.tuning.choice import FEWEST_GROUPS

    table = new_table("weights", ["weight"])
    for heading in ("queries", "default", "chosen"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    for one in tuning.choices:
        note = f"fewer than {FEWEST_GROUPS} queries" if one.has_too_few else ""
        table.add_row(one.name, f"{one.groups:,}", f"{one.default:g}", f"{one.chosen:g}", note)
    print_table(table)
    terminal.out.print(
        f"{tuning.measure} of {tuning.queries:,} queries: {tuning.default:.4f} with the default"
        f" weights, {tuning.held_out:.4f} on held-out queries ({tuning.gain:+.4f}, 95 % interval"
        f" {tuning.low:+.4f} to {tuning.high:+.4f})",
        soft_wrap=True,
    )


def verdict(tuning: "Tuning", before: "TuningRecord | None", *, dry_run: bool, force: bool) -> str:
    """What was decided, and why."""
    unchanged = "unchanged" if before is None else f"unchanged, as tuned on {before.date}"
    if not tuning.weights:
        return f"{unchanged}; no other weight gains more than one standard error"
    if not tuning.is_gain and not force:
        return (
            f"{unchanged}; the gain on held-out queries may be chance. Judge more queries, or save"
            " the choice with --force"
        )
    return "unchanged (--dry-run); this choice would be saved" if dry_run else "tuned"


def reset_tuning(index: "Index", *, dry_run: bool) -> str:
    """Restore the weights of the build, whatever the record is; what was done, in words."""
    from dragoman.tuning.record import TUNING, save_tuning

    with index.snapshot() as snapshot:
        is_tuned = bool(snapshot.fact(TUNING))
    if not is_tuned:
        return "nothing was tuned; it has the weights of its build"
    if dry_run:
        return "unchanged (--dry-run); the weights of its build would be restored"
    save_tuning(index, None)
    return "the weights of its build are restored"
