import numpy as np
import pytest

from dragoman.experiments.engine.ablation import (
    STEPS,
    ablation_markdown,
    compare_steps,
)
from dragoman.experiments.tasks import RetrievalTask, TaskCollection
from dragoman.types import Document, Query


@pytest.fixture
def collection():
    documents = tuple(
        Document(f"{language}-{article}-0", text, language=language)
        for article, pair in enumerate([("the house", "nyumba"), ("water", "maji")])
        for language, text in zip(("en", "sw"), pair, strict=True)
    )
    queries = (Query("q0", "nyumba?", "sw"), Query("q1", "maji?", "sw"), Query("q2", "x?", "sw"))
    judgments = {
        "q0": {"en-0-0": 2, "en-1-0": 1},
        "q1": {"en-1-0": 2},
        "q2": {"en-0-0": 1},  # its own paragraph is not there
    }
    return TaskCollection("toy", documents, (RetrievalTask("toy", "sw", "en", queries, judgments),))


@pytest.mark.usefixtures("encoder")
def test_every_step_is_measured_on_both_halves(collection):
    done = []
    rows = compare_steps(collection, advance=lambda n=1: done.append(n))
    assert [row.step for row in rows] == [*STEPS]
    assert sum(done) == len(STEPS)
    assert all(0 <= mean <= 1 for row in rows for mean in row.means)
    assert rows[0].means == (1.0, 1.0)  # psq: a table has both words
    assert [row.gain is None for row in rows] == [True] * 3 + [False] * (len(STEPS) - 3)
    for row in rows[3:]:
        mean, interval = row.gain
        assert interval.low <= mean + 1e-12
        assert mean <= interval.high + 1e-12
        assert np.isfinite(mean)
    table = ablation_markdown(collection, rows)
    assert len(table) == 4 + len(STEPS)
