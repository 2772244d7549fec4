"""Queries and an index -> a run with its metadata, which can be repeated and compared."""
