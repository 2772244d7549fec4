"""Naming rules: folders instead of prefixes, tests that mirror src."""

from collections import Counter
from pathlib import Path

import pytest

import dragoman

ROOT = Path(dragoman.__file__).parent
TESTS = Path(__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
FOLDERS = sorted({path.parent for path in MODULES})

# tests of several modules, of programs outside of src, or of the project itself
CROSS_CUTTING = (
    "test_docs.py",
    "test_imports.py",
    "test_naming.py",
    "test_sample.py",
    "indexes/faults/",
    "systems/test_conformance.py",
    "tools/",
)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() or "."


def names_of(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("folder", FOLDERS, ids=relative)
def test_modules_that_share_a_prefix_have_a_folder(folder):
    prefixes = Counter(name.partition("_")[0] for name in names_of(folder))
    assert not [prefix for prefix, count in prefixes.items() if count >= 3]


def test_every_test_has_its_module():
    strangers = [
        path.relative_to(TESTS).as_posix()
        for path in sorted(TESTS.rglob("test_*.py"))
        if not path.relative_to(TESTS).as_posix().startswith(CROSS_CUTTING)
        and not mirrored(path.relative_to(TESTS))
    ]
    assert not strangers


def mirrored(test: Path) -> bool:
    """Whether a/b/test_c.py has a module a/b/c.py or a package a/b/c, or a/b/test_b.py one a/b."""
    folder, name = ROOT / test.parent, test.stem.removeprefix("test_")
    target = folder / name
    is_package = (target / "__init__.py").is_file()
    return target.with_suffix(".py").is_file() or is_package or folder.name == name
