"""``dragoman explain --lambdas``: Figure 1 of Balikas et al. 2018 on a small index."""

import json

import pytest
import typer
from typer.testing import CliRunner

import dragoman
from dragoman.cli.explain import explain
from dragoman.cli.render.plans import parse_lambdas
from dragoman.errors import ConfigError, UserError
from dragoman.types import Document
from toys import toy_encoder

app = typer.Typer()
app.command()(explain)
CATS = [
    Document("chat", "chat assis tapis", language="fr"),
    Document("other", "tapis chat assis", language="fr"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    home = tmp_path_factory.mktemp("plans")
    toy_encoder("en", {"cat": 0, "sits": 1, "mat": 2}).save(home / "en")
    toy_encoder("fr", {"chat": 0, "assis": 1, "tapis": 2}).save(home / "fr")
    settings = {
        "encoder": str(home / "en"),
        "students": [str(home / "fr")],
        "shipped_students": False,
    }
    dragoman.index(CATS, home / "index", system="wasserstein", settings=settings).close()
    return home / "index"


def run(*arguments):
    done = CliRunner(env={"COLUMNS": "80"}).invoke(app, [str(a) for a in arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.stdout


def test_little_regularisation_links_one_to_one_and_much_of_it_everything(folder):
    arguments = (folder, "cat sits mat", "chat", "--query-language", "en", "--json")
    plans = json.loads(run(*arguments, "--lambdas", "exact,0.1,100"))["plans"]
    assert list(plans) == ["exact", "lambda 0.1", "lambda 100"]
    pairs = {(link["query_word"], link["document_word"]) for link in plans["exact"]["links"]}
    assert pairs == {("cat", "chat"), ("sits", "assis"), ("mat", "tapis")}
    assert len(plans["lambda 100"]["links"]) == 9
    shares = [link["share"] for link in plans["lambda 100"]["links"]]
    assert max(shares) - min(shares) < 0.05
    assert plans["exact"]["score"] >= plans["lambda 0.1"]["score"] >= plans["lambda 100"]["score"]


def test_a_person_sees_links_and_a_picture_is_drawn(folder, tmp_path):
    output = tmp_path / "plan.png"
    printed = run(
        folder,
        "cat sits mat",
        "chat",
        "--query-language",
        "en",
        "--lambdas",
        "1,exact",
        "-o",
        output,
    )
    assert "lambda 1" in printed
    assert "cat → chat" in printed
    assert output.read_bytes().startswith(b"\x89PNG")


def test_lambdas_that_are_none_are_refused():
    with pytest.raises(ConfigError, match="expected numbers above 0"):
        parse_lambdas("much")


def test_an_index_without_transport_is_refused(tmp_path):
    dragoman.index(CATS, tmp_path / "psq", system="psq").close()
    with pytest.raises(UserError, match="--system wasserstein"):
        run(tmp_path / "psq", "cat", "chat", "--query-language", "en", "--lambdas", "1")


def test_a_document_that_is_not_there_is_said(folder):
    with pytest.raises(UserError, match="no document has the id 'dog'"):
        run(folder, "cat", "dog", "--query-language", "en", "--lambdas", "1")
