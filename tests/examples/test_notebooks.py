"""The notebooks run from the first cell to the last; nothing of Jupyter is needed for it."""

import ast
import json
import os
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from dragoman.encoders.models import UNIVERSAL

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))

pytestmark = pytest.mark.skipif(
    not UNIVERSAL.installed, reason="the default encoder is not installed"
)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """The names that the cells leave behind, and the value of each cell's last line."""
    place = tmp_path_factory.mktemp("notebook")
    (place / "sample").symlink_to(ROOT / "sample")
    before = Path.cwd()
    os.chdir(place)
    namespace, values = {}, []
    try:
        for number, cell in enumerate(cells(NOTEBOOKS[0])):
            tree = ast.parse("".join(cell["source"]))
            last = tree.body[-1]
            ends_with_value = isinstance(last, ast.Expr)
            body = tree.body[:-1] if ends_with_value else tree.body
            exec(compile(ast.Module(body, []), f"cell {number}", "exec"), namespace)  # noqa: S102
            if ends_with_value:
                code = compile(ast.Expression(last.value), f"cell {number}", "eval")
                values.append(eval(code, namespace))  # noqa: S307
        yield namespace, values
    finally:
        os.chdir(before)
        for index in namespace.get("indexes", {}).values():
            index.close()


def cells(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_a_notebook_has_ten_cells():
    for path in NOTEBOOKS:
        assert len(json.loads(path.read_text(encoding="utf-8"))["cells"]) == 10


def test_four_systems_are_compared(ran):
    namespace, _ = ran
    report = namespace["report"]
    assert [run.run for run in report.runs] == ["psq", "dense", "hybrid", "smooth"]
    for run in report.runs:
        mean = run.measures["nDCG@10"]
        assert 0 <= mean.low <= mean.mean <= mean.high < 1
        assert mean.queries == len(namespace["queries"]) > 30
    means = {run.run: run.measures["nDCG@10"].mean for run in report.runs}
    assert means["hybrid"] > max(means["psq"], means["dense"]) > means["smooth"]


def test_there_are_three_pictures(ran):
    _, values = ran
    assert sum(isinstance(value, Figure) for value in values) == 3
