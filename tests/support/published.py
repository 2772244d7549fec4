"""Small files in the published formats of word vectors."""

import gzip
import pickle

import numpy as np

WORDS = ("chat", "l'eau", "Ελλάδα", "北京", "ice_cream")
MATRIX = np.random.default_rng(5).normal(size=(len(WORDS), 6)).astype(np.float32)


def lines(words=WORDS, matrix=MATRIX):
    return [
        " ".join([word, *(repr(float(x)) for x in row)])
        for word, row in zip(words, matrix, strict=True)
    ]


def write_text(path, header=True, words=WORDS, ending="\n"):
    head = [f"{len(words)} {MATRIX.shape[1]}"] if header else []
    raw = "".join(line + ending for line in [*head, *lines(words)]).encode()
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


def write_binary(path, line_ends=True, words=WORDS):
    raw = f"{len(words)} {MATRIX.shape[1]}\n".encode()
    for word, row in zip(words, MATRIX, strict=True):
        raw += word.encode() + b" " + row.astype("<f4").tobytes() + (b"\n" if line_ends else b"")
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


def uris(language="fr"):
    return [f"/c/{language}/{word}" for word in WORDS]


def write_polyglot(path, protocol=2, words=WORDS, matrix=MATRIX):
    path.write_bytes(pickle.dumps((tuple(words), matrix), protocol=protocol))
    return path


def write_polyglot_of_python_2(path):
    """The instructions that Python 2.7 with cPickle, protocol 2, writes for such a pair."""

    def text(word):
        raw = word.encode()
        return b"X" + len(raw).to_bytes(4, "little") + raw

    data = MATRIX.astype("<f4").tobytes()
    shape = b"K" + bytes([MATRIX.shape[0]]) + b"K" + bytes([MATRIX.shape[1]]) + b"\x86"
    path.write_bytes(
        b"\x80\x02("
        + b"".join(text(word) + b"q\x01" for word in WORDS)
        + b"tq\x02cnumpy.core.multiarray\n_reconstruct\nq\x03cnumpy\nndarray\nq\x04"
        + b"K\x00\x85q\x05U\x01bq\x06\x87q\x07Rq\x08(K\x01"
        + shape
        + b"q\x09cnumpy\ndtype\nq\x0aU\x02f4q\x0bK\x00K\x01\x87q\x0cRq\x0d"
        + b"(K\x03U\x01<q\x0eNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tq\x0fb\x89"
        + b"T"
        + len(data).to_bytes(4, "little")
        + data
        + b"q\x10tq\x11b\x86q\x12."
    )
    return path


def write_hdf5(path, labels=None, matrix=MATRIX):
    import h5py

    with h5py.File(path, "w") as file:
        raw = np.array([label.encode() for label in labels or uris()])
        file.create_dataset("mat/axis1", data=raw)
        file.create_dataset("mat/block0_values", data=matrix)
    return path
