import subprocess
import sys

from dragoman.scores import kernels


def test_every_kernel_is_compiled_before_the_first_query():
    for kernel in (kernels.best, kernels.best_of_many, kernels.accumulate, kernels.transpose):
        assert kernel.signatures, kernel.__name__
        assert not kernel._can_compile, "an explicit signature leaves nothing to compile later"


def test_the_machine_code_is_kept_on_disk():
    code = "from dragoman.scores import kernels; print(kernels.best.stats.cache_hits.total())"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert int(printed.stdout) == 1
