"""An outcome -> Tables 2 to 6 as files, and a section of ``docs/results.md``."""

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
from dragoman.experiments.semi_interactive.experiment import Outcome
from dragoman.experiments.semi_interactive.fits import fits_markdown
from dragoman.experiments.semi_interactive.plan import INTERACT, SEMI, SEMI_KT, Context, Part
from dragoman.experiments.semi_interactive.rerank import stages_markdown
from dragoman.experiments.semi_interactive.runs import Result
from dragoman.experiments.semi_interactive.space import spaces_markdown
from dragoman.experiments.semi_interactive.tables import (
    AVERAGE,
    MARKS,
    Table,
    markdown,
    markdown_4,
    table,
    table_4,
    write_table,
)
from dragoman.experiments.semi_interactive.values import AUC, NDCG, measured
from dragoman.text.collections.splits import Split
from dragoman.training.pretraining.pipeline import FACTS as PRETRAINED
from dragoman.training.pretraining.pipeline import FORMAT as PRETRAINING

WITHOUT = "AVG without"  # of the languages without supervision
TIME, QUESTION, OFFLINE = "ms a sample", "ms a question", "ms a document, offline"
CHANGED = (
    "The task was changed after a first result: questions were lead sentences of pages, without the"
    " words of their titles, and in one run on libreoffice-help the semi-interactive model was"
    " below the non-interactive one (AUC 93.7 against 94.9). Titles are what the paper asks with."
)
SWEEPS = {
    Part.NUMBER: ("(a) relevant queries", "N"),
    Part.ALPHA: ("(b) the share of the labels in the loss", "alpha"),
}


def section(outcome: Outcome, command: str) -> str:
    """The section of ``docs/results.md``."""
    lines = [
        f"## Semi-interactive transformers (Xu et al. 2021): {outcome.task.name}",
        "",
        "Questions in other languages ask for English documents: the title of an item's page asks"
        " for the item's English page. The titles of an item in the languages with supervision are"
        " the ready-made relevant queries of its document, without the one that asks for it; no"
        " question of validation and test is a relevant query of any document, and documents and"
        " titles of the test were never trained on. AUC (in percent, pooled over the questions of a"
        " language) compares the document asked for with negatives, some of them hard (found by"
        " BM25); related documents are left out of it and count as partly relevant in nDCG@10."
        " Languages without supervision ask no question in training; the encoder may have read"
        " bitext of theirs, of training pages. One training of each model, one seed. The"
        " paper's rows are on other collections, with M-BERT and millions of pairs, for context.",
        "",
        CHANGED,
        "",
        f"- command: `{command}`",
        *(f"- {name}: {value}" for name, value in facts(outcome).items()),
        "",
        f"{MARKS}; ± is half of the 95 % bootstrap interval. Times are those of the processor: a"
        " sample is a question and one document; a question is compared with all its candidates.",
    ]
    for found in tables(outcome).values():
        beside = _times(outcome) if found.title.startswith("Table 2") else None
        lines += ["", *markdown(found, beside)]
    if Part.SIMILARITY in outcome.parts:
        lines += ["", *markdown_4(_table_4(outcome))]
    if Part.TRANSFER in outcome.parts:
        lines += ["", *_table_5(outcome)]
    lines += [line for part in SWEEPS if part in outcome.parts for line in _sweep(outcome, part)]
    if outcome.second is not None:
        lines += ["", *stages_markdown(outcome.second)]
    claims = semi_interactive_claims(outcome)
    if claims:
        lines += ["", "### Claims", "", *claims_markdown(claims)]
    asked = outcome.task.asked[Split.TEST]
    fits = fits_markdown(outcome.results, asked, outcome.task.supervised)
    lines += ["", "### Trainings", "", *fits]
    if spaces := {n: one.space for n, one in outcome.results.items() if one.space is not None}:
        lines += ["", *spaces_markdown(spaces)]
    return "\n".join(lines)


def facts(outcome: Outcome) -> dict[str, object]:
    """What must be equal for two reports to be comparable."""
    task = outcome.task
    sizes = {
        f"{split} questions": f"{len(asked):,} ({_by_language([o.query.language for o in asked])}),"
        f" {sum(len(one.items) for one in asked):,} pairs"
        for split, asked in task.asked.items()
    }
    return {
        "collection": task.name,
        "languages with supervision": ", ".join(task.supervised),
        "languages without": ", ".join(task.unsupervised) or "none",
        "English documents": f"{len(task.items):,}",
        **sizes,
        "encoder": f"{_encoder(outcome.material.encoder)}, {outcome.material.encoder_digest}",
        **_learnt_from(outcome.material.encoder),
        **_relevant_queries(outcome),
        "scale": f"{outcome.scale.name}: {outcome.scale}",
        "task": task.fingerprint,
        "dragoman": dragoman.__version__,
        "torch": f"{torch.__version__}, transformers {transformers.__version__}",
        "python": f"{platform.python_version()}, {platform.machine()}",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }


def _relevant_queries(outcome: Outcome) -> dict[str, str]:
    """How many relevant queries the test documents have, and what the simulated log holds."""
    relevant = [
        len(outcome.material.relevant(one.items[0], Context.READY_MADE, without=one.query.language))
        for one in outcome.task.asked[Split.TEST]
    ]
    most = outcome.scale.base.relevant_queries
    facts = {
        "relevant queries of a test document": f"{np.mean(np.minimum(relevant, most)):.1f} of at"
        f" most {most} on average, {np.mean(np.array(relevant) > 0):.0%} have any"
    }
    if (mined := outcome.mined) is not None:
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


def _learnt_from(folder: Path) -> dict[str, str]:
    """What an encoder of our own was pre-trained on; nothing is known of others."""
    if not (folder / PRETRAINED).is_file():
        return {}
    told = PRETRAINING.read(folder / PRETRAINED)
    folders: dict[str, list[str]] = {}
    for name in told["bitext"]:
        above, _, pair = name.rpartition("/")
        folders.setdefault(above, []).append(pair)
    files = "; ".join(
        f"{above} ({', '.join(pairs)})" if above else ", ".join(pairs)
        for above, pairs in folders.items()
    )
    return {"encoder learnt from": f"{told['pairs']['training']:,} sentence pairs: {files}"}


def tables(outcome: Outcome) -> dict[str, Table]:
    """Tables 2, 3 and 6 by their file names."""
    task = outcome.task
    asked = task.asked[Split.TEST]
    groups: dict[str, Sequence[str]] = {AVERAGE: task.supervised}
    everywhere = {**groups, **({WITHOUT: task.unsupervised} if task.unsupervised else {})}
    found: dict[str, Table] = {}
    if Part.SIMILARITY in outcome.parts:
        rows = {INTERACT: outcome.results[INTERACT], **outcome.of(Part.SIMILARITY)}
        title = "Table 2: AUC"
        found["table-2"] = table(title, AUC, rows, asked, everywhere, paper.TABLE_2)
        title = "Table 3: nDCG@10"
        found["table-3"] = table(title, NDCG, rows, asked, everywhere, _with_means())
    if Part.MINED in outcome.parts:
        rows = {INTERACT: outcome.results[INTERACT], **outcome.of(Part.MINED)}
        ready = {name: outcome.results[name] for name in (SEMI, SEMI_KT) if name in outcome.results}
        title = "Table 6: AUC, queries mined from a simulated log"
        rows |= {f"{name}, ready-made": one for name, one in ready.items()}
        found["table-6"] = table(title, AUC, rows, asked, groups, paper.TABLE_6)
    return found


def _with_means() -> Mapping[str, Mapping[str, float]]:
    """The paper's Table 3 with the averages over the languages of either of its groups."""
    printed = {}
    for name, row in paper.TABLE_3.items():
        without = [row[code] for code in paper.UNSUPERVISED_THERE]
        supervised = [value for code, value in row.items() if code not in paper.UNSUPERVISED_THERE]
        means = {AVERAGE: sum(supervised) / len(supervised), WITHOUT: sum(without) / len(without)}
        printed[name] = {**row, **means}
    return printed


def _times(outcome: Outcome) -> dict[str, dict[str, str]]:
    """Columns of Table 2; knowledge transfer changes no model's work."""
    rows = {name: name.removesuffix(" + KT") for name in outcome.of(Part.SIMILARITY)}
    rows[INTERACT] = INTERACT
    known = {name: outcome.timings[of] for name, of in rows.items() if of in outcome.timings}
    return {
        TIME: {name: f"{one.sample:.1f}" for name, one in known.items()},
        QUESTION: {name: f"{one.question:.1f}" for name, one in known.items()},
        OFFLINE: {name: f"{one.document:.1f}" if one.document else "" for name, one in
                  known.items()},
    }  # fmt: skip


def _table_4(outcome: Outcome) -> dict[tuple[bool, bool], float]:
    return table_4(outcome.results, outcome.task.asked[Split.TEST], outcome.task.supervised)


def area(outcome: Outcome, result: Result) -> float:
    """AUC, the mean over the languages with supervision."""
    asked = outcome.task.asked[Split.TEST]
    return mean_of_groups(measured(asked, result.scores)[AUC], outcome.task.supervised)


def _table_5(outcome: Outcome) -> list[str]:
    lines = ["| Table 5 | AUC | paper |", "|---|---:|---:|"]
    for name, result in outcome.of(Part.TRANSFER).items():
        printed = paper.TABLE_5.get(name)
        there = "" if printed is None else f"*{printed:.2f}*"
        lines.append(f"| {name} | {area(outcome, result) * 100:.2f} | {there} |")
    return lines


def _sweep(outcome: Outcome, part: Part) -> list[str]:
    title, label = SWEEPS[part]
    points = {x: area(outcome, result) for x, result in outcome.sweep(part).items()}
    return [
        "",
        f"| Figure 3 {title}: {label} | {' | '.join(f'{x:g}' for x in points)} |",
        f"|---|{'---:|' * len(points)}",
        f"| AUC | {' | '.join(f'{y * 100:.2f}' for y in points.values())} |",
    ]


def write_tables(folder: Path, outcome: Outcome) -> None:
    """The numbers as CSV."""
    for name, found in tables(outcome).items():
        write_table(folder / f"{name}.csv", found)
    if Part.SIMILARITY in outcome.parts:
        rows = [(*place, f"{one:.6f}", paper.TABLE_4[place])
                for place, one in _table_4(outcome).items()]  # fmt: skip
        head = ("trained_with_queries", "tested_with_queries", "AUC", "paper")
        write_csv(folder / "table-4.csv", head, rows)
    if Part.TRANSFER in outcome.parts:
        areas = {name: area(outcome, one) for name, one in outcome.of(Part.TRANSFER).items()}
        five = [(n, f"{one:.6f}", paper.TABLE_5.get(n, "")) for n, one in areas.items()]
        write_csv(folder / "table-5.csv", ("model", "AUC", "paper"), five)
    write_claims(folder / "claims.csv", semi_interactive_claims(outcome))
