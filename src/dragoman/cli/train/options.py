"""Options that the ``dragoman train`` commands share."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli.inputs import readable

TrainingBitext = Annotated[
    list[Path],
    typer.Argument(
        metavar="BITEXT...",
        help="Sentence pairs: .tsv or .tmx files (also .gz, .zst), or folders of them.",
        show_default=False,
        callback=readable,
    ),
]
Epochs = Annotated[
    int | None,
    typer.Option(min=0, help="Epochs at most; after each the model is evaluated and saved."),
]
BatchSize = Annotated[int | None, typer.Option("--batch", min=1, help="Examples per step.")]
ContrastiveBatchSize = Annotated[
    int | None,
    typer.Option(
        "--batch", min=2, help="Sentence pairs per step; each is compared with the others."
    ),
]
LearningRate = Annotated[float | None, typer.Option(help="Adam's learning rate, at its peak.")]
Patience = Annotated[
    int | None,
    typer.Option(
        min=0, help="Stop after this many epochs without improvement; 0 trains all epochs."
    ),
]
Dimension = Annotated[int | None, typer.Option("--size", min=1, help="Embedding dimension.")]
Restart = Annotated[
    bool, typer.Option("--restart", help="Begin anew instead of resuming an interrupted training.")
]
