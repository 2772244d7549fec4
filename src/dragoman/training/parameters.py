"""The parameters of a model <-> a safetensors file, and their digest."""

from hashlib import sha256
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load as tensors_from_bytes
from safetensors.torch import save as tensors_to_bytes
from torch import Tensor, nn

from dragoman.errors import InputError


def parameters(model: nn.Module) -> dict[str, Tensor]:
    """All tensors of a model by name, on the CPU."""
    return {name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}


def parameters_digest(model: nn.Module) -> bytes:
    """A digest, equal for models with the same tensors under the same names."""
    digest = sha256()
    for name, tensor in sorted(parameters(model).items()):
        digest.update(name.encode() + tensor.numpy().tobytes())
    return digest.digest()


def write_parameters(path: Path, model: nn.Module) -> None:
    """Write what ``load_parameters`` reads."""
    path.write_bytes(tensors_to_bytes(parameters(model)))


def load_parameters(path: Path, model: nn.Module, written_by: str) -> None:
    """Load saved parameters into ``model``; other names or shapes are refused."""
    try:
        model.load_state_dict(read_tensors(path))
    except RuntimeError as error:
        raise InputError(
            path,
            None,
            found="other parameters than the settings describe",
            expected=f"the file that {written_by} wrote",
        ) from error


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file."""
    try:
        return tensors_from_bytes(path.read_bytes())
    except (OSError, SafetensorError) as error:
        raise InputError(
            path, None, found=f"no tensors ({error})", expected="a whole safetensors file"
        ) from error
