from contextlib import contextmanager

import pytest

from dragoman.experiments.engine.experiment import report
from dragoman.experiments.engine.run import measured


@pytest.mark.usefixtures("encoder")
def test_every_table_of_the_engine_is_measured_once(data, packages, monkeypatch):
    stages = []

    @contextmanager
    def progress(what, steps):
        done = []
        yield lambda n=1: done.append(n)
        stages.append((what, steps, sum(done)))

    def collections(folder):
        from dragoman.experiments.lexical.experiment import _afriqa

        yield _afriqa(folder / "afriqa-sw", "sw")

    # XQuAD-R's paragraphs are not in the toy folder
    monkeypatch.setattr("dragoman.experiments.engine.run.found_in", collections)
    results = measured(data, [packages], None, 10, None, progress)
    assert [row.task.collection for row in results.rows] == ["afriqa-sw", "toy-packages"]
    assert [asked.name for asked, _ in results.pools] == [
        "xquad-r-sentences",
        "xquad-r-sentences-untranslated",
    ]
    assert [flood.name for flood, _ in results.floods] == ["toy-packages"]
    assert results.students == []  # there is no bitext
    assert all(steps == done for _, steps, done in stages)
    assert "English floods the index: `toy-packages`" in report(results, "the command")
