"""Pairs of query and document -> scores: BM25, row distances, transport."""
