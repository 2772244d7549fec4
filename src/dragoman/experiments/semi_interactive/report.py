"""Results -> Tables 2 to 6 as files, and a section of ``docs/results.md``."""

import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch
import transformers

import dragoman
from dragoman.experiments.claims import claims_markdown, write_claims
from dragoman.experiments.csv_tables import write_csv
from dragoman.experiments.group_means import mean_of_groups
from dragoman.experiments.semi_interactive import paper
from dragoman.experiments.semi_interactive.claims import semi_interactive_claims
from dragoman.experiments.semi_interactive.experiment import RelevanceReproduction
from dragoman.experiments.semi_interactive.fits import fits_markdown
from dragoman.experiments.semi_interactive.plan import (
    INTERACT,
    SEMI,
    SEMI_KT,
    QueryContext,
    RelevancePart,
)
from dragoman.experiments.semi_interactive.repetitions import repetitions_markdown
from dragoman.experiments.semi_interactive.rerank import stages_markdown
from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult
from dragoman.experiments.semi_interactive.space import spaces_markdown
from dragoman.experiments.semi_interactive.tables import (
    AVERAGE,
    MARKS,
    RelevanceTable,
    compare_models,
    table_4,
    table_4_markdown,
    table_markdown,
    write_table,
)
from dragoman.experiments.semi_interactive.values import AUC, NDCG, measure_languages
from dragoman.text.collections.splits import Split
from dragoman.training.pretraining.pipeline import FACTS as PRETRAINED
from dragoman.training.pretraining.pipeline import FORMAT as PRETRAINING

WITHOUT = "AVG without"  # of the languages without supervision
TIME, QUERY_TIME, OFFLINE = "ms per sample", "ms per query", "ms per document, offline"
CHANGED = (
    "The task was changed after a first result: queries were lead sentences of pages, without the"
    " words of their titles, and in one run on libreoffice-help the semi-interactive model was"
    " below the non-interactive one (AUC 93.7 against 94.9). The paper's queries are titles."
)
SWEEPS = {
    RelevancePart.NUMBER: ("(a) relevant queries", "N"),
    RelevancePart.ALPHA: ("(b) the share of the labels in the loss", "alpha"),
}


def report(results: RelevanceReproduction, command: str) -> str:
    """The section of ``docs/results.md``."""
    lines = [
        f"## Semi-interactive transformers (Xu et al. 2021): {results.task.name}",
        "",
        "Queries in other languages search English documents: the title of an item's page is a"
        " query for the item's English page. The titles of an item in the languages with"
        " supervision are the ready-made relevant queries of its document, without the title that"
        " is the query; no validation or test query is a relevant query of any document, and no"
        " document or title of the test is in the training data. AUC (in percent, pooled over the"
        " queries of a language) compares the relevant document with negatives, some of them hard"
        " (by BM25); related documents are left out of it and count as partly relevant in nDCG@10."
        " Languages without supervision have no training queries; the encoder may have read bitext"
        " of theirs, of training pages. One training of each model, one seed, unless the table says"
        " otherwise. The paper's rows are"
        " on other collections, with M-BERT and millions of pairs, for context.",
        "",
        CHANGED,
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
        areas = {run.name: area(results, results.trainings[run.name]) for run in runs}
        lines += ["", *repetitions_markdown(runs, areas, results.trainings)]
    if results.stages is not None:
        lines += ["", *stages_markdown(results.stages)]
    claims = semi_interactive_claims(results)
    if claims:
        lines += ["", "### Claims", "", *claims_markdown(claims)]
    queries = results.task.queries[Split.TEST]
    fits = fits_markdown(results.trainings, queries, results.task.supervised)
    lines += ["", "### Trainings", "", *fits]
    if spaces := {n: one.space for n, one in results.trainings.items() if one.space is not None}:
        lines += ["", *spaces_markdown(spaces)]
    return "\n".join(lines)


def facts(results: RelevanceReproduction) -> dict[str, object]:
    """Settings, data and versions, which must be equal for two reports to be comparable."""
    task = results.task
    sizes = {
        f"{split} queries": f"{len(some):,} ({_by_language([o.query.language for o in some])}),"
        f" {sum(len(one.items) for one in some):,} pairs"
        for split, some in task.queries.items()
    }
    return {
        "collection": task.name,
        "languages with supervision": ", ".join(task.supervised),
        "languages without": ", ".join(task.unsupervised) or "none",
        "English documents": f"{len(task.items):,}",
        **sizes,
        "encoder": f"{_encoder(results.data.encoder)}, {results.data.encoder_digest}",
        **_encoder_training(results.data.encoder),
        **_relevant_queries(results),
        "scale": f"{results.scale.name}: {results.scale}",
        "task": task.fingerprint,
        "dragoman": dragoman.__version__,
        "torch": f"{torch.__version__}, transformers {transformers.__version__}",
        "python": f"{platform.python_version()}, {platform.machine()}",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }


def _relevant_queries(results: RelevanceReproduction) -> dict[str, str]:
    """How many relevant queries the test documents have, and what the simulated log holds."""
    relevant = [
        len(
            results.data.relevant(one.items[0], QueryContext.READY_MADE, without=one.query.language)
        )
        for one in results.task.queries[Split.TEST]
    ]
    most = results.scale.base.relevant_queries
    facts = {
        "relevant queries of a test document": f"{np.mean(np.minimum(relevant, most)):.1f} of at"
        f" most {most} on average, {np.mean(np.array(relevant) > 0):.0%} have any"
    }
    if (mined := results.mined) is not None:
        facts["simulated log"] = (
            f"{mined.queries:,} queries, {mined.impressions:,} impressions, {mined.clicks:,}"
            f" clicks; {mined.documents:.0%} of the documents have mined queries, {mined.right:.0%}"
            " of these are from users who wanted that document"
        )
    return facts


def _by_language(codes: Sequence[str]) -> str:
    return ", ".join(f"{code} {codes.count(code):,}" for code in dict.fromkeys(codes))


def _encoder(folder: Path) -> str:
    config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
    return (
        f"{folder.name} ({config.model_type}, {config.num_hidden_layers} layers of"
        f" {config.hidden_size}, {config.vocab_size:,} tokens)"
    )


def _encoder_training(folder: Path) -> dict[str, str]:
    """The training data of an encoder pre-trained here; empty for other encoders."""
    if not (folder / PRETRAINED).is_file():
        return {}
    facts = PRETRAINING.read(folder / PRETRAINED)
    folders: dict[str, list[str]] = {}
    for name in facts["bitext"]:
        above, _, pair = name.rpartition("/")
        folders.setdefault(above, []).append(pair)
    files = "; ".join(
        f"{above} ({', '.join(pairs)})" if above else ", ".join(pairs)
        for above, pairs in folders.items()
    )
    return {"encoder learnt from": f"{facts['pairs']['training']:,} sentence pairs: {files}"}


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


def area(results: RelevanceReproduction, result: RelevanceTrainingResult) -> float:
    """AUC, the mean over the languages with supervision."""
    queries = results.task.queries[Split.TEST]
    return mean_of_groups(measure_languages(queries, result.scores)[AUC], results.task.supervised)


def _table_5(results: RelevanceReproduction) -> list[str]:
    lines = ["| Table 5 | AUC | paper |", "|---|---:|---:|"]
    for name, result in results.of(RelevancePart.TRANSFER).items():
        printed = paper.TABLE_5.get(name)
        cell = "" if printed is None else f"*{printed:.2f}*"
        lines.append(f"| {name} | {area(results, result) * 100:.2f} | {cell} |")
    return lines


def _sweep(results: RelevanceReproduction, part: RelevancePart) -> list[str]:
    title, label = SWEEPS[part]
    points = {x: area(results, result) for x, result in results.sweep(part).items()}
    return [
        "",
        f"| Figure 3 {title}: {label} | {' | '.join(f'{x:g}' for x in points)} |",
        f"|---|{'---:|' * len(points)}",
        f"| AUC | {' | '.join(f'{y * 100:.2f}' for y in points.values())} |",
    ]


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
            name: area(results, one) for name, one in results.of(RelevancePart.TRANSFER).items()
        }
        five = [(n, f"{one:.6f}", paper.TABLE_5.get(n, "")) for n, one in areas.items()]
        write_csv(folder / "table-5.csv", ("model", "AUC", "paper"), five)
    write_claims(folder / "claims.csv", semi_interactive_claims(results))
