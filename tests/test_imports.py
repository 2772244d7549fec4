"""The house rule: imports point up the list of folders; rooms do not import each other."""

import ast
from pathlib import Path

import pytest

import dragoman

ROOT = Path(dragoman.__file__).parent
FLOORS = [
    *("errors", "types", "settings", "protocols"),
    *("registry", "compilation", "processors", "batches", "storage"),
    *(
        "text",
        "tokens",
        "lexicons",
        "encoders",
        "embeddings",
        "scores",
        "ranking",
        "indexes",
        "cluster",
        "metrics",
        "runs",
        "reports",
        "tuning",
        "workers",
    ),
    *("training", "systems", "experiments", "integrations", "service", "cli", "__main__"),
]
MODULES = sorted(
    path for path in ROOT.rglob("*.py") if path.relative_to(ROOT) != Path("__init__.py")
)


def floor(module: str) -> int:
    return FLOORS.index(module.split(".")[1])


def imported(path: Path) -> set[str]:
    """Every ``dragoman.x.y`` named by an import statement anywhere in the file."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} line {node.lineno}: a relative import"
            names.add(node.module or "")
    return {name for name in names if name.startswith("dragoman.")}


def own_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("dragoman", *parts)).removesuffix(".__init__")


@pytest.mark.parametrize("path", MODULES, ids=own_name)
def test_imports_point_up_the_list(path):
    below = {name for name in imported(path) if floor(name) > floor(own_name(path))}
    assert not below, f"{own_name(path)} imports {sorted(below)}, which stand below it"


@pytest.mark.parametrize("path", sorted((ROOT / "systems").glob("*/**/*.py")), ids=own_name)
def test_no_room_imports_another_room(path):
    room = own_name(path).split(".")[2]
    others = {
        name
        for name in imported(path)
        if name.startswith("dragoman.systems.") and name.split(".")[2] != room
    }
    assert not others or room == "hybrid", f"{own_name(path)} imports {sorted(others)}"


def test_no_file_is_longer_than_400_lines():
    long = {
        own_name(path): lines
        for path in MODULES
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert not long
