"""Optimal transport as ad-hoc retrieval and as a re-ranking stage."""
