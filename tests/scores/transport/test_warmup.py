import subprocess
import sys

FIRST_SEARCH = """
import numpy as np
from numba.core.event import install_recorder
from scipy.sparse import eye_array
from dragoman.scores.transport import Corpus, WeightedBag, warm_up, nearest
{ahead}
corpus = Corpus.build(np.eye(9, dtype=np.float32), eye_array(9, format="csr", dtype=np.float32))
query = WeightedBag(np.eye(9, dtype=np.float32), np.ones(9, np.float32))
with install_recorder("numba:compile") as compiled:
    nearest(corpus, query, 3, 0.1, threads=1)
print(len(compiled.buffer))
"""


def compilations_of_a_first_search(cache, ahead=""):
    """How often numba compiles, in a process and with a cache of its own."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_SEARCH.format(ahead=ahead)],
        env={"NUMBA_CACHE_DIR": str(cache), "PATH": "", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def test_a_first_search_waits_for_the_compiler_only_once(tmp_path):
    assert compilations_of_a_first_search(tmp_path) > 0
    assert list(tmp_path.rglob("*.nbc"))
    assert compilations_of_a_first_search(tmp_path) == 0


def test_nothing_is_left_to_compile_after_compiling_ahead(tmp_path):
    assert compilations_of_a_first_search(tmp_path, "warm_up()") == 0
