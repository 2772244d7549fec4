"""Results of trainings with titles and with lead sentences as queries -> a table of both."""

from collections.abc import Mapping

import numpy as np

from dragoman.experiments.semi_interactive.plan import BY_LEAD_SENTENCES, QueryWording
from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult
from dragoman.experiments.semi_interactive.tables import areas_over_seeds
from dragoman.experiments.semi_interactive.task import RelevanceTask

PERCENT = 100


def query_wording_markdown(
    results: Mapping[str, RelevanceTrainingResult], task: RelevanceTask
) -> list[str]:
    """A row for each wording of the queries: AUC of the test, mean over seeds, with their range."""
    models = list(BY_LEAD_SENTENCES)
    names = {
        QueryWording.TITLES: models,
        QueryWording.LEAD_SENTENCES: [BY_LEAD_SENTENCES[name] for name in models],
    }
    lines = [
        "The same items and candidates asked for by titles and by lead sentences, which lack the"
        " words of their titles (mean over seeds, and their range); relevant queries are titles:",
        "",
        f"| queries: AUC | {' | '.join(models)} |",
        f"|---|{'---:|' * len(models)}",
    ]
    for wording, some in names.items():
        cells = [_cell(areas_over_seeds(task, results, name)) for name in some if name in results]
        if len(cells) == len(models):
            lines.append(f"| {wording} | {' | '.join(cells)} |")
    return lines


def _cell(areas: list[float]) -> str:
    mean = f"{np.mean(areas) * PERCENT:.2f}"
    if len(areas) == 1:
        return mean
    return f"{mean} ({min(areas) * PERCENT:.2f} to {max(areas) * PERCENT:.2f})"
