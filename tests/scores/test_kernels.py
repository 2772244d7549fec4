import subprocess
import sys

import numpy as np

from dragoman.scores import kernels


def test_every_kernel_is_compiled_before_the_first_query():
    for kernel in (kernels.best, kernels.accumulate, kernels.transpose, kernels.largest):
        assert kernel.signatures, kernel.__name__
        assert not kernel._can_compile, "an explicit signature leaves nothing to compile later"


def test_the_first_posting_at_or_after_a_document_is_found():
    documents = np.array([1, 4, 4, 9, 30], dtype=np.int32)
    for wanted in range(32):
        expected = int(np.searchsorted(documents, wanted))
        assert kernels._first_at_least(documents, 0, 5, wanted) == expected


def test_the_machine_code_is_kept_on_disk():
    code = "from dragoman.scores import kernels; print(kernels.best.stats.cache_hits.total())"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert int(printed.stdout) == 1
