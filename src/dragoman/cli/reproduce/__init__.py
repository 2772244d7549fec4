"""``dragoman reproduce``: the tables of the papers and of the engine, measured again."""

import typer

from dragoman.cli.reproduce.ablation import reproduce_ablation
from dragoman.cli.reproduce.claims import reproduce_claims
from dragoman.cli.reproduce.engine import reproduce_engine
from dragoman.cli.reproduce.every_experiment import reproduce_all
from dragoman.cli.reproduce.lexical import reproduce_lexical
from dragoman.cli.reproduce.searcher import reproduce_searcher
from dragoman.cli.reproduce.semi_interactive import reproduce_semi_interactive
from dragoman.cli.reproduce.smooth import reproduce_smooth
from dragoman.cli.reproduce.transport import reproduce_transport
from dragoman.cli.reproduce.wasserstein import reproduce_wasserstein

group = typer.Typer(
    no_args_is_help=True, help="Measure the project's tables again and write them to a page."
)
group.command("all")(reproduce_all)
group.command("ablation")(reproduce_ablation)
group.command("claims")(reproduce_claims)
group.command("engine")(reproduce_engine)
group.command("lexical")(reproduce_lexical)
group.command("searcher")(reproduce_searcher)
group.command("semi-interactive")(reproduce_semi_interactive)
group.command("smooth")(reproduce_smooth)
group.command("transport")(reproduce_transport)
group.command("wasserstein")(reproduce_wasserstein)
