"""SEARCHER: a retrieval model learnt from bitext alone (Barry et al. 2020)."""
