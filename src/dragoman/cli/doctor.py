"""``dragoman doctor``: what is installed, what is missing, how to get it."""

import typer

from dragoman.cli import terminal


def doctor(json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """Say what this installation can do, what is missing, and how to get it.

    [dim]dragoman doctor[/]
    """
    from dragoman.cli.diagnosis import diagnose

    checks = diagnose()
    if json:
        terminal.print_json(
            [
                {"part": check.part, "found": check.found, "ready": check.ready, "fix": check.fix}
                for check in checks
            ]
        )
    else:
        width = max(len(check.part) for check in checks)
        for check in checks:
            mark = "[green]ok     [/]" if check.ready else "[yellow]missing[/]"
            terminal.out.print(
                f"{mark}  {check.part:{width}s}  {terminal.plain(check.found)}", soft_wrap=True
            )
            if check.fix:
                terminal.out.print(f"         {'':{width}s}  get it: {check.fix}", markup=False)
    if not all(check.ready for check in checks if check.needed):
        raise SystemExit(1)
