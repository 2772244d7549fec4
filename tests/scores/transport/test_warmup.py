import subprocess
import sys

FIRST_SEARCH = """
import time
import numpy as np
from numba import njit
from scipy.sparse import eye_array
from dragoman.scores.transport import Corpus, WeightedBag, warm_up, nearest
njit("int64(int64)")(lambda number: number)  # numba's own start is not ours
{ahead}
corpus = Corpus.build(np.eye(9, dtype=np.float32), eye_array(9, format="csr", dtype=np.float32))
start = time.process_time()
nearest(corpus, WeightedBag(np.eye(9, dtype=np.float32), np.ones(9, np.float32)), 3, 0.1, threads=1)
print(time.process_time() - start)
"""


def seconds_of_a_first_search(cache, ahead=""):
    """Processor seconds, in a process and with a compiler's cache of its own."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_SEARCH.format(ahead=ahead)],
        env={"NUMBA_CACHE_DIR": str(cache), "PATH": "", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def test_a_first_search_waits_for_the_compiler_briefly_and_only_once(tmp_path):
    assert seconds_of_a_first_search(tmp_path) < 4  # generous: the machine may be busy
    assert list(tmp_path.rglob("*.nbc"))
    assert seconds_of_a_first_search(tmp_path) < 0.5


def test_nothing_is_left_to_compile_after_compiling_ahead(tmp_path):
    assert seconds_of_a_first_search(tmp_path, "warm_up()") < 0.5
