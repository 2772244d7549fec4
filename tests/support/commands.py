"""Commands, run as a person runs them."""

from typer.testing import CliRunner

from dragoman.cli import app


def run(*arguments: object) -> str:
    """What a command that succeeds prints; its error is raised as it is."""
    done = CliRunner().invoke(app, list(map(str, arguments)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout
