"""``dragoman train``: from a collection or bitext to the model that a system ranks with."""

import typer

from dragoman.cli.train.bilda import train_bilda
from dragoman.cli.train.encoder import train_encoder
from dragoman.cli.train.searcher import train_searcher
from dragoman.cli.train.semi_interactive import interactive, non_interactive, semi_interactive
from dragoman.cli.train.smooth import train_smooth

group = typer.Typer(no_args_is_help=True, help="Train the model that a system ranks with.")
group.command("bilda")(train_bilda)
group.command("encoder")(train_encoder)
group.command("interactive")(interactive)
group.command("non-interactive")(non_interactive)
group.command("searcher")(train_searcher)
group.command("semi-interactive")(semi_interactive)
group.command("smooth")(train_smooth)
