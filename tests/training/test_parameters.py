import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.errors import InputError
from dragoman.training.parameters import (
    load_parameters,
    parameters_digest,
    write_parameters,
)


def test_what_is_written_is_loaded_bit_for_bit(tmp_path):
    first, second = torch.nn.Linear(3, 2), torch.nn.Linear(3, 2)
    assert parameters_digest(first) != parameters_digest(second)
    write_parameters(tmp_path / "model.safetensors", first)
    load_parameters(tmp_path / "model.safetensors", second, "a test")
    assert parameters_digest(first) == parameters_digest(second)


def test_parameters_of_another_model_and_damaged_files_are_told(tmp_path):
    path = tmp_path / "model.safetensors"
    write_parameters(path, torch.nn.Linear(3, 2))
    with pytest.raises(
        InputError, match=r"other parameters than the settings describe.*'train toy'"
    ):
        load_parameters(path, torch.nn.Linear(4, 2), "'train toy'")
    path.write_bytes(b"?")
    with pytest.raises(InputError, match="no tensors"):
        load_parameters(path, torch.nn.Linear(3, 2), "'train toy'")
