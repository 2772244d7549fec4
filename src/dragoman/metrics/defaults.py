"""The measures of a collection that has its own: those that its track reports."""

from collections.abc import Mapping
from pathlib import Path

from dragoman.text.format_detection import IRDS

MEASURES = "nDCG@10 RR AP R@100"
# by the beginning of an ir_datasets id, or of the name of a published file
TRACKS: Mapping[str, str] = {
    "irds:neuclir/": "nDCG@20 RR AP R@100 R@1000",
    "irds:hc4/": "nDCG@20 RR AP R@100 R@1000",
    "qrels.ciral-": "nDCG@20 RR AP R@100",
}


def default_measures(judgments: str) -> str:
    """The measures to report for judgments of a source, as in ``irds:neuclir/1/fa/trec-2022``."""
    name = judgments if judgments.startswith(IRDS) else Path(judgments).name
    tracks = (measures for track, measures in TRACKS.items() if name.startswith(track))
    return next(tracks, MEASURES)
