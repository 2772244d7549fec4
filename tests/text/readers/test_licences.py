"""Readers use libraries under permissive licences only, and these use no others."""

import re
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
PERMISSIVE = re.compile(
    "MIT|BSD|Apache|PSF|Python Software Foundation|ISC|Zlib|Unlicense|Public Domain|dependency"
)
RESTRICTIVE = re.compile("GPL|General Public|MPL|Mozilla|EUPL|CDDL|EPL|Eclipse|SSPL")
# distributions that declare several licences for several files, and files that none may hold
MIXED = {"docutils": ".el"}  # its mode for Emacs is under the GPL; its package leaves that out
READERS_USE = ("charset-normalizer", "defusedxml", "zstandard")


def pulled_in(requirements: list[str]) -> dict[str, Distribution]:
    """Every distribution that requirements lead to, by name."""
    waiting, found = [Requirement(one) for one in requirements], {}
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        if name not in found and (one.marker is None or one.marker.evaluate({"extra": ""})):
            found[name] = distribution(name)
            waiting += [Requirement(each) for each in found[name].requires or ()]
    return found


def declared(one: Distribution) -> list[str]:
    """The licences that a distribution declares: an expression, else its own field and labels."""
    if expression := one.metadata.get("License-Expression"):
        return re.split(r" AND | OR |[()]", expression)
    named = (one.metadata.get("License") or "").split("\n")[0]
    labels = [
        label.rpartition(":: ")[2]
        for label in one.metadata.get_all("Classifier") or ()
        if label.startswith("License ::")
    ]
    return [each.strip() for each in (*named.split(","), *labels) if each.strip()]


@pytest.fixture(scope="module")
def libraries():
    return pulled_in([*PROJECT["optional-dependencies"]["files"], *READERS_USE])


def test_every_library_of_the_readers_is_under_a_permissive_licence(libraries):
    assert {"docutils", "mdurl", "et-xmlfile", "anyio"} <= {*libraries}  # indirect ones too
    for name, one in libraries.items():
        licences = [each for each in declared(one) if each]
        assert licences, f"{name} declares no licence"
        for licence in licences:
            if name not in MIXED:
                assert PERMISSIVE.search(licence), f"{name}: {licence}"
                assert not RESTRICTIVE.search(licence), f"{name}: {licence}"


@pytest.mark.parametrize("name", MIXED)
def test_a_library_of_mixed_licences_is_installed_without_its_restricted_files(name, libraries):
    files = libraries[name].files
    assert files
    assert not [one for one in files if one.suffix == MIXED[name]]
    assert any(PERMISSIVE.search(licence) for licence in declared(libraries[name]))


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("MIT License", True),
        ("BSD-3-Clause", True),
        ("GPL-3.0-only", False),
        ("GNU Lesser General Public License v3 (LGPLv3)", False),
        ("AGPL-3.0", False),
        ("MPL-2.0", False),
        ("Proprietary", False),
    ],
)
def test_the_patterns_tell_licences_apart(licence, allowed):
    assert bool(PERMISSIVE.search(licence) and not RESTRICTIVE.search(licence)) == allowed
