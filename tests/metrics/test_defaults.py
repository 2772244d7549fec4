from dragoman.metrics.defaults import MEASURES, TRACKS, default_measures
from dragoman.metrics.parser import parse_measures


def test_tracks_report_their_own_measure():
    assert default_measures("irds:neuclir/1/fa/trec-2022").startswith("nDCG@20")
    assert default_measures("irds:hc4/ru/test").startswith("nDCG@20")
    assert default_measures("ciral/qrels.ciral-v1.0-sw-test-a.tsv").startswith("nDCG@20")
    assert default_measures("irds:wikiclir/sw") == default_measures("qrels.tsv") == MEASURES


def test_all_defaults_are_measures():
    for measures in (MEASURES, *TRACKS.values()):
        assert parse_measures(measures)
