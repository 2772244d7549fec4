"""``dragoman doctor``: what is installed, what is missing, how to get it."""

from dataclasses import asdict

from dragoman.cli import terminal
from dragoman.cli.options import AsJson


def doctor(as_json: AsJson = False) -> None:
    """Show what this installation can do, what is missing, and how to get it.

    [dim]dragoman doctor[/]
    """
    from dragoman.cli.diagnosis import diagnose

    checks = diagnose()
    if as_json:
        terminal.print_json([asdict(check) for check in checks])
    else:
        width = max(len(check.part) for check in checks)
        for check in checks:
            mark = "[green]ok     [/]" if check.ready else "[yellow]missing[/]"
            terminal.out.print(
                f"{mark}  {check.part:{width}s}  {terminal.plain(check.detail)}", soft_wrap=True
            )
            if check.fix:
                terminal.out.print(f"         {'':{width}s}  get it: {check.fix}", markup=False)
    if not all(check.ready for check in checks if check.needed):
        raise SystemExit(1)
