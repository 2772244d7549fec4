"""``dragoman train``: from a collection or bitext to the model that a system ranks with."""

import typer

from dragoman.cli.train.bilda import train_bilda
from dragoman.cli.train.encoder import train_encoder
from dragoman.cli.train.searcher import train_searcher
from dragoman.cli.train.smooth import train_smooth
from dragoman.cli.train.transformer import train_transformer

group = typer.Typer(no_args_is_help=True, help="Train the model that a system ranks with.")
group.command("bilda")(train_bilda)
group.command("encoder")(train_encoder)
group.command("searcher")(train_searcher)
group.command("smooth")(train_smooth)
group.command("transformer")(train_transformer)
