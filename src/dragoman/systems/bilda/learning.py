"""Aligned items -> a topic model, with checkpoints: a training that was stopped goes on."""

from collections.abc import Callable
from pathlib import Path

from dragoman.systems.bilda.checkpoint import has_checkpoint, load_checkpoint, save_checkpoint
from dragoman.systems.bilda.config import TopicConfig
from dragoman.systems.bilda.corpus import AlignedCorpus
from dragoman.systems.bilda.model import TopicModel
from dragoman.systems.bilda.objective import Chain, Sweep
from dragoman.training.interrupts import interrupts

KEPT_EVERY = 25  # sweeps between two checkpoints


def learn(
    corpus: AlignedCorpus,
    config: TopicConfig,
    checkpoint: Path | None = None,
    on_sweep: Callable[[Sweep], None] = lambda sweep: None,
) -> TopicModel:
    """Sweep until the schedule ends; what ``checkpoint`` holds of the same training is not redone.

    Ctrl-C ends the sweep at hand and keeps it before it interrupts.
    """
    if checkpoint is not None and has_checkpoint(checkpoint):
        chain = load_checkpoint(checkpoint, corpus, config)
    else:
        chain = Chain(corpus, config)
    with interrupts() as asked:
        for sweep in chain.sweeps():
            on_sweep(sweep)
            if checkpoint and (asked.to_stop or sweep.number % KEPT_EVERY == 0):
                save_checkpoint(checkpoint, chain)
            if asked.to_stop:
                raise KeyboardInterrupt
    return chain.model()
