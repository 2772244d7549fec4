"""Values per query in groups (languages, directions) -> means in which every group weighs the same.

Groups differ in their numbers of queries. Weighted by size, the values of all groups have the mean
of the groups' means, so one paired test or bootstrap over queries serves a single group and all of
them together.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from dragoman.types import FloatArray

GroupedValues = Mapping[str, FloatArray]  # group -> one value per query


def mean_of_groups(values: GroupedValues, groups: Sequence[str]) -> float:
    """The mean of the groups' means."""
    return float(np.mean([values[group].mean() for group in groups]))


def weighted_values(values: GroupedValues, groups: Sequence[str]) -> FloatArray:
    """The values of all queries, weighted so that their mean is the mean of the groups' means."""
    total = sum(len(values[group]) for group in groups)
    return np.concatenate(
        [values[group] * (total / (len(groups) * len(values[group]))) for group in groups]
    )


def stratified_values(values: GroupedValues, groups: Sequence[str]) -> FloatArray:
    """Values with the same mean and the spread within groups alone.

    A bootstrap sample of them does not vary by how many queries it draws from each group, which is
    no part of the uncertainty about the mean.
    """
    centred = {group: values[group] - values[group].mean() for group in groups}
    return weighted_values(centred, groups) + mean_of_groups(values, groups)
