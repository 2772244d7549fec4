"""Which part of a pre-training is worth its time? The same steps with parts left out, one table.

    python benchmarks/pretraining.py ../shared/data/bitext [--teacher default]

Every row is a whole ``dragoman train encoder`` on the same pairs with the same number of steps:
processor seconds, accuracy of retrieving translations among the held-out pairs, AUC of comparing
them with exchanged pairs (both are means over the files of bitext) and the perplexity of masked
tokens, without and given the translation.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dragoman.encoders.sentence_encoder import load_encoder
from dragoman.training.pretraining.config import PretrainConfig, PretrainInit, pretrain_config
from dragoman.training.pretraining.pipeline import run_pipeline


def variants(config: PretrainConfig, teacher: str) -> list[tuple[str, PretrainConfig, str]]:
    """Name, settings and teacher of each row, from the plainest to the whole."""
    ranking = replace(config.objective, comparing=0.0)
    alone = replace(ranking, ranking=0.0)
    rows = [
        ("masked tokens alone", replace(config, first=PretrainInit.RANDOM, objective=alone), ""),
        ("  from shared vectors", replace(config, first=PretrainInit.SHARED, objective=alone), ""),
        ("and ranking", replace(config, first=PretrainInit.RANDOM, objective=ranking), ""),
        (
            "  from shared vectors",
            replace(config, first=PretrainInit.SHARED, objective=ranking),
            "",
        ),
        (
            "  from aligned vectors",
            replace(config, first=PretrainInit.ALIGNED, objective=ranking),
            "",
        ),
        ("and comparing", replace(config, first=PretrainInit.RANDOM), ""),
        ("  from aligned vectors", replace(config, first=PretrainInit.ALIGNED), ""),
    ]
    if teacher:
        rows.append(("  and a teacher", replace(config, first=PretrainInit.ALIGNED), teacher))
    return rows


def main() -> None:
    """Print the table, a row as soon as it is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bitext", nargs="+", type=Path)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--bag-epochs", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--held-out", type=int, default=500)
    parser.add_argument("--taught", type=int, default=20_000)
    parser.add_argument("--teacher", default="")
    options = parser.parse_args()
    config = pretrain_config(
        epochs=options.epochs,
        bag_epochs=options.bag_epochs,
        pairs=options.pairs,
        encoder={"size": options.size, "heads": 2, "inner": 4 * options.size},
        objective={"taught": options.taught},
    )
    config = replace(config, held_out=options.held_out)
    print(f"{options.epochs * config.steps:,} steps of {config.batch.size} pairs")
    print(f"{'':24s}  seconds  accuracy   ratio  comparing  perplexity    given")
    first = 0.0
    for name, one, teacher in variants(config, options.teacher):
        with TemporaryDirectory() as folder:
            began = time.process_time()
            encoder = load_encoder(teacher) if teacher else None
            report = run_pipeline(options.bitext, one, Path(folder) / "encoder", teacher=encoder)
            seconds = time.process_time() - began
        accuracy, perplexity = report["accuracy"], report["perplexity"]
        area = float(np.mean(list(report["comparing"].values())))
        first = first or accuracy
        print(
            f"{name:24s}  {seconds:7,.0f}  {accuracy:8.4f}  {accuracy / first:6.2f}"
            f"  {area:9.4f}  {perplexity['apart']:10,.1f}  {perplexity['together']:7,.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
