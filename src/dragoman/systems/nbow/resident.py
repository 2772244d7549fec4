"""Averages of word vectors over a store.

The idf, and with it every average, changes with every document. So the store keeps counts, and
averages are worked out, one sparse product, when a search follows a change.
"""

from dragoman.indexes.bag_resident import ResidentBags
from dragoman.systems.nbow.system import NbowSystem


class ResidentNbow(ResidentBags[NbowSystem]):
    """Documents that come and go, ranked by averages."""

    kind = NbowSystem
