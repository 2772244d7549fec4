"""A report -> how its intervals, tests and marks were computed, as lines or as one cell."""

from dragoman.metrics.report import Report

ALPHA = 0.05  # the level of significance marks


def notes(report: Report, alpha: float = ALPHA) -> list[str]:
    """How intervals, tests and letters came about, as a reader must know it."""
    lines = settings_lines(report)
    if report.tests:
        lines.append(
            "Letters: significantly above the run of that letter, by the permutation test at"
            f" p < {alpha:g}."
        )
    return lines


def settings_lines(report: Report) -> list[str]:
    """How intervals and tests were computed, and on what."""
    settings = report.settings
    lines = [
        f"dragoman {settings.version}, {settings.queries:,} queries, seed {settings.seed},"
        f" judgments {settings.judgments}.",
        f"Intervals: {settings.confidence:.0%} percentile bootstrap over queries,"
        f" {settings.bootstrap_draws:,} draws.",
    ]
    if report.tests:
        lines.append(
            f"Tests: paired, two-sided, by permutation ({settings.permutation_draws:,} draws) and"
            f" Student's t; p-values after {settings.correction} over {len(report.tests):,}"
            " comparisons."
        )
    return lines


def signature(report: Report, alpha: float = ALPHA) -> str:
    """The same in one cell of a table: what must be equal for two tables to be comparable."""
    settings = report.settings
    tests = (
        f"|test:permutation,{settings.permutation_draws},{settings.correction}"
        f",{len(report.tests)},p<{alpha:g}"
        if report.tests
        else ""
    )
    return (
        f"judgments:{settings.judgments}"
        f"|interval:bootstrap,{settings.confidence:g},{settings.bootstrap_draws}{tests}"
        f"|seed:{settings.seed}|v:{settings.version}"
    )
