"""Naming rules: folder sizes, unique class names, tests that mirror src, names that resolve."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import dragoman

ROOT = Path(dragoman.__file__).parent
TESTS = Path(__file__).parent
PROJECT = TESTS.parent
MODULES = sorted(ROOT.rglob("*.py"))
FOLDERS = sorted({path.parent for path in MODULES})
READMES = sorted(ROOT.rglob("README.md"))
PAGES = [
    *READMES,
    *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "benchmarks/README.md")),
    *sorted((PROJECT / "docs").rglob("*.md")),
]

MOST_MODULES = 21  # in a folder: about twenty
BANNED = frozenset(
    {
        *("asked", "told", "kept", "said", "heard", "beside"),
        *("resident", "mirror", "echo", "survey", "nobody", "somebody"),
    }
)
BANNED_NOUNS = BANNED | {"found"}  # of modules and classes

# tests of several modules, of programs outside of src, or of the project itself
CROSS_CUTTING = (
    "test_docs.py",
    "test_imports.py",
    "test_naming.py",
    "test_papers.py",
    "test_sample.py",
    "browser/",
    "cluster/test_conformance.py",
    "cluster/test_faults.py",
    "cluster/test_machine_faults.py",
    "cluster/test_rolling_restart.py",
    "cluster/test_workers.py",
    "examples/",
    "indexes/faults/",
    "systems/test_conformance.py",
    "text/readers/test_file_corpus.py",
    "text/readers/test_fuzzing.py",
    "text/readers/test_licences.py",
    "tools/",
)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() or "."


def names_of(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("folder", FOLDERS, ids=relative)
def test_a_folder_has_few_modules(folder):
    assert len(names_of(folder)) <= MOST_MODULES


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


def test_class_names_are_unique():
    where: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.ClassDef):
                where.setdefault(node.name, []).append(relative(path))
    assert not {name: paths for name, paths in where.items() if len(paths) > 1}


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_identifiers_are_terms_of_the_field(path):
    banned = {name for name in identifiers(path) if words(name) & BANNED}
    nouns = {path.stem, *(n.name for n in ast.walk(parse(path)) if isinstance(n, ast.ClassDef))}
    banned |= {name for name in nouns if words(name) & BANNED_NOUNS}
    assert not banned


def identifiers(path: Path) -> set[str]:
    names = {path.stem, path.parent.name}
    for node in ast.walk(parse(path)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name) | ast.alias(asname=str(name)):
                names.add(name)
    return names


def words(name: str) -> set[str]:
    """The words of a name, in snake case or in camel case."""
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(PROJECT).as_posix())
def test_files_and_names_on_pages_exist(page):
    wrong = [
        f"line {number}: {code}"
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
        for code in [*missing_files(line, page), *missing_names(line, page)]
    ]
    assert not wrong


def missing_files(line: str, page: Path) -> list[str]:
    """The ``file.py`` or ``path/file.py`` in backticks that are not in src or the project."""
    files = re.findall(r"`((?:[\w-]+/)*[\w-]+\.py)`", line)
    return [file for file in files if source(file, page) is None]


def missing_names(line: str, page: Path) -> list[str]:
    """The names after ``module.py:`` in backticks that the module does not define."""
    missing = []
    for file, names in re.findall(r"`([\w/-]+\.py)`: ((?:`[\w.]+`(?:, )?)+)", line):
        path = source(file, page)
        for name in re.findall(r"`([\w.]+)`", names):
            if path is None or not defines(path, name):
                missing.append(f"{file}: {name}")
    return missing


def source(file: str, page: Path) -> Path | None:
    """The file that a page names: next to it, in the package, in ``tests`` or in the project."""
    for folder in (page.parent, ROOT, PROJECT):
        if (folder / file).is_file():
            return folder / file
    return None


def defines(path: Path, name: str) -> bool:
    """Whether a module defines a function, class, constant or member, as in ``Class.member``."""
    body: list[ast.stmt] = parse(path).body
    body += [member for node in body if isinstance(node, ast.ClassDef) for member in node.body]
    for part in name.split("."):
        nodes = [node for node in body if part in defined(node)]
        if not nodes:
            return False
        body = nodes[0].body if isinstance(nodes[0], ast.ClassDef) else []
    return True


def defined(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
        case ast.Assign(targets=targets):
            return {
                one.id
                for target in targets
                for one in ast.walk(target)
                if isinstance(one, ast.Name)
            }
    return set()
