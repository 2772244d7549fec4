"""An aligned corpus -> a topic model, with checkpoints: an interrupted training continues."""

from collections.abc import Callable
from pathlib import Path

from dragoman.systems.bilda.checkpoint import has_checkpoint, load_checkpoint, save_checkpoint
from dragoman.systems.bilda.config import TopicConfig
from dragoman.systems.bilda.corpus import AlignedCorpus
from dragoman.systems.bilda.model import TopicModel
from dragoman.systems.bilda.sampler import GibbsSampler, Sweep
from dragoman.training.interrupts import catch_interrupt

CHECKPOINT_EVERY = 25  # sweeps between two checkpoints


def train(
    corpus: AlignedCorpus,
    config: TopicConfig,
    checkpoint: Path | None = None,
    on_sweep: Callable[[Sweep], None] = lambda sweep: None,
) -> TopicModel:
    """The topic model after all sweeps of the schedule; continues from ``checkpoint`` if it exists.

    Ctrl-C completes the current sweep and saves it before it interrupts.
    """
    if checkpoint is not None and has_checkpoint(checkpoint):
        sampler = load_checkpoint(checkpoint, corpus, config)
    else:
        sampler = GibbsSampler(corpus, config)
    with catch_interrupt() as interrupt:
        for sweep in sampler.sweeps():
            on_sweep(sweep)
            if checkpoint and (interrupt.requested or sweep.number % CHECKPOINT_EVERY == 0):
                save_checkpoint(checkpoint, sampler)
            if interrupt.requested:
                raise _interruption(checkpoint)
    return sampler.model()


def _interruption(checkpoint: Path | None) -> KeyboardInterrupt:
    error = KeyboardInterrupt()
    if checkpoint is not None:
        error.add_note(f"The sweeps so far are in {checkpoint}: the same command resumes them.")
    return error
