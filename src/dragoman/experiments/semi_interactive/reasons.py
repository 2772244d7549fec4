"""Results of trainings -> why they are as they are: numbers beside the tables, and sentences.

What a model makes of the pairs it was trained on against those of the test; where its scores of
relevant documents and of others lie; what the teacher was worth; what Equation 7 does as printed;
how the representations fill their space; what the inference costs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.experiments.semi_interactive import paper
from dragoman.experiments.semi_interactive.experiment import Outcome
from dragoman.experiments.semi_interactive.plan import (
    BY_SENTENCES,
    DISTILLED,
    INTERACT,
    MINED,
    NON,
    SEMI,
    SEMI_KT,
    SEMI_SYMMETRIC,
    UNTRAINED,
    Context,
    Part,
)
from dragoman.experiments.semi_interactive.runs import Result
from dragoman.experiments.semi_interactive.tables import SURE, table_4
from dragoman.experiments.semi_interactive.task import RELATED, RELEVANT, Asked
from dragoman.experiments.semi_interactive.values import (
    AUC,
    area_by_kind,
    differences,
    mean,
    measured,
    weighted,
)
from dragoman.text.collections.splits import Split

WIDE = 0.05  # AUC on training pairs minus AUC of the test, from which on it is said
PAPER_NUMBER, PAPER_ALPHA = 3, 0.7
SLOWER, FASTER = 1.1, 4.0  # what semi-interactive search may and must be


@dataclass(frozen=True, slots=True)
class Fit:
    """A model on the pairs it learnt from and on those of the test, languages with supervision."""

    trained: float
    tested: float
    relevant: float  # mean score of the relevant documents of the test
    others: float
    sampled: float  # AUC against sampled negatives alone
    hard: float
    best_epoch: int
    epochs: int
    seconds: float

    @property
    def gap(self) -> float:
        """How much worse it is on what it has not seen."""
        return self.trained - self.tested


def fit(result: Result, asked: Sequence[Asked], languages: Sequence[str]) -> Fit:
    """What a trained model is like."""
    grades = np.concatenate([one.grades for one in asked])
    kinds = area_by_kind(asked, result.scores, languages)
    values = [epoch["validation"][AUC] for epoch in result.epochs]
    return Fit(
        trained=result.fitted,
        tested=mean(measured(asked, result.scores)[AUC], languages),
        relevant=float(result.scores[grades == RELEVANT].mean()),
        others=float(result.scores[(grades != RELEVANT) & (grades != RELATED)].mean()),
        sampled=kinds["sampled"],
        hard=kinds["hard"],
        best_epoch=int(np.argmax(values)) + 1 if values else 0,
        epochs=len(values),
        seconds=result.seconds,
    )


def fits(outcome: Outcome) -> dict[str, Fit]:
    """Of every model, in the order of training."""
    asked = outcome.task.asked[Split.TEST]
    return {
        name: fit(result, asked, outcome.task.supervised)
        for name, result in outcome.results.items()
    }


def markdown_fits(found: Mapping[str, Fit]) -> list[str]:
    """A row for every training."""
    lines = [
        "| training | AUC, its own pairs | AUC, test | against sampled | against hard |"
        " score of relevant | of others | best epoch | s of one core |",
        f"|---|{'---:|' * 8}",
    ]
    for name, one in found.items():
        lines.append(
            f"| {name} | {one.trained * 100:.2f} | {one.tested * 100:.2f} | {one.sampled * 100:.2f}"
            f" | {one.hard * 100:.2f} | {one.relevant:.3f} | {one.others:.3f} |"
            f" {one.best_epoch} of {one.epochs} | {one.seconds:,.0f} |"
        )
    return lines


def reasons(outcome: Outcome) -> Iterator[str]:
    """Sentences, as far as the parts were measured."""
    found = fits(outcome)
    if Part.SIMILARITY in outcome.parts:
        yield from _limit({name: found[name] for name in (INTERACT, *outcome.of(Part.SIMILARITY))})
        yield from _advantage(outcome, found)
        yield _start(found)
        yield from _gaps(found)
        yield from _teacher(found)
        yield _queries(outcome)
    if Part.TRANSFER in outcome.parts:
        yield from _equation_7(outcome, found)
    for part, what, there in (
        (Part.NUMBER, "relevant queries", PAPER_NUMBER),
        (Part.ALPHA, "alpha", PAPER_ALPHA),
    ):
        if part in outcome.parts:
            yield _best_of(outcome, part, what, there)
    if Part.MINED in outcome.parts:
        yield from _mined(outcome, found)
    yield from _space(outcome)
    yield from _times(outcome)


def _limit(found: Mapping[str, Fit]) -> Iterator[str]:
    one = found[INTERACT]
    better = [name for name, other in found.items() if other.tested > one.tested]
    if not better:
        yield (
            f"The interactive model is the upper limit: {_percent(one.tested)} on the test, the"
            f" next is {max((o.tested, n) for n, o in found.items() if n != INTERACT)[1]}."
        )
        return
    base = found[NON]
    if one.tested > base.tested:
        why = f"It is {(one.tested - base.tested) * 100:.2f} points above {NON}"
        if set(better) <= {SEMI, SEMI_KT}:
            why += ": reading together helps, but those above it read more"
    elif one.trained + WIDE < base.trained:
        why = (
            f"It has not even learnt its own pairs as well ({_percent(one.trained)} against"
            f" {_percent(base.trained)} of {NON}): to read two languages together has to be learnt"
            " in training or pre-training, while two encoders begin with means of states that"
            " pre-training has brought together already"
        )
    elif one.gap > base.gap + WIDE:
        why = (
            f"It knows its own pairs ({_percent(one.trained)}) and loses"
            f" {one.gap * 100:.1f} points on the test, {NON} loses {base.gap * 100:.1f}: a joint"
            " encoder with so few documents to learn from learns them by heart"
        )
    else:
        why = (
            f"On its own pairs it has {_percent(one.trained)} and loses {one.gap * 100:.1f} points"
            f" on the test; {NON} has {_percent(base.trained)} and loses {base.gap * 100:.1f}:"
            " reading together has no advantage here"
        )
    yield (
        f"The interactive model is no upper limit here: {_percent(one.tested)} on the test, below"
        f" {', '.join(better)}. {why}."
    )


def _advantage(outcome: Outcome, found: Mapping[str, Fit]) -> Iterator[str]:
    """What the semi-interactive model reads and the interactive one does not."""
    if found[SEMI].tested <= found[INTERACT].tested:
        return
    areas = table_4(outcome.results, outcome.task.asked[Split.TEST], outcome.task.supervised)
    yield (
        f"{SEMI} reads titles in other languages beside the documents of the test, {INTERACT} reads"
        f" none: {_percent(found[SEMI].tested)} with them, {_percent(areas[True, False])} where"
        f" the same model is tested without, {_percent(found[INTERACT].tested)} for {INTERACT}."
    )


def _start(found: Mapping[str, Fit]) -> str:
    """Where two encoders begin, before any step."""
    first, trained = found[UNTRAINED].tested, found[NON].tested
    return (
        f"The pre-trained encoder alone, without any training, reaches {_percent(first)}; training"
        f" changes that by {(trained - first) * 100:+.2f} points for {NON} and"
        f" {(found[SEMI].tested - first) * 100:+.2f} for {SEMI}."
    )


def _gaps(found: Mapping[str, Fit]) -> Iterator[str]:
    names = [name for name in (INTERACT, NON, SEMI, SEMI_KT) if name in found]
    wide = [f"{name} {found[name].gap * 100:.1f}" for name in names if found[name].gap > WIDE]
    if wide:
        yield (
            "From the pairs that were trained on to those of the test AUC falls by more than"
            f" {WIDE * 100:.0f} points: {', '.join(wide)}. More documents to learn from would help"
            " more than another architecture."
        )


def _teacher(found: Mapping[str, Fit]) -> Iterator[str]:
    if SEMI_KT not in found:
        return
    teacher, student, taught = found[INTERACT], found[SEMI], found[SEMI_KT]
    gain = (taught.tested - student.tested) * 100
    if teacher.tested <= student.tested:
        yield (
            f"The teacher is no better than its student ({_percent(teacher.tested)} against"
            f" {_percent(student.tested)} of {SEMI} on the test), so there is little that it could"
            f" pass on; knowledge transfer changes {SEMI} by {gain:+.2f} points."
        )
    else:
        yield (
            f"The teacher is {(teacher.tested - student.tested) * 100:.2f} points above {SEMI} on"
            f" the test, and knowledge transfer passes {gain:+.2f} of them on."
        )


def _queries(outcome: Outcome) -> str:
    """What relevant queries do at training and at test time (Table 4)."""
    found = table_4(outcome.results, outcome.task.asked[Split.TEST], outcome.task.supervised)
    base = found[False, False]
    both, only_test = found[True, True] - base, found[False, True] - base
    only_training = found[True, False] - base
    numbers = [
        len(outcome.material.relevant(one.items[0], Context.READY_MADE, without=one.query.language))
        for one in outcome.task.asked[Split.TEST]
    ]
    most = outcome.scale.base.relevant_queries
    return (
        f"Relevant queries change AUC by {both * 100:+.2f} points when used in training and test,"
        f" {only_training * 100:+.2f} in training alone, {only_test * 100:+.2f} in the test alone"
        f" (paper {_there(True, True)}, {_there(True, False)}, {_there(False, True)}). Test"
        f" documents have {np.mean(np.minimum(numbers, most)):.1f} of at most {most} on average,"
        f" {np.mean(np.array(numbers) > 0):.0%} have any."
    )


def _there(trained: bool, tested: bool) -> str:
    return f"{paper.TABLE_4[trained, tested] - paper.TABLE_4[False, False]:+.2f}"


def _equation_7(outcome: Outcome, found: Mapping[str, Fit]) -> Iterator[str]:
    asked, codes = outcome.task.asked[Split.TEST], outcome.task.supervised
    values = {
        name: weighted(measured(asked, outcome.results[name].scores)[AUC], codes)
        for name in (SEMI_KT, SEMI_SYMMETRIC)
    }
    (one,) = differences([("", values[SEMI_KT], values[SEMI_SYMMETRIC])])
    sure = "beyond chance" if min(one.above, one.below) < SURE else "within chance"
    yield (
        f"Equation 7 as printed against the symmetric form: AUC {one.gain * 100:+.2f} points,"
        f" {sure}. The printed form never pushes a score down: irrelevant documents end at a mean"
        f" score of {found[SEMI_KT].others:.3f} with it, {found[SEMI_SYMMETRIC].others:.3f} with"
        f" the symmetric one and {found[SEMI].others:.3f} without a teacher; relevant ones at"
        f" {found[SEMI_KT].relevant:.3f}, {found[SEMI_SYMMETRIC].relevant:.3f} and"
        f" {found[SEMI].relevant:.3f}."
    )
    alone = (found[DISTILLED].tested - found[SEMI].tested) * 100
    there = paper.TABLE_5[DISTILLED] - paper.TABLE_5[SEMI]
    yield f"Distillation alone changes {SEMI} by {alone:+.2f} points of AUC (paper {there:+.2f})."
    if BY_SENTENCES in found:
        other = (found[BY_SENTENCES].tested - found[SEMI].tested) * 100
        yield f"With the sentence encoder as the teacher, symmetric, it is {other:+.2f} points."


def _best_of(outcome: Outcome, part: Part, what: str, there: float) -> str:
    asked, codes = outcome.task.asked[Split.TEST], outcome.task.supervised
    values = {
        x: weighted(measured(asked, result.scores)[AUC], codes)
        for x, result in outcome.sweep(part).items()
    }
    best = max(values, key=lambda x: float(values[x].mean()))
    spread = (values[best].mean() - min(float(one.mean()) for one in values.values())) * 100
    beside = ""
    if there in values and there != best:
        (one,) = differences([("", values[best], values[there])])
        chance = "beyond" if one.above < SURE else "within"
        beside = f" It is {one.gain * 100:.2f} points above {there:g}, {chance} chance."
    return (
        f"The best value of {what} is {best:g} (paper {there:g}) among"
        f" {', '.join(f'{x:g}' for x in values)}; the best and the worst differ by {spread:.2f}"
        f" points.{beside}"
    )


def _mined(outcome: Outcome, found: Mapping[str, Fit]) -> Iterator[str]:
    facts = outcome.mined
    assert facts is not None, "the part was measured"
    there = {name: f"{row[paper.AVERAGE]:.2f}" for name, row in paper.TABLE_6.items()}
    ready = f" ({found[SEMI].tested * 100:.2f} with ready-made ones)" if SEMI in found else ""
    yield (
        f"Mined queries bring {SEMI} to {_percent(found[MINED].tested)}{ready},"
        f" {NON} is at {_percent(found[NON].tested)} (paper {there[MINED]}"
        f" against {there[NON]}). The log has {facts.queries:,} queries, {facts.impressions:,}"
        f" impressions and {facts.clicks:,} clicks; {facts.documents:.0%} of the documents have"
        f" mined queries, and {facts.right:.0%} of these were typed by users who wanted that very"
        " document."
    )


def _space(outcome: Outcome) -> Iterator[str]:
    spaces = {n: r.space for n, r in outcome.results.items() if r.space is not None}
    if not {NON, SEMI} <= spaces.keys():
        return
    told = "; ".join(
        f"{name}: mean cosine {one.mean_cosine:.3f}, {one.dimensions:.1f} effective dimensions,"
        f" {one.between:.0%} of the variance between languages"
        for name, one in spaces.items()
    )
    wider = spaces[SEMI].dimensions > spaces[NON].dimensions
    looser = spaces[SEMI].mean_cosine < spaces[NON].mean_cosine
    kind = "holds" if wider and looser else "holds in part" if wider or looser else "does not hold"
    yield (
        f"Figure 4 in numbers: {told}. That the semi-interactive model spreads its representations"
        f" wider than the non-interactive one {kind}: it has"
        f" {'more' if wider else 'fewer'} effective dimensions and a"
        f" {'lower' if looser else 'higher'} mean cosine."
    )


def _times(outcome: Outcome) -> Iterator[str]:
    times = outcome.timings
    if not {INTERACT, NON, SEMI} <= times.keys():
        return
    slower = times[SEMI].question / times[NON].question
    faster = times[INTERACT].question / times[SEMI].question
    yield (
        f"A question with its {outcome.scale.task.candidates} candidates takes the semi-interactive"
        f" model {slower:.2f} times as long as the non-interactive one"
        f" ({'within' if slower <= SLOWER else 'above'} {SLOWER:g}), and the interactive one"
        f" {faster:.1f} times as long as that ({'at least' if faster >= FASTER else 'below'}"
        f" {FASTER:g}); documents are encoded before."
    )


def _percent(area: float) -> str:
    return f"{area * 100:.2f}"
