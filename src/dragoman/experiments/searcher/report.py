"""Results of the SEARCHER experiment -> a section of the results page, and CSV tables."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from dragoman.experiments.claims import claims_markdown, write_claims
from dragoman.experiments.csv_tables import write_csv
from dragoman.experiments.searcher.claims import searcher_claims
from dragoman.experiments.searcher.experiment import (
    FUSION,
    NEURAL,
    ORACLE,
    SearcherReproduction,
)
from dragoman.experiments.searcher.neural_translation import BEAM
from dragoman.experiments.searcher.plan import SearcherScale
from dragoman.experiments.searcher.probe_report import (
    FEWEST,
    probe_gains,
    probe_table,
    write_probes,
)
from dragoman.experiments.searcher.values import CalibrationResult, DetectionValue
from dragoman.experiments.sections import provenance
from dragoman.metrics.significance import holm, student_test
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


def report(results: Sequence[SearcherReproduction], command: str, scale: SearcherScale) -> str:
    """The section of ``docs/results.md``."""
    lines = [
        "## SEARCHER",
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
    lines += ["", *claims_markdown(searcher_claims(results, probe_gains(results, scale)))]
    for result in results:
        lines += ["", *_language(result, scale)]
    return "\n".join(lines) + "\n"


def _language(result: SearcherReproduction, scale: SearcherScale) -> list[str]:
    task = result.task
    lines = [
        f"### {language_name(task.language)}",
        "",
        f"{task.name}: {len(task.documents):,} documents, {len(task.development):,} +"
        f" {len(task.test):,} queries, {len(task.training):,} training pairs.",
        "",
        "| system | AQWV | interval | MQWV | AP | learning rate | variant |",
        "|---|---:|---|---:|---:|---:|---|",
    ]
    best = max(value.actual for value in result.values if value.name != ORACLE)
    different = _different(result.values)
    for value in result.values:
        interval = value.interval
        number = f"**{value.actual:.3f}**" if value.actual == best else f"{value.actual:.3f}"
        lines.append(
            f"| {value.name} | {number}{STAR if different.get(value.name) else ''} |"
            f" {interval.low:.3f} to {interval.high:.3f} | {value.maximum:.3f} |"
            f" {value.average_precision:.3f} | {_learning_rate(result, value.name)} |"
            f" {value.variant} |"
        )
    for label, printed in PAPER.get(task.language, {}).items():
        lines.append(f"| *{label}, paper (MATERIAL)* | *{printed}* | | | | | |")
    return [*lines, "", *probe_table(result, scale), "", *_trainings(result)]


def _learning_rate(result: SearcherReproduction, name: str) -> str:
    """The rate that a row was trained with, from its own settings; empty where nothing is."""
    settings = result.runs[name].settings
    train = settings.get("train")
    if name == NEURAL:
        train = settings["pretrain"]["train"]
    return f"{train['learning_rate']:g}" if train else ""


def _different(values: Sequence[DetectionValue]) -> dict[str, bool]:
    first = next(value for value in values if value.name == FUSION)
    others = [value for value in values if value.name != FUSION]
    raw = [student_test(first.values, other.values) for other in others]
    return {other.name: p < 0.05 for other, p in zip(others, holm(raw), strict=True)}


def _trainings(result: SearcherReproduction) -> list[str]:
    """Calibration, convergence and skipped rows."""
    calibration, neural = result.calibration, result.runs[NEURAL].facts
    pairs = result.runs[calibration.name].facts["expected_calibration_error"]
    lines = [
        f"Calibration of {calibration.name}, expected error: on held-out pairs"
        f" {pairs['before']:.4f}, after scaling there {pairs['after']:.4f}; on the documents"
        f" {calibration.before.expected_error:.4f},"
        f" after scaling on the development queries {calibration.after.expected_error:.4f}.",
        "",
    ]
    for pooling in ("softmax", "max"):
        endings = ("", "-pretrained", "-aligned")
        plain, warm, aligned = (result.runs[f"searcher-{pooling}{one}"] for one in endings)
        curves = [
            " ".join(f"{epoch['validation']['AP']:.3f}" for epoch in one.epochs)
            for one in (plain, warm, aligned)
        ]
        first = sum(epoch["seconds"] for epoch in warm.first_epochs)
        lines += [
            f"Held-out AP by epoch, {pooling}: {curves[0]} from random vectors, {curves[1]}"
            f" after pre-training ({len(warm.first_epochs)} epochs, {first:,.0f} s; an epoch of the"
            f" search model {_mean_seconds(warm.epochs):,.0f} s), {curves[2]} from aligned"
            " vectors.",
            "",
        ]
    lines += [
        f"Neural translation has {neural['greedy']:.1%} of the content words of the English sides,"
        f" decoded greedily; on a sample of {neural['sample']} documents"
        f" {neural['greedy_on_sample']:.1%} greedily and {neural['beam_on_sample']:.1%} with a beam"
        f" of {BEAM}.",
        "",
    ]
    lines += [f"{row} did not run: {reason}." for row, reason in result.skipped.items()]
    return lines


def _mean_seconds(epochs: Sequence[Mapping[str, float]]) -> float:
    return float(np.mean([epoch["seconds"] for epoch in epochs])) if epochs else 0.0


def write_tables(
    folder: Path, results: Sequence[SearcherReproduction], scale: SearcherScale
) -> None:
    """The numbers as CSV."""
    rows = [
        (o.task.language, v.name, v.variant, v.actual, v.maximum, v.development,
         v.average_precision, v.threshold, v.interval.low, v.interval.high)
        for o in results for v in (*o.values, *o.depths)
    ]  # fmt: skip
    head = ("language", "system", "reading", "AQWV", "MQWV", "development", "AP", "threshold",
            "low", "high")  # fmt: skip
    write_csv(folder / "results.csv", head, rows)
    write_claims(folder / "claims.csv", searcher_claims(results, probe_gains(results, scale)))
    write_probes(folder, results, scale)
    epochs = [
        (o.task.language, name, kind, e["epoch"], e["loss"], e["seconds"],
         next(iter(e["validation"].values()), ""))
        for o in results for name, run in o.runs.items()
        for kind, log in (("pre-training", run.first_epochs), ("training", run.epochs))
        for e in log
    ]  # fmt: skip
    kinds = ("language", "system", "stage", "epoch", "loss", "seconds", "held_out")
    write_csv(folder / "convergence.csv", kinds, epochs)
    for result in results:
        path = folder / f"reliability-{result.task.language}.csv"
        write_csv(
            path,
            ("stage", "from", "to", "pairs", "predicted", "observed"),
            _bins(result.calibration),
        )


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
