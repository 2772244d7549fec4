"""A pickle file read as data: strings, numbers, tuples, lists and numpy's arrays, nothing else.

Python's own unpickler calls what the file names. This one has nothing that could be called: it
goes through the file's instructions (as ``pickletools`` lists them) with a stack of plain values
of its own, knows three names by sight, those of numpy's arrays, and refuses every other name and
every instruction that published vectors do not need. Python 2's byte strings come as latin-1 text.
"""

import pickletools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.errors import InputError
from dragoman.text.files import open_bytes

LARGEST = 1 << 31  # bytes of a file; Polyglot's largest has 30 MB
NUMBERS = {"f4", "f8"}

# the names that numpy writes for an array; they are compared, never imported
RECONSTRUCT = {"numpy.core.multiarray _reconstruct", "numpy._core.multiarray _reconstruct"}
ARRAY, TYPE = "numpy ndarray", "numpy dtype"
ENCODE = "_codecs encode"  # how Python 3 writes bytes for Python 2


@dataclass(frozen=True)
class _Name:
    text: str


class _Mark:
    pass


@dataclass
class _Type:
    """A numpy type as the file describes it."""

    code: str
    order: str = "<"


@dataclass
class _Array:
    """A numpy array as the file describes it; empty until its state is read."""

    state: tuple[Any, ...] = ()


@dataclass
class _Machine:
    """The stack and the memory of one reading."""

    stack: list[Any] = field(default_factory=list)
    memory: dict[int, Any] = field(default_factory=dict)

    def since_mark(self) -> list[Any]:
        """The values above the last mark, which go with it."""
        values: list[Any] = []
        while not isinstance(value := self.stack.pop(), _Mark):
            values.append(value)
        return values[::-1]

    def last(self, count: int) -> list[Any]:
        """The last values, taken off the stack."""
        values = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        return values


def read_pickled(path: Path) -> object:
    """The value in the file, with every array as a numpy array of its own bytes."""
    with open_bytes(path) as stream:
        raw = stream.read(LARGEST + 1)
    if len(raw) > LARGEST:
        found = f"more than {LARGEST:,} bytes"
        raise InputError(path, None, found=found, expected="a smaller file")
    try:
        return _finished(_interpreted(raw), {})
    except _Refused as refused:
        raise InputError(
            path,
            None,
            found=str(refused),
            expected="only tuples, lists, strings, numbers and numpy arrays of floats",
            advice="The file may be hostile; nothing of it was run.",
        ) from refused
    except RecursionError as error:
        raise InputError(
            path, None, found="values inside each other without end", expected="flat data"
        ) from error
    except (ValueError, IndexError, TypeError, KeyError, AttributeError) as error:
        raise InputError(
            path, None, found=f"a broken pickle ({error})", expected="a whole pickle file"
        ) from error


class _Refused(Exception):
    """An instruction or a name that data does not need."""


def _interpreted(raw: bytes) -> object:
    machine = _Machine()
    for opcode, argument, _ in pickletools.genops(raw):
        if opcode.name == "STOP":
            return machine.stack.pop()
        if opcode.name in PUSHED:
            machine.stack.append(argument)
        elif opcode.name in ACTIONS:
            ACTIONS[opcode.name](machine, argument)
        elif opcode.name not in PASSED_OVER:
            raise _Refused(f"the instruction {opcode.name}")
    raise ValueError("it does not end")


PASSED_OVER = {"PROTO", "FRAME"}
PUSHED = {
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
    *("STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE"),
    *("BINUNICODE8", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
}


def _put(machine: _Machine, place: int) -> None:
    machine.memory[place] = machine.stack[-1]


def _append(machine: _Machine, values: list[Any]) -> None:
    whole = machine.stack[-1]
    if not isinstance(whole, list):
        raise _Refused("something appended to what is no list")
    whole += values


def _named(machine: _Machine, text: str) -> None:
    if text not in {*RECONSTRUCT, ARRAY, TYPE, ENCODE}:
        raise _Refused(f"the name {text.replace(' ', '.')!r}")
    machine.stack.append(_Name(text))


def _reduce(machine: _Machine, _: object) -> None:
    """What the file wants called: an empty array, a type, or text as bytes; nothing is called."""
    name, arguments = machine.last(2)
    if not isinstance(name, _Name) or not isinstance(arguments, tuple):
        raise _Refused("a call of what is no name")
    if name.text in RECONSTRUCT and arguments[0] == _Name(ARRAY):
        machine.stack.append(_Array())
    elif name.text == TYPE and arguments[0] in NUMBERS:
        machine.stack.append(_Type(arguments[0]))
    elif name.text == ENCODE and arguments[1:] == ("latin1",) and isinstance(arguments[0], str):
        machine.stack.append(arguments[0].encode("latin-1"))
    else:
        raise _Refused(f"the call {name.text.replace(' ', '.')}{arguments[:2]!r}"[:100])


def _build(machine: _Machine, _: object) -> None:
    (state,) = machine.last(1)
    whole = machine.stack[-1]
    if isinstance(whole, _Type):
        whole.order = "<" if state[1] in "<|=" else ">"
    elif isinstance(whole, _Array):
        whole.state = tuple(state)
    else:
        raise _Refused("a state for what is neither array nor type")


ACTIONS: dict[str, Callable[[_Machine, Any], None]] = {
    "NONE": lambda machine, _: machine.stack.append(None),
    "NEWTRUE": lambda machine, _: machine.stack.append(True),
    "NEWFALSE": lambda machine, _: machine.stack.append(False),
    "MARK": lambda machine, _: machine.stack.append(_Mark()),
    "EMPTY_TUPLE": lambda machine, _: machine.stack.append(()),
    "EMPTY_LIST": lambda machine, _: machine.stack.append([]),
    "TUPLE": lambda machine, _: machine.stack.append(tuple(machine.since_mark())),
    "TUPLE1": lambda machine, _: machine.stack.append(tuple(machine.last(1))),
    "TUPLE2": lambda machine, _: machine.stack.append(tuple(machine.last(2))),
    "TUPLE3": lambda machine, _: machine.stack.append(tuple(machine.last(3))),
    "LIST": lambda machine, _: machine.stack.append(machine.since_mark()),
    "APPEND": lambda machine, _: _append(machine, machine.last(1)),
    "APPENDS": lambda machine, _: _append(machine, machine.since_mark()),
    "PUT": _put,
    "BINPUT": _put,
    "LONG_BINPUT": _put,
    "MEMOIZE": lambda machine, _: _put(machine, len(machine.memory)),
    "GET": lambda machine, place: machine.stack.append(machine.memory[place]),
    "BINGET": lambda machine, place: machine.stack.append(machine.memory[place]),
    "LONG_BINGET": lambda machine, place: machine.stack.append(machine.memory[place]),
    "GLOBAL": _named,
    "STACK_GLOBAL": lambda machine, _: _named(machine, " ".join(machine.last(2))),
    "REDUCE": _reduce,
    "BUILD": _build,
}


def _finished(value: object, done: dict[int, object]) -> object:
    """The value with every described array made; ``done`` holds what was finished before.

    A value that stands in many places is finished once: else a small file could double its work
    with every line.
    """
    if isinstance(value, _Name | _Type | _Mark):
        raise _Refused("a name where a value is expected")
    if not isinstance(value, _Array | tuple | list):
        return value
    if id(value) not in done:
        done[id(value)] = (
            _array(value)
            if isinstance(value, _Array)
            else tuple([_finished(one, done) for one in value])
        )
    return done[id(value)]


def _array(described: _Array) -> object:
    _, shape, kind, column_order, data = described.state
    if not isinstance(kind, _Type) or not isinstance(shape, tuple):
        raise _Refused("an array that does not hold floats")
    raw = data.encode("latin-1") if isinstance(data, str) else data
    if not isinstance(raw, bytes) or not all(isinstance(size, int) and size >= 0 for size in shape):
        raise _Refused("an array without its numbers")
    numbers = np.frombuffer(raw, dtype=f"{kind.order}{kind.code}")
    return numbers.reshape(shape, order="F" if column_order else "C")
