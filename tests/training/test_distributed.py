"""Two processes on one machine train as one process does with batches twice as large."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("accelerate", reason="needs the extra neural")

import torch

from dragoman.training.config import TrainConfig
from dragoman.training.trainer import Trainer
from training_examples import Examples, Scorer

SCRIPT = """
import json, sys
import torch
torch.set_num_threads(1)
from test_distributed import trained
model, main = trained(8)
if main:
    print(json.dumps({name: t.tolist() for name, t in model.state_dict().items()}))
"""


def trained(batch: int) -> tuple[torch.nn.Module, bool]:
    examples, model = Examples(size=32, batch=batch), Scorer()
    model.dropout.p = 0.0  # each process draws its own
    config = TrainConfig(epochs=2, learning_rate=0.05)
    fitting = Trainer(model, examples, examples.loss, config)
    fitting.run()
    return model, fitting.accelerator.is_main_process


def test_two_processes_do_what_one_does_with_larger_batches(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    support = Path(__file__).parents[1] / "support"
    paths = [str(Path(__file__).parent), str(support), os.environ.get("PYTHONPATH", "")]
    launch = ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
    command = [sys.executable, *launch, str(script)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=240, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    together = json.loads(done.stdout.splitlines()[-1])
    alone, _ = trained(16)
    for name, tensor in alone.state_dict().items():
        np.testing.assert_allclose(np.array(together[name]), tensor.numpy(), atol=1e-5)
