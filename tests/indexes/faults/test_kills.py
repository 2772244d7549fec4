"""A writer killed at any moment: what it acknowledged is there, nothing else is, without repair.

Children add, replace, delete and merge, and acknowledge every change on a pipe until SIGKILL comes.
The next child opens what was left, write-ahead log and all, and compares it with what the parent
knows: the acknowledged changes, with or without the one that was under way.

    DRAGOMAN_KILLS=200 pytest tests/indexes/faults/test_kills.py
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from dragoman.indexes.store import Store
from made_records import SPACES, quick_folder
from workload import Held, change, is_held

KILLS = int(os.environ.get("DRAGOMAN_KILLS", "25"))


def forked(work: Callable[[Callable[[str], None]], None]) -> tuple[int, int]:
    """A child that does the work, and the pipe that it writes lines to."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)

        def say(line: str) -> None:
            os.write(writer, f"{line}\n".encode())

        try:
            work(say)
        except BaseException as error:  # noqa: BLE001 - the parent has to know of it
            say(f"failed {error!r}")
        os._exit(0)
    os.close(writer)
    return child, reader


def write_until_killed(
    folder: Path, states: Sequence[Held], number: int, say: Callable[[str], None]
) -> None:
    """Say which of the states is there, then make changes, merging behind them."""
    store = Store(folder, SPACES)
    with store.snapshot() as snapshot:
        say(f"state {[is_held(held, snapshot) for held in states].index(True)}")

    def merge_behind() -> None:
        while True:
            store.merge()
            time.sleep(0.01)

    threading.Thread(target=merge_behind, daemon=True).start()
    while True:
        say(f"begin {number}")
        change(number).perform(store)
        say(f"done {number}")
        number += 1


def test_all_that_was_acknowledged_is_there_after_every_kill():
    with quick_folder() as place:
        folder = place / "store"
        Store.create(folder, SPACES).close()
        check_the_end(folder, kill_writers(folder))


def kill_writers(folder: Path) -> Sequence[Held]:
    """The states that may be there after all kills."""
    rng, states = np.random.default_rng(3), list[Held]([{}])
    number = looked = done = 0
    for kill in range(KILLS):
        child, reader = forked(
            lambda say, s=tuple(states), n=number: write_until_killed(folder, s, n, say)
        )
        with os.fdopen(reader) as stream:
            first = stream.readline() if kill % 4 else ""  # every fourth may die while opening
            time.sleep(rng.uniform(0.0, 0.06))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            lines = (first + stream.read()).splitlines()
        for line in lines:
            word, _, value = line.partition(" ")
            assert word in {"state", "begin", "done"}, f"kill {kill}: {line}"
            if word == "state":
                states = [states[int(value)]]
                looked += 1
            elif word == "begin":
                states.append(change(int(value)).applied(states[0]))
                number = int(value) + 1
            else:
                del states[0]
                done += 1
    assert looked >= KILLS // 2
    assert done > KILLS
    return states


def check_the_end(folder: Path, states: Sequence[Held]) -> None:
    """Compare the store with the states; the first change removes what killed processes left."""
    store = Store(folder, SPACES)
    with store.snapshot() as snapshot:
        assert any(is_held(held, snapshot) for held in states)
    store.delete(["-"])
    with store.snapshot() as snapshot:
        listed = {reader.segment.name for reader in snapshot.readers if reader.segment.name}
    assert {path.name for path in (folder / "segments").iterdir()} == listed
    store.close()
    assert not [path for path in folder.iterdir() if path.name.endswith(("-wal", "-shm"))]
