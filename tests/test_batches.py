from dragoman.batches import batched


def test_the_last_batch_is_shorter_and_no_batch_is_empty():
    assert list(batched(range(7), 3)) == [[0, 1, 2], [3, 4, 5], [6]]
    assert list(batched([], 3)) == []


def test_values_are_read_as_batches_are():
    stream = iter(range(10))
    assert next(batched(stream, 4)) == [0, 1, 2, 3]
    assert next(stream) == 4
