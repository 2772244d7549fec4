"""RowAdam against torch's Adam and SparseAdam."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.training import optimizer as module
from dragoman.training.optimizer import RowAdam, clip_gradients


def sparse(rows, values, size):
    return torch.sparse_coo_tensor(
        torch.tensor([rows]), torch.tensor(values), size, check_invariants=True
    )


def steps(rng, count=6):
    for _ in range(count):
        rows = rng.choice(10, size=4)  # a row may come twice
        yield rows.tolist(), rng.standard_normal((4, 3), dtype=np.float32).tolist()


def test_rows_move_as_with_sparse_adam():
    rng = np.random.default_rng(1)
    mine = torch.nn.Parameter(torch.ones(10, 3))
    theirs = torch.nn.Parameter(torch.ones(10, 3))
    ours, reference = RowAdam([mine], 0.1), torch.optim.SparseAdam([theirs], lr=0.1)
    for rows, values in steps(rng):
        mine.grad, theirs.grad = sparse(rows, values, (10, 3)), sparse(rows, values, (10, 3))
        ours.step()
        reference.step()
    np.testing.assert_allclose(mine.detach(), theirs.detach(), atol=1e-6)


def test_the_rows_of_other_devices_move_alike(monkeypatch):
    def by_torch(table, means, squares, rows, values, *settings):
        tensors = (table, means, squares, rows, values)
        module._update_rows(*map(torch.from_numpy, tensors), *settings)

    found = []
    for kernel in (module.adam_rows, by_torch):
        monkeypatch.setattr(module, "adam_rows", kernel)
        parameter = torch.nn.Parameter(torch.ones(10, 3))
        optimizer = RowAdam([parameter], 0.1)
        for rows, values in steps(np.random.default_rng(2)):
            parameter.grad = sparse(rows, values, (10, 3))
            optimizer.step()
        found.append(parameter.detach().numpy())
    np.testing.assert_allclose(found[0], found[1], atol=1e-6)


def test_dense_parameters_move_as_with_adam():
    mine = torch.nn.Parameter(torch.ones(4, 3))
    theirs = torch.nn.Parameter(torch.ones(4, 3))
    ours, reference = RowAdam([mine], 0.1), torch.optim.Adam([theirs], lr=0.1)
    for seed in range(6):
        gradient = torch.tensor(np.random.default_rng(seed).standard_normal((4, 3)))
        mine.grad = theirs.grad = gradient.float()
        ours.step()
        reference.step()
    np.testing.assert_allclose(mine.detach(), theirs.detach(), atol=1e-6)


def test_clipping_scales_all_gradients_together():
    dense, table = torch.nn.Parameter(torch.zeros(2)), torch.nn.Parameter(torch.zeros(5, 1))
    dense.grad = torch.tensor([3.0, 0.0])
    table.grad = sparse([1, 1], [[2.0], [2.0]], (5, 1))  # one row, together 4
    assert clip_gradients([dense, table], 1.0) == pytest.approx(5)
    assert dense.grad.tolist() == pytest.approx([0.6, 0])
    assert table.grad.coalesce().values().ravel().tolist() == pytest.approx([0.8])


def test_small_gradients_are_left_alone():
    dense = torch.nn.Parameter(torch.zeros(2))
    dense.grad = torch.tensor([0.3, 0.4])
    assert clip_gradients([dense], 1.0) == pytest.approx(0.5)
    assert dense.grad.tolist() == pytest.approx([0.3, 0.4])
