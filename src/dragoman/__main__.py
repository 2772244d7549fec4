"""``python -m dragoman``: the same as the command ``dragoman``."""

from dragoman.cli import main

main()
