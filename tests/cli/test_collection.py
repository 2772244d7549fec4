"""``dragoman collection``: what is listed, what is built, what is answered to a wrong order."""

import gzip
import json

import pytest
from typer.testing import CliRunner

from dragoman.cli.collection import group
from dragoman.errors import ConfigError
from dragoman.registry import COLLECTIONS

PACKAGES = "Package: {0}\nSource: tools\nDescription-md5: {1:032x}\n"
ENGLISH = """Package: {0}
Description-md5: {1:032x}
Description-en: tool number {1}
 Reads the {0} letters of every sailor who came home late. It is quick.
"""
ITALIAN = """Package: {0}
Description-md5: {1:032x}
Description-it: strumento numero {1}
 Legge le lettere {0} di ogni marinaio tornato tardi. È rapido.
"""


@pytest.fixture
def lists(tmp_path):
    folder = tmp_path / "lists"
    folder.mkdir()
    for name, stanza in (
        ("binary-amd64_Packages", PACKAGES),
        ("Translation-en", ENGLISH),
        ("Translation-it", ITALIAN),
    ):
        content = "\n".join(stanza.format(f"tool{n}", n) for n in range(20))
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def test_the_list_names_every_collection():
    shown = CliRunner().invoke(group, ["list"])
    assert shown.exit_code == 0
    assert all(name in shown.stdout for name in COLLECTIONS)
    rows = json.loads(CliRunner().invoke(group, ["list", "--json"]).stdout)
    assert [row["name"] for row in rows] == list(COLLECTIONS)
    assert set(rows[0]) == {"name", "what", "languages", "size", "needs", "licence"}


def test_get_builds_a_folder_and_says_what_is_in_it(lists, tmp_path):
    target = tmp_path / "out"
    command = ["get", "debian-packages", "--languages", "en,it", "-o", str(target)]
    done = CliRunner().invoke(group, [*command, "--lists", str(lists), "--seed", "3"])
    assert done.exit_code == 0, done.output
    assert "aligned    en-it 20" in done.stdout
    assert "documents: 40 of 40" in done.stderr
    manifest = json.loads((target / "manifest.json").read_text())
    assert manifest["seed"] == 3
    with gzip.open(target / "corpus.jsonl.gz", "rt", encoding="utf-8") as stream:
        assert len(stream.readlines()) == 40
    done = CliRunner().invoke(group, [*command, "--lists", str(lists), "--json"])
    assert json.loads(done.stdout)["aligned"] == {"en-it": 20}


def test_a_wrong_order_is_an_answer(lists, tmp_path):
    command = ["get", "debian-packages", "-o", str(tmp_path / "out"), "--lists", str(lists)]
    done = CliRunner().invoke(group, [*command, "--languages", "it"])
    assert isinstance(done.exception, ConfigError)
    assert "expected en and at least one more" in str(done.exception)
    assert not (tmp_path / "out").exists()
