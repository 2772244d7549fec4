"""The measures of a collection that has its own: those that its track reports."""

from collections.abc import Mapping

MEASURES = "nDCG@10 RR AP R@100"
# by the beginning of an ir_datasets id
TRACKS: Mapping[str, str] = {
    "irds:neuclir/": "nDCG@20 RR AP R@100 R@1000",
    "irds:hc4/": "nDCG@20 RR AP R@100 R@1000",
}


def default_measures(judgments: str) -> str:
    """The measures to report for judgments of a source, as in ``irds:neuclir/1/fa/trec-2022``."""
    tracks = (measures for name, measures in TRACKS.items() if judgments.startswith(name))
    return next(tracks, MEASURES)
