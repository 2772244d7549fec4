"""``-o PICTURE`` of ``dragoman explain``: draws by the extra ``plots`` and prints warnings."""

from collections.abc import Callable
from pathlib import Path

from dragoman import registry
from dragoman.cli import terminal
from dragoman.errors import UserError

SUFFIXES = (".png", ".svg")


def picture_writer(output: Path, name: str) -> Callable[..., None]:
    """A function that draws its arguments into ``output`` by ``pictures.NAME``.

    An unknown suffix or a missing extra is refused here, before any work is done.
    """
    if output.suffix.lower() not in SUFFIXES:
        raise UserError(
            f"{output}: found the suffix {output.suffix!r}; expected {' or '.join(SUFFIXES)}."
        )
    draw = registry.load(f"dragoman.cli.render.pictures:{name}")

    def write(*arguments: object) -> None:
        for warning in draw(output, *arguments):
            terminal.warn(warning)
        terminal.err.print(f"{terminal.plain(str(output))}: written", soft_wrap=True)

    return write
