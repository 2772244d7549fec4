"""Small bitext for the tests of this folder."""

from hypothesis import strategies as st

from dragoman.lexicons.alignment.packed_bitext import WeightedPair, pack
from dragoman.protocols import no_progress

# The example of Koehn's "Statistical Machine Translation" (2010), section 4.2
KOEHN = [
    (["das", "haus"], ["the", "house"]),
    (["das", "buch"], ["the", "book"]),
    (["ein", "buch"], ["a", "book"]),
]


def packed(pairs, folder):
    folder.mkdir(parents=True, exist_ok=True)
    weighed = (WeightedPair(list(source), list(target), 1) for source, target in pairs)
    return pack(weighed, folder, no_progress)


def sentences(alphabet):
    return st.lists(st.sampled_from(alphabet), min_size=1, max_size=5)


def corpora(max_size=8):
    pair = st.tuples(sentences(["a", "b", "c", "d"]), sentences(["w", "x", "y", "z"]))
    return st.lists(pair, min_size=1, max_size=max_size)
