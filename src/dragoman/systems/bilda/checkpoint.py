"""The state of a Gibbs sampler -> a folder, and back; training continues bit for bit.

FOLDER/training.json          format, settings, digest of the data, sweeps done
FOLDER/training.safetensors   the topic of every running word, the sum of samples
"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.numpy import load as tensors_from_bytes
from safetensors.numpy import save as tensors_to_bytes
from scipy.sparse import csr_array

from dragoman.errors import ConfigError, InputError
from dragoman.storage.facts import Format
from dragoman.storage.staging import staged_folder
from dragoman.systems.bilda.config import TopicConfig
from dragoman.systems.bilda.corpus import AlignedCorpus
from dragoman.systems.bilda.sampler import GibbsSampler

FORMAT = Format("dragoman-bilda-training", 1, "'dragoman train bilda'")
STATE, TENSORS = "training.json", "training.safetensors"


def save_checkpoint(folder: Path, sampler: GibbsSampler) -> None:
    """Write a checkpoint; an earlier one stays until the new one is complete."""
    tensors = {
        "drawn": sampler.assignments,
        "starts": sampler.sampled_counts.indptr.astype("int64"),
        "topics": sampler.sampled_counts.indices.astype("int32"),
        "tallies": sampler.sampled_counts.data,
    }
    state = {"done": sampler.sweeps_done, "perplexity": sampler.perplexity, **_facts(sampler)}
    with staged_folder(folder) as staged:
        (staged / TENSORS).write_bytes(tensors_to_bytes(tensors))
        FORMAT.write(staged / STATE, state)


def has_checkpoint(folder: Path) -> bool:
    """Whether ``folder`` holds a checkpoint."""
    return (folder / STATE).is_file()


def load_checkpoint(folder: Path, corpus: AlignedCorpus, config: TopicConfig) -> GibbsSampler:
    """The sampler saved in ``folder``; one with other data or settings is refused."""
    fresh = GibbsSampler(corpus, config)
    state = FORMAT.read(folder / STATE)
    for name, now in _facts(fresh).items():
        if state.get(name) != now:
            raise ConfigError(
                f"{folder}: the training there began with {name} {state.get(name)}, now it is"
                f" {now}. Use what it began with, or remove the folder to start again."
            )
    path = folder / TENSORS
    try:
        tensors = tensors_from_bytes(path.read_bytes())
        sparse = (tensors["tallies"], tensors["topics"], tensors["starts"])
        counts = csr_array(sparse, shape=fresh.sampled_counts.shape)
        done, perplexity = int(state["done"]), state["perplexity"]
        return GibbsSampler(corpus, config, tensors["drawn"], done, counts, perplexity)
    except (OSError, SafetensorError, KeyError) as error:
        raise InputError(
            path, None, found=f"no checkpoint ({error})", expected="a whole safetensors file"
        ) from error


def _facts(sampler: GibbsSampler) -> dict[str, Any]:
    settings = asdict(sampler.config)
    return {"data": sampler.corpus.digest, **settings.pop("schedule"), **settings}
