"""The values of Xu et al. 2021, for rows next to the measured ones; AUC in percent, times in ms.

The averages are the printed ones; that of NON-INTERACT in Table 2 is a point below the mean of its
row. The figures of the paper have no numbers in the text and are described in words.
"""

from collections.abc import Mapping

from dragoman.experiments.semi_interactive.plan import (
    DISTILLED,
    INITIALIZED,
    INTERACT,
    MINED,
    MINED_KT,
    NON,
    NON_KT,
    SEMI,
    SEMI_KT,
)

AVERAGE, TIME = "AVG", "time"

# WikiCLIR, AUC
TABLE_2: Mapping[str, Mapping[str, float]] = {
    model: dict(zip(("ru", "es", "pt", "fr", "ar", AVERAGE, TIME), row, strict=True))
    for model, row in {
        INTERACT: (90.71, 96.57, 96.56, 96.37, 90.86, 94.86, 45.8),
        NON: (77.83, 80.91, 79.94, 80.70, 80.20, 78.92, 8.4),
        NON_KT: (79.57, 83.96, 82.60, 83.82, 78.66, 81.71, 8.4),
        SEMI: (82.31, 85.81, 84.98, 85.68, 84.44, 84.04, 8.9),
        SEMI_KT: (86.55, 90.75, 90.69, 91.03, 87.79, 89.26, 8.9),
    }.items()
}
# MULTI-8, NDCG@10; the last three languages are without supervision
TABLE_3: Mapping[str, Mapping[str, float]] = {
    model: dict(zip(("ru", "es", "fr", "ar", "de", "zh", "ja"), row, strict=True))
    for model, row in {
        INTERACT: (0.7717, 0.7954, 0.8050, 0.7458, 0.7579, 0.7478, 0.7504),
        NON: (0.7052, 0.6957, 0.6965, 0.7135, 0.6669, 0.7001, 0.7062),
        NON_KT: (0.7101, 0.6989, 0.6982, 0.7203, 0.6736, 0.7024, 0.7100),
        SEMI: (0.7129, 0.7131, 0.7100, 0.7315, 0.6845, 0.7049, 0.7218),
        SEMI_KT: (0.7259, 0.7181, 0.7255, 0.7328, 0.7041, 0.7252, 0.7419),
    }.items()
}
UNSUPERVISED = ("de", "zh", "ja")
# trained with queries, tested with queries -> AUC
TABLE_4: Mapping[tuple[bool, bool], float] = {
    (True, True): 84.04,
    (False, True): 78.76,
    (True, False): 79.97,
    (False, False): 78.92,
}
TABLE_5: Mapping[str, float] = {
    SEMI: 84.04,
    INITIALIZED: 88.33,
    DISTILLED: 87.54,
    SEMI_KT: 89.26,
}
# a shop's search log, AUC
TABLE_6: Mapping[str, Mapping[str, float]] = {
    model: dict(zip(("ru", "es", AVERAGE), row, strict=True))
    for model, row in {
        INTERACT: (84.96, 85.67, 85.38),
        NON: (68.54, 69.83, 69.65),
        NON_KT: (69.90, 70.64, 70.39),
        MINED: (72.97, 73.42, 73.21),
        MINED_KT: (75.66, 77.63, 76.90),
    }.items()
}
