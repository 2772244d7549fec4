from contextlib import contextmanager

import pytest

from dragoman.experiments.engine import experiment
from dragoman.experiments.engine.report import report
from dragoman.experiments.tasks import read_afriqa


@pytest.mark.usefixtures("encoder")
def test_every_table_of_the_engine_is_measured_once(data, packages, monkeypatch):
    stages = []

    @contextmanager
    def progress(what, steps):
        done = []
        yield lambda n=1: done.append(n)
        stages.append((what, steps, sum(done)))

    def collections(folder):
        yield read_afriqa(folder / "afriqa-sw", "sw")

    # XQuAD-R's paragraphs are not in the toy folder
    monkeypatch.setattr(experiment, "read_data_folder", collections)
    results = experiment.reproduce(data, [packages], None, 10, None, progress)
    assert [row.task.collection for row in results.rows] == ["afriqa-sw", "toy-packages"]
    assert [pool.name for pool, _ in results.pools] == [
        "xquad-r-sentences",
        "xquad-r-sentences-untranslated",
    ]
    assert [task.name for task, _ in results.rare_languages] == ["toy-packages"]
    assert results.students == []  # there is no bitext
    assert all(steps == done for _, steps, done in stages)
    assert "little of other languages: `toy-packages`" in report(results, "the command")
