"""Arrays in one file: what was written is read, and every flipped byte is noticed."""

import json
import zlib

import numpy as np
import pytest

from dragoman.storage.array_file import (
    ALIGNMENT,
    BLOCK,
    MAGIC,
    TAIL,
    ArrayFile,
    DamagedFile,
    MemoryArrays,
    write_array_file,
)

ARRAYS = {
    "long": np.arange(3 * BLOCK, dtype=np.int32),
    "rows": np.arange(70, dtype=np.float16).reshape(10, 7),
    "empty": np.zeros((0, 5), np.float32),
    "none": np.zeros(0, np.int64),
    "flags": np.array([True, False, True]),
}


@pytest.fixture
def path(tmp_path):
    with write_array_file(tmp_path / "arrays") as writer:
        for name, array in ARRAYS.items():
            writer.add(name, array)
        writer.finish({"languages": [["de", 0, 3]], "name": "é"})
    return tmp_path / "arrays"


def test_arrays_are_read_as_they_were_written(path):
    file = ArrayFile(path)
    assert file.facts == {"languages": [["de", 0, 3]], "name": "é"}
    assert file.size == path.stat().st_size
    for name, array in ARRAYS.items():
        read = file.read(name)
        assert read.dtype == array.dtype
        assert not read.flags.writeable
        np.testing.assert_array_equal(read, array)


def test_arrays_are_aligned(path):
    file = ArrayFile(path)
    assert all(array.ctypes.data % ALIGNMENT == 0 for array in file.arrays.values() if array.size)


@pytest.mark.parametrize("size", [1, BLOCK - len(MAGIC), BLOCK, BLOCK + 1, 5 * BLOCK + 3])
def test_a_stream_of_chunks_is_one_array(tmp_path, size):
    whole = np.random.default_rng(size).integers(0, 256, size).astype(np.uint8)
    for parts in (1, 2, 7):
        with write_array_file(tmp_path / "streamed") as writer:
            chunks = np.array_split(whole, min(parts, size))
            writer.stream("bytes", whole.dtype, (), iter(chunks))
            identity = writer.finish({})
        file = ArrayFile(tmp_path / "streamed")
        file.check()
        assert file.identity == identity
        np.testing.assert_array_equal(file.read("bytes"), whole)


def test_every_flipped_byte_is_noticed(path):
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    start, length, _, _ = TAIL.unpack(whole[-TAIL.size :])
    covered = json.loads(whole[start : start + length])["covered"]
    chosen = [*rng.integers(0, covered, 60), *range(covered, len(whole)), *range(len(MAGIC))]
    for position in map(int, chosen):
        with path.open("r+b") as stream:
            stream.seek(position)
            stream.write(bytes([whole[position] ^ (1 << int(rng.integers(8)))]))
        with pytest.raises(DamagedFile, match=str(path)):
            ArrayFile(path).check()
        with path.open("r+b") as stream:
            stream.seek(position)
            stream.write(whole[position : position + 1])
    ArrayFile(path).check()


def test_a_file_that_is_cut_off_is_refused(path):
    whole = path.read_bytes()
    for size in (0, 1, len(MAGIC), len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(DamagedFile, match="expected the bytes that were written"):
            ArrayFile(path).check()


def test_only_blocks_that_are_read_are_checked(path):
    data = bytearray(path.read_bytes())
    data[5 * BLOCK] ^= 1
    path.write_bytes(data)
    file = ArrayFile(path)
    file.check_rows("long", np.array([0, 100]), np.array([50, 100]))
    np.testing.assert_array_equal(file.read("rows"), ARRAYS["rows"])
    with pytest.raises(DamagedFile, match=f"{5 * BLOCK:,}"):
        file.check_rows("long", np.array([0]), np.array([2 * BLOCK]))
    with pytest.raises(DamagedFile, match=f"{5 * BLOCK:,}"):
        file.read("long")


def test_a_block_is_checked_once(path):
    file = ArrayFile(path)
    file.check()
    data = bytearray(path.read_bytes())
    data[0] ^= 255
    path.write_bytes(data)
    file.check()  # by now it is in memory, as far as this process is concerned


def test_the_identity_tells_files_apart(tmp_path, path):
    with write_array_file(tmp_path / "other") as writer:
        writer.add("long", ARRAYS["long"] + 1)
        identity = writer.finish({})
    assert identity != ArrayFile(path).identity
    assert identity == ArrayFile(tmp_path / "other").identity


def test_a_file_that_fails_while_it_is_written_is_removed(tmp_path):
    def failing() -> None:
        with write_array_file(tmp_path / "failed") as writer:
            writer.add("long", ARRAYS["long"])
            raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        failing()
    assert not (tmp_path / "failed").exists()


def test_a_footer_with_the_checksum_of_other_bytes_is_refused(path):
    data = bytearray(path.read_bytes())
    start, length, _, end = TAIL.unpack(data[-TAIL.size :])
    footer = bytes(data[start : start + length]).replace(b'"de"', b'"fr"')
    data[start : start + length] = footer
    path.write_bytes(data)
    with pytest.raises(DamagedFile, match="footer"):
        ArrayFile(path)
    data[-TAIL.size :] = TAIL.pack(start, length, zlib.crc32(footer), end)
    path.write_bytes(data)
    assert ArrayFile(path).facts["languages"] == [["fr", 0, 3]]  # which is why identities are kept


def test_arrays_in_memory_are_read_alike():
    memory = MemoryArrays(ARRAYS, {"languages": []})
    memory.check()
    memory.check_rows("long", np.array([0]), np.array([5]))
    assert memory.size == sum(array.nbytes for array in ARRAYS.values())
    np.testing.assert_array_equal(memory.read("rows"), ARRAYS["rows"])
