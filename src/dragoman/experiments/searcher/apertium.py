"""Texts -> translations by Apertium, where it is installed (Debian: apertium apertium-eng-spa)."""

import shutil
import subprocess
from collections.abc import Sequence

from dragoman.errors import DragomanError

COMMAND = "apertium"
MODES = {("es", "en"): "spa-eng", ("en", "es"): "eng-spa"}
SEPARATOR = "\n\n"  # an empty line ends a text for Apertium
BATCH = 200  # texts translated by one process
TIMEOUT = 600  # seconds


def why_unavailable(source: str, target: str) -> str:
    """Why Apertium cannot translate between two languages here; empty where it can."""
    mode = MODES.get((source, target))
    if mode is None:
        return f"no Apertium pair is used for {source}-{target}"
    if shutil.which(COMMAND) is None:
        return "Apertium is not installed (Debian packages apertium, apertium-eng-spa)"
    modes = subprocess.run(  # noqa: S603 - our own command
        [COMMAND, "-l"], capture_output=True, text=True, check=False
    )
    if mode not in modes.stdout.split():
        return f"Apertium has no mode {mode} (Debian package apertium-eng-spa)"
    return ""


def translate(texts: Sequence[str], source: str, target: str) -> list[str]:
    """One translation per text; line breaks inside a text become blanks."""
    mode = MODES[source, target]
    translations: list[str] = []
    for start in range(0, len(texts), BATCH):
        batch = [" ".join(text.split()) or "." for text in texts[start : start + BATCH]]
        done = subprocess.run(  # noqa: S603 - our own command
            [COMMAND, "-u", "-f", "txt", mode],  # -u: no marks on unknown words
            input=SEPARATOR.join(batch) + SEPARATOR,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
        )
        parts = done.stdout.rstrip("\n").split(SEPARATOR)
        if done.returncode or len(parts) != len(batch):
            raise DragomanError(
                f"Apertium gave {len(parts)} translations of {len(batch)} texts"
                f" (exit code {done.returncode}): {done.stderr[:200]}"
            )
        translations += parts
    return translations
