"""Scores -> a ranking: top-k and ties, balance of languages, fusion."""
