"""The results of ``dragoman reproduce``: the command to repeat, a section of a page, figures."""

import shlex
from pathlib import Path

from dragoman.cli import terminal


def command_line(name: str, argument: object, **options: object) -> str:
    """The call that repeats an experiment, quoted for a shell.

    ``-o`` stands for ``output``. Options without a value are left out; True gives the flag alone, a
    list repeats the option.
    """
    words = ["dragoman", "reproduce", name, str(argument)]
    for option, value in options.items():
        flag = "-o" if option == "output" else f"--{option.replace('_', '-')}"
        for one in value if isinstance(value, list | tuple) else [value]:
            if one is True:
                words.append(flag)
            elif one not in (None, False, ""):
                words += [flag, str(one)]
    return shlex.join(words)


def publish(text: str, page: Path | None, section: str) -> None:
    """Print a report; where there is a page, replace its section of that name too."""
    from dragoman.experiments.sections import write_section

    terminal.out.print(text, markup=False, soft_wrap=True)
    if page is not None:
        write_section(page, section, text)
        terminal.out.print(f"\nwritten to {terminal.plain(str(page))}", soft_wrap=True)


def draw_figures(experiment: str, folder: Path, results: object) -> None:
    """Draw the figures of an experiment into a folder; a warning where the extra is missing."""
    from dragoman import registry
    from dragoman.errors import MissingExtra

    try:
        registry.load(f"dragoman.experiments.{experiment}.figures:draw")(folder, results)
    except MissingExtra as missing:
        terminal.warn(f"no figures: {missing}")
