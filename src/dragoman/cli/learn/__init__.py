"""``dragoman learn``: translation tables, word vectors and student encoders from bitext."""

import typer

from dragoman.cli.learn.embeddings import learn_embeddings
from dragoman.cli.learn.encoder import learn_encoder
from dragoman.cli.learn.lexicon import learn_lexicon
from dragoman.cli.learn.table import learn_table

group = typer.Typer(
    no_args_is_help=True,
    help="Learn what a language pair needs from bitext or a dictionary.",
)
group.command("lexicon")(learn_lexicon)
group.command("table")(learn_table)
group.command("embeddings")(learn_embeddings)
group.command("encoder")(learn_encoder)
