"""What tables say of the paper's claims, and why, in words."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.experiments.semi_interactive.claims import ALL, Claim, summary, told, verdict
from dragoman.experiments.semi_interactive.plan import INTERACT, NON, SEMI, SEMI_KT
from dragoman.experiments.semi_interactive.reasons import Fit, _gaps, _limit, _teacher, fit
from dragoman.experiments.semi_interactive.runs import Result
from dragoman.experiments.semi_interactive.task import Asked
from dragoman.text.collections.splits import Split
from dragoman.types import Query

QUESTIONS = 40
CLAIM = Claim("One is above the other", SEMI, NON)


def task():
    asked = tuple(
        Asked(Query(f"{code}:{n}", "q", code), ("a", "b", "c", "d"), (2, 0, 0, 0), frozenset("b"))
        for code in ("de", "fr", "es")
        for n in range(QUESTIONS)
    )
    return SimpleNamespace(
        supervised=("de", "fr"),
        unsupervised=("es",),
        languages=("de", "fr", "es"),
        asked={Split.TEST: asked},
    )


def scores(first, rng, *, swapped=()):
    """Of every candidate by chance, of the right one higher by ``first`` (lower if swapped)."""
    found = rng.random((3, QUESTIONS, 4))
    for row, code in enumerate(("de", "fr", "es")):
        found[row, :, 0] += -first if code in swapped else first
    return found.ravel()


def result(name, values):
    epochs = ({"validation": {"AUC": 0.6}}, {"validation": {"AUC": 0.8}})
    return Result(name, {}, epochs, 1.0, values, None, 0.9, None)


def judged(upper, lower):
    return verdict(CLAIM, {SEMI: result(SEMI, upper), NON: result(NON, lower)}, task())


def test_a_claim_that_holds_everywhere():
    rng = np.random.default_rng(0)
    found = judged(scores(1.0, rng), scores(0.0, rng))
    assert found.status == "holds in every language, beyond chance"
    line = told(found, task())
    assert "AUC above in 2 of 2 languages with supervision (2 beyond chance)" in line
    assert "above in 1 of 1 languages without supervision (1 beyond chance)" in line
    assert f"mean {found.found['AUC'][ALL].gain * 100:+.2f} (paper +5.12)" in line
    assert "below" not in line
    assert next(summary([found])).startswith("Of 1 claims, 1 hold in every language and 0")


def test_a_claim_that_is_turned_round():
    rng = np.random.default_rng(0)
    found = judged(scores(0.0, rng), scores(1.0, rng))
    assert found.status == "does not hold: the opposite is the case"
    assert "below beyond chance in de, fr, es" in told(found, task())
    assert next(summary([found])).endswith("not shown or turned round: 1.")


def test_a_claim_that_holds_but_for_one_language():
    rng = np.random.default_rng(0)
    found = judged(scores(1.0, rng, swapped=["es"]), scores(0.0, rng))
    assert found.status == "holds on average, not in every language"
    assert "below beyond chance in es" in told(found, task())
    assert next(summary([found])).startswith("Of 1 claims, 0 hold in every language and 1")


def test_a_claim_that_chance_could_have_made():
    rng = np.random.default_rng(0)
    values = scores(0.5, rng)
    assert judged(values, values).status == "not shown"


def test_a_fit_is_what_the_scores_say():
    rng = np.random.default_rng(0)
    values = scores(5.0, rng)
    found = fit(result(SEMI, values), task().asked[Split.TEST], ("de", "fr"))
    assert (found.tested, found.sampled, found.hard) == (1, 1, 1)
    assert (found.best_epoch, found.epochs, found.trained) == (2, 2, 0.9)
    assert found.relevant == pytest.approx(5.5, abs=0.1)
    assert found.others == pytest.approx(0.5, abs=0.1)


def fitted(trained, tested):
    return Fit(trained, tested, 0.5, 0.5, tested, tested, 1, 1, 1.0)


@pytest.mark.parametrize(
    ("trained", "tested", "said"),
    [
        (0.95, 0.9, "is the upper limit: 90.00 on the test, the next is NON-INTERACT"),
        (0.6, 0.6, "has not even learnt its own pairs as well (60.00 against 90.00"),
        (0.99, 0.7, "learns them by heart"),
        (0.88, 0.79, "reading together has no advantage here"),
    ],
)
def test_why_the_interactive_model_is_or_is_not_the_limit(trained, tested, said):
    found = {INTERACT: fitted(trained, tested), NON: fitted(0.9, 0.8)}
    assert said in "".join(_limit(found))


def test_a_model_above_the_interactive_one_may_read_more_than_it():
    found = {INTERACT: fitted(0.9, 0.85), NON: fitted(0.9, 0.8), SEMI: fitted(0.9, 0.9)}
    told = "".join(_limit(found))
    assert "below SEMI-INTERACT. It is 5.00 points above NON-INTERACT: reading together" in told
    assert "read more" not in "".join(_limit({**found, "other": fitted(0.9, 0.95)}))


def test_what_a_teacher_passes_on():
    student, taught = fitted(0.9, 0.8), fitted(0.9, 0.82)
    weak = {INTERACT: fitted(0.9, 0.7), NON: student, SEMI: student, SEMI_KT: taught}
    assert "no better than its student (70.00 against 80.00" in "".join(_teacher(weak))
    good = {**weak, INTERACT: fitted(0.95, 0.9)}
    assert "10.00 points above SEMI-INTERACT" in "".join(_teacher(good))
    assert "passes +2.00 of them on" in "".join(_teacher(good))
    assert "NON-INTERACT 10.0" in "".join(_gaps(weak))
