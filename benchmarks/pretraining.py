"""Which part of a pre-training is worth its time? The same steps with parts left out, one table.

    python benchmarks/pretraining.py ../shared/data/bitext [--teacher default]

Every row is a whole ``dragoman train encoder`` on the same pairs with the same number of steps:
processor seconds, translations found among the held-out pairs, translations told from exchanged
pairs (AUC; both are means over the files of bitext) and the perplexity of hidden tokens, by
themselves and beside the translation.
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
        ("hidden tokens alone", replace(config, first=PretrainInit.DRAWN, objective=alone), ""),
        ("  from shared vectors", replace(config, first=PretrainInit.SHARED, objective=alone), ""),
        ("and ranking", replace(config, first=PretrainInit.DRAWN, objective=ranking), ""),
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
        ("and comparing", replace(config, first=PretrainInit.DRAWN), ""),
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
    asked = parser.parse_args()
    config = pretrain_config(
        epochs=asked.epochs,
        bag_epochs=asked.bag_epochs,
        pairs=asked.pairs,
        encoder={"size": asked.size, "heads": 2, "inner": 4 * asked.size},
        objective={"taught": asked.student_languages},
    )
    config = replace(config, held_out=asked.held_out)
    print(f"{asked.epochs * config.steps:,} steps of {config.batch.size} pairs")
    print(f"{'':24s}  seconds  accuracy   ratio  comparing  perplexity   beside")
    first = 0.0
    for name, one, teacher in variants(config, asked.teacher):
        with TemporaryDirectory() as folder:
            began = time.process_time()
            encoder = load_encoder(teacher) if teacher else None
            report = run_pipeline(asked.bitext, one, Path(folder) / "encoder", teacher=encoder)
            seconds = time.process_time() - began
        accuracy, perplexity = report["accuracy"], report["perplexity"]
        told = float(np.mean(list(report["comparing"].values())))
        first = first or accuracy
        print(
            f"{name:24s}  {seconds:7,.0f}  {accuracy:8.4f}  {accuracy / first:6.2f}"
            f"  {told:9.4f}  {perplexity['apart']:10,.1f}  {perplexity['together']:7,.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
