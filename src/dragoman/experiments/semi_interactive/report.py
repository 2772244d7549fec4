"""Results -> Tables 2 to 6 as files, and a section of ``docs/results.md``."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from dragoman.experiments.claims import claims_markdown, write_claims
from dragoman.experiments.csv_tables import write_csv
from dragoman.experiments.semi_interactive import paper
from dragoman.experiments.semi_interactive.claims import semi_interactive_claims
from dragoman.experiments.semi_interactive.experiment import RelevanceReproduction
from dragoman.experiments.semi_interactive.facts import facts
from dragoman.experiments.semi_interactive.fits import fits_markdown
from dragoman.experiments.semi_interactive.plan import (
    INTERACT,
    SEMI,
    SEMI_KT,
    RelevancePart,
)
from dragoman.experiments.semi_interactive.query_wording import query_wording_markdown
from dragoman.experiments.semi_interactive.repetitions import repetitions_markdown
from dragoman.experiments.semi_interactive.rerank import stages_markdown
from dragoman.experiments.semi_interactive.space import spaces_markdown
from dragoman.experiments.semi_interactive.tables import (
    AVERAGE,
    MARKS,
    RelevanceTable,
    area,
    areas_over_seeds,
    compare_models,
    table_4,
    table_4_markdown,
    table_markdown,
    write_table,
)
from dragoman.experiments.semi_interactive.values import AUC, NDCG
from dragoman.text.collections.splits import Split

WITHOUT = "AVG without"  # of the languages without supervision
TIME, QUERY_TIME, OFFLINE = "ms per sample", "ms per query", "ms per document, offline"
FORMS = (
    "In a first version of this task queries were lead sentences of pages, without the words of"
    " their titles; the part `sentences` measures both. The paper's queries are titles."
)
SWEEPS = {
    RelevancePart.NUMBER: ("(a) relevant queries", "N"),
    RelevancePart.ALPHA: ("(b) the share of the labels in the loss", "alpha"),
}


def report(results: RelevanceReproduction, command: str, chosen: Sequence[str] = ()) -> str:
    """The section of ``docs/results.md``; ``chosen`` are languages that the user supervises."""
    trained = f", trained on {', '.join(chosen)}" if chosen else ""
    lines = [
        f"## Semi-interactive transformers (Xu et al. 2021): {results.task.name}{trained}",
        "",
        "Queries in other languages search English documents: the title of an item's page is a"
        " query for the item's English page. The titles of an item in the languages with"
        " supervision are the ready-made relevant queries of its document, without the title that"
        " is the query; no validation or test query is a relevant query of any document, and no"
        " document or title of the test is in the training data. AUC (in percent, pooled over the"
        " queries of a language) compares the relevant document with negatives, some of them hard"
        " (by BM25); related documents are left out of it and count as partly relevant in nDCG@10."
        " Languages without supervision have no training queries; the encoder may have read bitext"
        " of theirs, of training pages. One training of each model, one seed, unless a table says"
        " otherwise; claims are about the mean over all seeds, at the learning rate that validation"
        " prefers where both models were trained with several. The paper's rows are on other"
        " collections, with M-BERT and millions of pairs, for context.",
        "",
        FORMS,
        "",
        f"- command: `{command}`",
        *(f"- {name}: {value}" for name, value in facts(results).items()),
        "",
        f"{MARKS}; ± is half of the 95 % bootstrap interval. Times are processor times: a sample is"
        " a query and one document; per query, all its candidates are scored.",
    ]
    for table in tables(results).values():
        times = _times(results) if table.title.startswith("Table 2") else None
        lines += ["", *table_markdown(table, times)]
        if times is not None:
            lines += ["", *_time_ratios(results)]
    if RelevancePart.SIMILARITY in results.parts:
        lines += ["", *table_4_markdown(_table_4(results))]
    if RelevancePart.TRANSFER in results.parts:
        lines += ["", *_table_5(results)]
    lines += [line for part in SWEEPS if part in results.parts for line in _sweep(results, part)]
    if RelevancePart.REPEATED in results.parts:
        runs = results.parts[RelevancePart.REPEATED]
        validations = results.scale.validations
        lines += ["", *repetitions_markdown(runs, results.trainings, results.task, validations)]
    if RelevancePart.SENTENCES in results.parts:
        lines += ["", *query_wording_markdown(results.trainings, results.task)]
    if results.stages is not None:
        lines += ["", *stages_markdown(results.stages)]
    claims = semi_interactive_claims(results)
    if claims:
        lines += ["", "### Claims", "", *claims_markdown(claims)]
    queries = results.task.queries[Split.TEST]
    once = {name: one for name, one in results.trainings.items() if not one.settings["repeats"]}
    fits = fits_markdown(once, queries, results.task.supervised, results.scale.validations)
    lines += ["", "### Trainings", "", *fits]
    if spaces := {n: one.space for n, one in results.trainings.items() if one.space is not None}:
        lines += ["", *spaces_markdown(spaces)]
    return "\n".join(lines)


def tables(results: RelevanceReproduction) -> dict[str, RelevanceTable]:
    """Tables 2, 3 and 6 by their file names."""
    task = results.task
    queries = task.queries[Split.TEST]
    groups: dict[str, Sequence[str]] = {AVERAGE: task.supervised}
    everywhere = {**groups, **({WITHOUT: task.unsupervised} if task.unsupervised else {})}
    by_file: dict[str, RelevanceTable] = {}
    if RelevancePart.SIMILARITY in results.parts:
        rows = {INTERACT: results.trainings[INTERACT], **results.of(RelevancePart.SIMILARITY)}
        if RelevancePart.CONTROLS in results.parts:
            rows |= results.of(RelevancePart.CONTROLS)
        title = "Table 2: AUC"
        by_file["table-2"] = compare_models(title, AUC, rows, queries, everywhere, paper.TABLE_2)
        title = "Table 3: nDCG@10"
        by_file["table-3"] = compare_models(title, NDCG, rows, queries, everywhere, _with_means())
    if RelevancePart.MINED in results.parts:
        rows = {INTERACT: results.trainings[INTERACT], **results.of(RelevancePart.MINED)}
        ready = {
            name: results.trainings[name] for name in (SEMI, SEMI_KT) if name in results.trainings
        }
        title = "Table 6: AUC, queries mined from a simulated log"
        rows |= {f"{name}, ready-made": one for name, one in ready.items()}
        by_file["table-6"] = compare_models(title, AUC, rows, queries, groups, paper.TABLE_6)
    return by_file


def _with_means() -> Mapping[str, Mapping[str, float]]:
    """The paper's Table 3 with the averages over the languages of either of its groups."""
    printed = {}
    for name, row in paper.TABLE_3.items():
        without = [row[code] for code in paper.UNSUPERVISED]
        supervised = [value for code, value in row.items() if code not in paper.UNSUPERVISED]
        means = {AVERAGE: sum(supervised) / len(supervised), WITHOUT: sum(without) / len(without)}
        printed[name] = {**row, **means}
    return printed


def _times(results: RelevanceReproduction) -> dict[str, dict[str, str]]:
    """The time columns of Table 2; knowledge transfer does not change inference."""
    rows = {name: name.removesuffix(" + KT") for name in results.of(RelevancePart.SIMILARITY)}
    rows[INTERACT] = INTERACT
    known = {name: results.timings[of] for name, of in rows.items() if of in results.timings}
    return {
        TIME: {name: f"{one.sample:.1f}" for name, one in known.items()},
        QUERY_TIME: {name: f"{one.query:.1f}" for name, one in known.items()},
        OFFLINE: {name: f"{one.document:.1f}" if one.document else "" for name, one in
                  known.items()},
    }  # fmt: skip


def _time_ratios(results: RelevanceReproduction) -> list[str]:
    """How much faster SEMI-INTERACT is, as the paper counts it and as a search would."""
    pair, vector = (results.timings.get(name) for name in (INTERACT, SEMI))
    if pair is None or vector is None:
        return []
    published = {name: paper.TABLE_2[name][paper.TIME] for name in (INTERACT, SEMI)}
    return [
        f"{INTERACT} takes {pair.sample / vector.sample:.1f} times as long as {SEMI} for a sample"
        f" (paper: {published[INTERACT] / published[SEMI]:.1f}), and"
        f" {pair.query / vector.query:.1f} times as long for a query with all its candidates."
    ]


def _table_4(results: RelevanceReproduction) -> dict[tuple[bool, bool], float]:
    return table_4(results.trainings, results.task.queries[Split.TEST], results.task.supervised)


def _table_5(results: RelevanceReproduction) -> list[str]:
    lines = ["| Table 5 | AUC | paper |", "|---|---:|---:|"]
    for name, result in results.of(RelevancePart.TRANSFER).items():
        printed = paper.TABLE_5.get(name)
        cell = "" if printed is None else f"*{printed:.2f}*"
        lines.append(f"| {name} | {area(results.task, result) * 100:.2f} | {cell} |")
    return lines


def _sweep(results: RelevanceReproduction, part: RelevancePart) -> list[str]:
    title, label = SWEEPS[part]
    points = swept_areas(results, part)
    lines = [
        "",
        f"| Figure 3 {title}: {label} | {' | '.join(f'{x:g}' for x in points)} |",
        f"|---|{'---:|' * len(points)}",
        f"| AUC | {' | '.join(f'{np.mean(some) * 100:.2f}' for some in points.values())} |",
    ]
    if any(len(some) > 1 for some in points.values()):
        ranges = [f"{min(some) * 100:.2f} to {max(some) * 100:.2f}" for some in points.values()]
        lines.append(f"| range over seeds | {' | '.join(ranges)} |")
    return lines


def swept_areas(results: RelevanceReproduction, part: RelevancePart) -> dict[float, list[float]]:
    """The varied setting of Figure 3 -> AUC of the test, of every seed."""
    return {
        x: areas_over_seeds(results.task, results.trainings, one.name)
        for x, one in results.sweep(part).items()
    }


def write_tables(folder: Path, results: RelevanceReproduction) -> None:
    """The numbers as CSV."""
    for name, table in tables(results).items():
        write_table(folder / f"{name}.csv", table)
    if RelevancePart.SIMILARITY in results.parts:
        rows = [(*key, f"{one:.6f}", paper.TABLE_4[key])
                for key, one in _table_4(results).items()]  # fmt: skip
        head = ("trained_with_queries", "tested_with_queries", "AUC", "paper")
        write_csv(folder / "table-4.csv", head, rows)
    if RelevancePart.TRANSFER in results.parts:
        areas = {
            name: area(results.task, one)
            for name, one in results.of(RelevancePart.TRANSFER).items()
        }
        five = [(n, f"{one:.6f}", paper.TABLE_5.get(n, "")) for n, one in areas.items()]
        write_csv(folder / "table-5.csv", ("model", "AUC", "paper"), five)
    write_claims(folder / "claims.csv", semi_interactive_claims(results))
