"""Table 2 of Balikas et al. 2018: MRR on Wikipedia excerpts with Numberbatch vectors.

The paper's first column, En -> Fr, retrieves English documents for French queries (section 4).
Directions here name the language of the queries first, so that column is fr-en.
"""

from collections.abc import Mapping

from dragoman.experiments.wasserstein.runs import REPAIRED, SHARED, TOPICS, TRANSLATED, RankRun

PUBLISHED_DIRECTIONS = ("fr-en", "en-fr", "de-en", "en-de", "el-en", "en-el", "fi-en", "en-fi")
PUBLISHED: Mapping[tuple[str, str], tuple[float, ...]] = {
    (TOPICS, "BiLDA"): (0.559, 0.468, 0.560, 0.536, 0.559, 0.508, 0.622, 0.436),
    (TRANSLATED, "tf"): (0.421, 0.278, 0.287, 0.433, 0.441, 0.054, 0.068, 0.025),
    (TRANSLATED, "idf"): (0.575, 0.433, 0.478, 0.516, 0.535, 0.126, 0.081, 0.028),
    (TRANSLATED, "nBOW tf"): (0.404, 0.276, 0.378, 0.440, 0.531, 0.132, 0.329, 0.042),
    (TRANSLATED, "nBOW idf"): (0.550, 0.488, 0.449, 0.509, 0.577, 0.256, 0.398, 0.081),
    (TRANSLATED, "Wass tf"): (0.704, 0.691, 0.620, 0.655, 0.656, 0.269, 0.424, 0.092),
    (TRANSLATED, "Wass idf"): (0.748, 0.766, 0.678, 0.706, 0.687, 0.463, 0.412, 0.163),
    (TRANSLATED, "Entro_Wass tf"): (0.692, 0.706, 0.615, 0.666, 0.640, 0.262, 0.422, 0.089),
    (TRANSLATED, "Entro_Wass idf"): (0.745, 0.794, 0.675, 0.720, 0.683, 0.467, 0.425, 0.171),
    (SHARED, "nBOW tf"): (0.530, 0.490, 0.493, 0.464, 0.237, 0.121, 0.449, 0.217),
    (SHARED, "nBOW idf"): (0.574, 0.546, 0.521, 0.502, 0.341, 0.179, 0.470, 0.267),
    (SHARED, "Wass tf"): (0.744, 0.748, 0.660, 0.681, 0.404, 0.407, 0.582, 0.434),
    (SHARED, "Wass idf"): (0.778, 0.784, 0.703, 0.718, 0.507, 0.465, 0.620, 0.479),
    (SHARED, "Entro_Wass tf"): (0.753, 0.786, 0.677, 0.710, 0.424, 0.494, 0.582, 0.607),
    (SHARED, "Entro_Wass idf"): (0.799, 0.820, 0.717, 0.756, 0.523, 0.549, 0.620, 0.643),
    (REPAIRED, "nBOW tf+"): (0.518, 0.541, 0.426, 0.468, 0.193, 0.148, 0.635, 0.451),
    (REPAIRED, "nBOW idf+"): (0.653, 0.659, 0.597, 0.592, 0.407, 0.349, 0.693, 0.544),
    (REPAIRED, "Wass tf+"): (0.815, 0.836, 0.788, 0.801, 0.675, 0.435, 0.845, 0.731),
    (REPAIRED, "Wass idf+"): (0.867, 0.869, 0.812, 0.837, 0.721, 0.599, 0.856, 0.786),
    (REPAIRED, "Entro_Wass tf+"): (0.830, 0.856, 0.796, 0.812, 0.718, 0.555, 0.851, 0.816),
    (REPAIRED, "Entro_Wass idf+"): (0.875, 0.887, 0.828, 0.855, 0.741, 0.695, 0.864, 0.850),
}


def published(run: RankRun) -> float | None:
    """The MRR of the same row and direction in the paper; None where it has none."""
    values = PUBLISHED.get((run.system.section, run.system.label))
    if values is None or run.direction not in PUBLISHED_DIRECTIONS:
        return None
    return values[PUBLISHED_DIRECTIONS.index(run.direction)]
