"""``python -m dragoman``: the same as the command ``dragoman``."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while its modules are imported ends it like any other."""
    try:
        from dragoman.cli import main as run  # noqa: PLC0415 - see above
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted. Nothing was written.\n")
        raise SystemExit(130) from None
    run()


if __name__ == "__main__":
    main()
