"""The errors of this package, as one tree; messages state what was found, expected, and to do.

DragomanError                 anything this package raises on purpose
├── UserError                 the input was wrong; commands exit with 2
│   ├── InputError            a file: path, line, found, expected
│   ├── OutputError           a file or folder that cannot be written
│   ├── ConfigError           a setting out of its range
│   ├── UnknownName           a name that nothing is registered under
│   ├── UnknownLanguage       a language code that is not in any table
│   ├── IndexFault            an index that cannot be opened or does not fit
│   └── ServiceError          a service that refuses, fails or cannot be reached
└── MissingExtra              an optional part that is not installed
"""

from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path


class DragomanError(Exception):
    """Anything this package raises on purpose."""


class UserError(DragomanError):
    """The user's input was wrong; commands exit with 2."""


class InputError(UserError):
    """A file with unexpected content, located down to the line."""

    def __init__(
        self, path: Path | str, line: int | None, *, found: str, expected: str, advice: str = ""
    ) -> None:
        self.path, self.line, self.found, self.expected = str(path), line, found, expected
        location = f"{path}, line {line}" if line is not None else f"{path}"
        hint = f" {advice}" if advice else ""
        super().__init__(f"{location}: found {found}; expected {expected}.{hint}")


class OutputError(UserError):
    """A file or folder that cannot be written where the user wants it."""

    def __init__(self, path: Path | str, *, found: str, expected: str) -> None:
        super().__init__(f"{path}: found {found}; expected {expected}. Name another output.")


class ConfigError(UserError, ValueError):
    """A setting outside its range."""


class UnknownName(UserError, LookupError):
    """A name that nothing is registered under."""

    def __init__(self, name: str, known: Collection[str], kind: str = "name") -> None:
        near = get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        super().__init__(f"Unknown {kind} {name!r}.{hint} Known: {', '.join(sorted(known))}.")


class UnknownLanguage(UserError, LookupError):
    """A language code that is neither ISO 639-1, ISO 639-3 nor BCP-47."""

    def __init__(self, code: str) -> None:
        super().__init__(
            f"Unknown language {code!r}; expected an ISO 639-1, ISO 639-3 or BCP-47 code,"
            " as in de, deu or de-AT."
        )


class IndexFault(UserError):
    """An index that cannot be opened, or that does not fit the request."""


class ServiceError(UserError):
    """A service that refuses, fails or cannot be reached; ``code`` is that of its problem."""

    def __init__(self, message: str, status: int = 0, code: str = "") -> None:
        super().__init__(message)
        self.status, self.code = status, code  # 0 and "" where it gave no answer


class MissingExtra(DragomanError, ImportError):
    """An optional part that is not installed."""

    def __init__(self, module: str, extra: str) -> None:
        super().__init__(
            f"{module!r} is not installed. It comes with the extra {extra!r}:"
            f" pip install 'dragoman[{extra}]'"
        )
