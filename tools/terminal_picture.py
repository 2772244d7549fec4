"""The sample collection -> ``docs/images/terminal.svg``: real commands as a terminal shows them.

``make pictures`` runs it. The commands run in a folder of their own, with the encoder that is in
the user's cache; rich draws what they print.
"""

import os
import re
import shlex
import subprocess
import sys
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs/images/terminal.svg"
WIDTH = 96
INDEX = ("index", "sample", "-o", "my-index")
SHOWN = (
    ("search", "my-index", "baking bread with yeast", "--in", "de,es,ru", "-k", "3"),
    ("explain", "my-index", "baking bread with yeast", "bread-de"),
)
FONTS = '"DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace'


def run(arguments: tuple[str, ...], folder: Path) -> str:
    """What a command prints on a terminal of ``WIDTH`` columns, in colour."""
    environment = os.environ | {
        "FORCE_COLOR": "1",
        "COLUMNS": str(WIDTH),
        "TERM": "xterm-256color",
        "PYTHONPATH": str(ROOT / "src"),
    }
    done = subprocess.run(
        [sys.executable, "-m", "dragoman", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout


def svg_format() -> str:
    """Rich's form of a picture, with fonts that are on the reader's machine."""
    without_downloads = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.S)
    return re.sub(r"font-family: [^;]*;", f"font-family: {FONTS};", without_downloads)


def main() -> None:
    """Write the picture."""
    console = Console(record=True, width=WIDTH, file=StringIO())
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sample").symlink_to(ROOT / "sample")
        run(INDEX, folder)
        for arguments in SHOWN:
            prompt, command = Text("$ ", "bold green"), shlex.join(("dragoman", *arguments))
            console.print(prompt.append(command, "bold white"))
            printed = run(arguments, folder).rstrip()
            console.print(Text.from_ansi(printed), no_wrap=True, overflow="crop")
            console.print()
    PICTURE.parent.mkdir(exist_ok=True)
    picture = console.export_svg(title="dragoman", code_format=svg_format(), unique_id="dragoman")
    PICTURE.write_text(picture, encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()
