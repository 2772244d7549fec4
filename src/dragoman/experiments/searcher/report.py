"""Results of the SEARCHER experiment -> a section of the results page, and CSV tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from dragoman.experiments.claims import claims_markdown, write_claims
from dragoman.experiments.csv_tables import write_csv
from dragoman.experiments.searcher.claims import searcher_claims, seed_ranges
from dragoman.experiments.searcher.experiment import (
    FUSION,
    NEURAL,
    ORACLE,
    SearcherReproduction,
)
from dragoman.experiments.searcher.neural_translation import BEAM
from dragoman.experiments.searcher.plan import PREFIX, SearcherScale
from dragoman.experiments.searcher.probe_report import (
    FEWEST,
    probe_gains,
    probe_table,
    write_probes,
)
from dragoman.experiments.searcher.runs import DetectionRun, held_out_precision
from dragoman.experiments.searcher.values import CalibrationResult, DetectionValue, RowValues
from dragoman.experiments.sections import provenance
from dragoman.metrics.significance import holm, student_test
from dragoman.systems.searcher.config import Pooling
from dragoman.systems.searcher.decisions import BETA
from dragoman.text.languages import name as language_name

STAR = "\\*"  # escaped for Markdown

# Barry et al. 2020: Table 1 (analysis1/q1, dev1/q1) and Table 2; MATERIAL's data is not public
PAPER: Mapping[str, Mapping[str, str]] = {
    "so": {
        "best document translation": ".175, .211",
        "best + source": ".190, .236",
        "SEARCHER": ".229, .250",
    },
    "bg": {"document translation": ".653", "+ source": ".700", "SEARCHER": ".655"},
    "sw": {"threshold": ".03"},
}


PROBES_CAPTION = (
    "Probes read sentences of the documents, which no training has seen. *Polysemy*: how often a"
    " term's dot product with an ambiguous word is higher where the word means the term than where"
    " it has another meaning (.5 without context). *Synonymy*: how often the cosine of a term and"
    " its synonym is higher than that of the term and another of the synonym's frequency. Two terms"
    " that translate one word have different meanings or the same one by their translations into"
    " the other languages of the shipped lexicons. *Bias and density*: Spearman's correlation of a"
    " term's bias and the mean cosine of its ten nearest foreign words, also given the term's"
    " frequency. *Entropy*: that of probabilities in bits, half of it over relevant sentences;"
    f" lower is sharper. A claim leaves out languages with fewer than {FEWEST} items; its test is"
    " over items. Rows of claims: polysemy by the deepest encoder from aligned vectors, the others"
    " from random vectors.",
)


def report(
    results: Sequence[SearcherReproduction],
    command: str,
    scale: SearcherScale,
    section: str = "",
) -> str:
    """The section of ``docs/results.md``; ``section`` names one beside the main one."""
    lines = [
        f"## SEARCHER: {section}" if section else "## SEARCHER",
        "",
        *provenance(command),
        f"- scale: {scale}",
        "",
        "Yes-or-no search for English terms in documents of another language. English is"
        " normalised once (stems) for relevance, training pairs, queries and translations, so that"
        " all systems see the same words. AQWV"
        f" with beta {BETA:g} at the threshold that the development queries chose, among scores as"
        " they are and as shares of the best of their query, for every row in the same way; with a"
        " 95 % bootstrap interval over test queries and documents, both drawn; MQWV at the best"
        " threshold of the test queries themselves; \\* differs from the fusion of SEARCHER and psq"
        " with p < .05 (paired t test, Holm). *oracle* is BM25 on the true English sides: what a"
        " perfect translation would reach. *+ source* is a weighted sum, *+ psq* a logistic"
        " regression; the development queries choose their weights.",
        "",
        *PROBES_CAPTION,
    ]
    if scale.seeds > 1:
        lines += ["", _seeds_caption(scale.seeds)]
    lines += ["", *claims_markdown(searcher_claims(results, probe_gains(results, scale)))]
    if ranges := seed_ranges(results):
        lines += ["", *ranges]
    for result in results:
        lines += ["", *_language(result, scale, section)]
    return "\n".join(lines) + "\n"


def _seeds_caption(seeds: int) -> str:
    return (
        f"SEARCHER is trained with {seeds} seeds, which also choose the held-out pairs (models of"
        " other depths and widths with one). Each seed"
        " has the reading and the threshold that the development queries choose for it, is joined"
        " with psq and scored by one sentence on its own. AQWV, MQWV and AP are means over seeds,"
        " ranges the lowest and the highest AQWV of a seed. Claims and \\* test values per query,"
        " averaged over seeds; intervals are those of AQWV averaged over seeds, on the same samples"
        " of queries and documents for all seeds and rows. Neither has the spread of seeds in it,"
        " which the ranges show. Probes are of the same items for all seeds: values of an item are"
        " averaged over seeds before a test, and pooled only where the training pairs of a seed"
        " lack a term. Calibration is that of seed 0."
    )


def _language(result: SearcherReproduction, scale: SearcherScale, section: str) -> list[str]:
    task = result.task
    lines = [
        f"### {language_name(task.language)}{f', {section}' if section else ''}",
        "",
        f"{task.name}: {len(task.documents):,} documents, {len(task.development):,} +"
        f" {len(task.test):,} queries, {len(task.training):,} training pairs.",
        "",
        "| system | AQWV | interval | range over seeds | MQWV | AP | learning rate | variant |",
        "|---|---:|---|---|---:|---:|---:|---|",
    ]
    best = max(value.actual for value in result.values if value.name != ORACLE)
    different = _different(result.values)
    for value in result.values:
        interval = value.interval
        number = f"**{value.actual:.3f}**" if value.actual == best else f"{value.actual:.3f}"
        lines.append(
            f"| {value.name} | {number}{STAR if different.get(value.name) else ''} |"
            f" {interval.low:.3f} to {interval.high:.3f} | {_range(value)} | {value.maximum:.3f} |"
            f" {value.average_precision:.3f} | {_learning_rate(result, value.name)} |"
            f" {value.variant} |"
        )
    for label, printed in PAPER.get(task.language, {}).items():
        lines.append(f"| *{label}, paper (MATERIAL)* | *{printed}* | | | | | | |")
    return [*lines, "", *probe_table(result, scale), "", *_trainings(result)]


def _range(value: RowValues) -> str:
    """The lowest and the highest AQWV of a seed; empty where there is one."""
    actual = value.actual_by_seed
    return f"{min(actual):.3f} to {max(actual):.3f}" if len(actual) > 1 else ""


def _learning_rate(result: SearcherReproduction, name: str) -> str:
    """The rate that a row was trained with, from its own settings; empty where nothing is."""
    settings = result.runs[name][0].settings
    train = settings.get("train")
    if name == NEURAL:
        train = settings["pretrain"]["train"]
    return f"{train['learning_rate']:g}" if train else ""


def _different(values: Sequence[RowValues]) -> dict[str, bool]:
    first = next(value for value in values if value.name == FUSION)
    others = [value for value in values if value.name != FUSION]
    raw = [student_test(first.values, other.values) for other in others]
    return {other.name: p < 0.05 for other, p in zip(others, holm(raw), strict=True)}


def _trainings(result: SearcherReproduction) -> list[str]:
    """Calibration, convergence and skipped rows."""
    calibration, neural = result.calibration, result.runs[NEURAL][0].facts
    pairs = result.runs[calibration.name][0].facts["expected_calibration_error"]
    lines = [
        f"Calibration of {calibration.name}, expected error: on held-out pairs"
        f" {pairs['before']:.4f}, after scaling there {pairs['after']:.4f}; on the documents"
        f" {calibration.before.expected_error:.4f},"
        f" after scaling on the development queries {calibration.after.expected_error:.4f}.",
        "",
    ]
    for pooling in Pooling:
        starts = {ending: result.runs.get(f"{PREFIX}{pooling}{ending}") for ending in CURVES}
        curves = [CURVES[ending](runs) for ending, runs in starts.items() if runs]
        if curves:
            lines += [f"Held-out AP by epoch, {pooling}: {', '.join(curves)}.", ""]
    lines += [
        f"Neural translation has {neural['greedy']:.1%} of the content words of the English sides,"
        f" decoded greedily; on a sample of {neural['sample']} documents"
        f" {neural['greedy_on_sample']:.1%} greedily and {neural['beam_on_sample']:.1%} with a beam"
        f" of {BEAM}.",
        "",
    ]
    lines += [f"{row} did not run: {reason}." for row, reason in result.skipped.items()]
    return lines


def _curve(runs: Sequence[DetectionRun]) -> str:
    return " ".join(f"{value:.3f}" for value in held_out_precision(runs))


def _pretrained_curve(runs: Sequence[DetectionRun]) -> str:
    """With what pre-training costs, the mean over seeds."""
    first = np.mean([sum(epoch["seconds"] for epoch in run.first_epochs) for run in runs])
    seconds = np.mean([epoch["seconds"] for run in runs for epoch in run.epochs])
    return (
        f"{_curve(runs)} after pre-training ({len(runs[0].first_epochs)} epochs, {first:,.0f} s;"
        f" an epoch of the search model {seconds:,.0f} s)"
    )


CURVES: Mapping[str, Callable[[Sequence[DetectionRun]], str]] = {  # by the ending of a row
    "": lambda runs: f"{_curve(runs)} from random vectors",
    "-pretrained": _pretrained_curve,
    "-aligned": lambda runs: f"{_curve(runs)} from aligned vectors",
}


def write_tables(
    folder: Path, results: Sequence[SearcherReproduction], scale: SearcherScale
) -> None:
    """The numbers as CSV."""
    rows = [
        (o.task.language, row.name, seed, v.variant, v.actual, v.maximum, v.development,
         v.average_precision, threshold, v.interval.low, v.interval.high)
        for o in results for row in (*o.values, *o.resized)
        for seed, v, threshold in _by_seed(row)
    ]  # fmt: skip
    head = ("language", "system", "seed", "reading", "AQWV", "MQWV", "development", "AP",
            "threshold", "low", "high")  # fmt: skip
    write_csv(folder / "results.csv", head, rows)
    write_claims(folder / "claims.csv", searcher_claims(results, probe_gains(results, scale)))
    write_probes(folder, results, scale)
    epochs = [
        (o.task.language, name, seed, kind, e["epoch"], e["loss"], e["seconds"],
         next(iter(e["validation"].values()), ""))
        for o in results for name, runs in o.runs.items() for seed, run in enumerate(runs)
        for kind, log in (("pre-training", run.first_epochs), ("training", run.epochs))
        for e in log
    ]  # fmt: skip
    kinds = ("language", "system", "seed", "stage", "epoch", "loss", "seconds", "held_out")
    write_csv(folder / "convergence.csv", kinds, epochs)
    for result in results:
        path = folder / f"reliability-{result.task.language}.csv"
        write_csv(
            path,
            ("stage", "from", "to", "pairs", "predicted", "observed"),
            _bins(result.calibration),
        )


def _by_seed(
    row: RowValues,
) -> Iterator[tuple[object, DetectionValue | RowValues, float | None]]:
    """Seeds with their values and thresholds, and the mean where there are several."""
    for seed, value in enumerate(row.by_seed):
        yield seed, value, value.threshold
    if len(row.by_seed) > 1:
        yield "mean", row, None


def _bins(calibration: CalibrationResult) -> list[tuple[object, ...]]:
    return [
        (
            stage,
            one.edges[row],
            one.edges[row + 1],
            one.counts[row],
            one.predicted[row],
            one.observed[row],
        )
        for stage, one in (("before", calibration.before), ("after", calibration.after))
        for row in range(len(one.counts))
    ]
