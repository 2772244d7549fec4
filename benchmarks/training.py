"""How fast is a step of smooth learning beside plain PyTorch, and what does the vocabulary cost?

    python benchmarks/training.py COLLECTION --languages en-it

The peer is what a textbook would write: embeddings with dense gradients, texts padded to the
longest of the batch and masked, torch.optim.Adam. Both train on the same batches of the
collection's pairs, in turns, in one process; the least time of all rounds counts. From the second
row on, the vocabulary has grown by words that no text has.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import torch
from accelerate import Accelerator
from torch import Tensor, nn

from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.losses import SmoothOrdinalSearchLoss
from dragoman.systems.smooth.objective import SmoothObjective
from dragoman.systems.smooth.training import (
    SmoothDataset,
    build_dataset,
    initial_model,
    training_batches,
)
from dragoman.systems.smooth.training_data import JudgedPairs, read_training_data
from dragoman.systems.smooth.vocabulary import SmoothTokenizer, SmoothVocabulary, TokenizedTexts
from dragoman.text.collection import Collection
from dragoman.text.languages import parse_pair
from dragoman.training.loop import run_epoch
from dragoman.training.optimizer import RowAdam


class Plain(nn.Module):
    """Average pooling over padded texts."""

    def __init__(self, queries: int, documents: int, dimension: int) -> None:
        super().__init__()
        self.queries = nn.Embedding(queries, dimension, padding_idx=0)
        self.documents = nn.Embedding(documents, dimension, padding_idx=0)

    def forward(self, queries: Tensor, documents: Tensor, epsilon: float) -> Tensor:
        """The smooth cosine of each pair."""
        left, right = self._pooled(self.queries, queries), self._pooled(self.documents, documents)
        norms = (left.norm(dim=1) + epsilon) * (right.norm(dim=1) + epsilon)
        scores: Tensor = (left * right).sum(dim=1) / norms
        return scores

    @staticmethod
    def _pooled(table: nn.Embedding, words: Tensor) -> Tensor:
        lengths = (words > 0).sum(dim=1, keepdim=True).clamp_min(1)
        return torch.tanh(table(words).sum(dim=1) / lengths)


def padded(texts: TokenizedTexts, rows: np.ndarray) -> Tensor:
    """Some texts as a matrix, with zeros after their ends."""
    sequences = texts.sequences
    parts = [
        torch.from_numpy(sequences.words[sequences.starts[row] : sequences.starts[row + 1]])
        for row in rows
    ]
    return nn.utils.rnn.pad_sequence(parts, batch_first=True).long()


def plain_steps(dataset: SmoothDataset, config: SmoothConfig) -> Iterator[None]:
    """Updates of the peer, one after the other."""
    asked, found = dataset.vocabularies
    model = Plain(len(asked), len(found), config.model.dimension)
    optimizer = torch.optim.Adam(model.parameters(), lr=config.train.learning_rate)
    loss = SmoothOrdinalSearchLoss()
    batch: JudgedPairs
    for batch in training_batches(dataset, config).epoch(0):
        queries = padded(dataset.queries, batch.queries)
        documents = padded(dataset.documents, batch.documents)
        scores = model(queries, documents, config.model.epsilon)
        value = loss(scores, torch.from_numpy(batch.grades)).mean()
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        yield


def our_steps(dataset: SmoothDataset, config: SmoothConfig) -> Iterator[object]:
    """Updates of the project's loop."""
    model = initial_model(dataset, config, {})
    optimizer = RowAdam(model.parameters(), config.train.learning_rate)
    objective = SmoothObjective(dataset.queries, dataset.documents, SmoothOrdinalSearchLoss())
    batches = training_batches(dataset, config)
    return run_epoch(
        model, batches, objective, optimizer, config.train, Accelerator(cpu=True), epoch=0
    )


def milliseconds(runs: dict[str, Iterator[object]], steps: int, rounds: int) -> dict[str, float]:
    """The least mean time of a step over all rounds, in which all take turns."""
    least = dict.fromkeys(runs, float("inf"))
    for run in runs.values():
        list(islice(run, 5))  # compilers and allocators have their say before the clock starts
    for _ in range(rounds):
        for name, run in runs.items():
            started = time.perf_counter()
            done = len(list(islice(run, steps)))
            least[name] = min(least[name], 1000 * (time.perf_counter() - started) / done)
    return least


def grown(dataset: SmoothDataset, rows: int) -> SmoothDataset:
    """The same texts with vocabularies of at least ``rows`` words."""
    vocabularies = []
    for vocabulary in dataset.vocabularies:
        language, words = next(iter(vocabulary.words.items()))
        more = tuple(f"\0{n}" for n in range(rows - len(vocabulary)))
        vocabularies.append(SmoothVocabulary({**vocabulary.words, language: (*words, *more)}))
    return replace(dataset, vocabularies=(vocabularies[0], vocabularies[1]))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection")
    parser.add_argument("--languages", default="en-it")
    parser.add_argument("--sizes", default="100000,200000,400000")
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=4)
    options = parser.parse_args()
    config = SmoothConfig()
    data = read_training_data(
        Collection.open(options.collection),
        SmoothTokenizer(config.model),
        parse_pair(options.languages),
    )
    dataset = build_dataset(data, config, {})
    pairs = config.batch.size
    sizes = " + ".join(f"{len(vocabulary):,}" for vocabulary in dataset.vocabularies)
    print(
        f"{torch.get_num_threads()} threads, batches of {pairs} pairs, {config.model.dimension}"
        " dimensions\n"
    )
    print(
        f"{'words with a vector':>22s}  {'dragoman ms':>11s}  {'plain ms':>9s}  {'plain/ours':>10s}"
        f"  {'pairs/s':>9s}"
    )
    for label, made in [
        (sizes, dataset),
        *((f"2 x {int(size):,}", grown(dataset, int(size))) for size in options.sizes.split(",")),
    ]:
        runs = {"ours": our_steps(made, config), "plain": plain_steps(made, config)}
        found = milliseconds(runs, options.steps, options.rounds)
        ratio = found["plain"] / found["ours"]
        print(
            f"{label:>22s}  {found['ours']:11.2f}  {found['plain']:9.2f}  {ratio:10.1f}"
            f"  {1000 * pairs / found['ours']:9,.0f}"
        )


if __name__ == "__main__":
    main()
