"""A training as it stands -> a folder, and back; it goes on bit for bit.

FOLDER/training.json          format, settings, data, sweeps done
FOLDER/training.safetensors   the topic of every running word, and what was sampled
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
from dragoman.systems.bilda.objective import Chain

FORMAT = Format("dragoman-bilda-training", 1, "'dragoman train bilda'")
STATE, TENSORS = "training.json", "training.safetensors"


def save_checkpoint(folder: Path, chain: Chain) -> None:
    """Write everything; an earlier checkpoint stays whole until the new one is."""
    tensors = {
        "drawn": chain.drawn,
        "starts": chain.sampled.indptr.astype("int64"),
        "topics": chain.sampled.indices.astype("int32"),
        "tallies": chain.sampled.data,
    }
    state = {"done": chain.done, "perplexity": chain.perplexity, **_facts(chain)}
    with staged_folder(folder) as staged:
        (staged / TENSORS).write_bytes(tensors_to_bytes(tensors))
        FORMAT.write(staged / STATE, state)


def has_checkpoint(folder: Path) -> bool:
    """Whether a training was saved in ``folder``."""
    return (folder / STATE).is_file()


def load_checkpoint(folder: Path, corpus: AlignedCorpus, config: TopicConfig) -> Chain:
    """The training in ``folder``; one of other data or settings is refused."""
    fresh = Chain(corpus, config)
    state = FORMAT.read(folder / STATE)
    for name, now in _facts(fresh).items():
        if state.get(name) != now:
            raise ConfigError(
                f"{folder}: the training there began with {name} {state.get(name)}, now it is"
                f" {now}. Go on with what it began with, or remove the folder to start again."
            )
    path = folder / TENSORS
    try:
        tensors = tensors_from_bytes(path.read_bytes())
        sampled = csr_array(
            (tensors["tallies"], tensors["topics"], tensors["starts"]), shape=fresh.sampled.shape
        )
        done, perplexity = int(state["done"]), state["perplexity"]
        return Chain(corpus, config, tensors["drawn"], done, sampled, perplexity)
    except (OSError, SafetensorError, KeyError) as error:
        raise InputError(
            path, None, found=f"no checkpoint ({error})", expected="a whole safetensors file"
        ) from error


def _facts(chain: Chain) -> dict[str, Any]:
    settings = asdict(chain.config)
    return {"data": chain.corpus.digest, **settings.pop("schedule"), **settings}
