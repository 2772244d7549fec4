from importlib.metadata import version

from dragoman.runs.platform_facts import platform_facts


def test_every_library_is_named_once_with_its_version():
    libraries = platform_facts()["software"]["libraries"]["python"]
    names = [one.partition("==")[0].lower() for one in libraries]
    assert len(names) == len(set(names))
    assert f"numpy=={version('numpy')}" in libraries


def test_tools_of_development_are_left_out():
    libraries = platform_facts()["software"]["libraries"]["python"]
    assert not [one for one in libraries if one.startswith(("pytest", "ruff", "mypy"))]
