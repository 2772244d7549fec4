import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.text.id_set import IdSet, hash_id


@settings(max_examples=30)
@given(st.lists(st.text(max_size=3), max_size=200))
def test_it_answers_like_a_set(ids):
    seen, reference = IdSet(), set()
    for text in ids:
        assert (text in seen) == (text in reference)
        assert seen.add(text) == (text not in reference)
        reference.add(text)
    assert len(seen) == len(reference)


def test_it_grows_and_keeps_everything():
    seen = IdSet()
    assert all(seen.add(f"id-{number}") for number in range(5000))
    assert not any(seen.add(f"id-{number}") for number in range(5000))
    assert "id-5000" not in seen


def test_an_id_costs_few_bytes_whatever_its_length():
    seen, count = IdSet(), 20_000
    tracemalloc.start()
    for number in range(count):
        seen.add(f"{number:0100d}")
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size / count < 25


def test_the_hash_is_the_same_on_every_machine():
    # Worked with: printf abc | b2sum -l 64, read from its last byte to its first.
    assert hash_id("abc") == int.from_bytes(bytes.fromhex("d8bb14d833d59559"), "little")
