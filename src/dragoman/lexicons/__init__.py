"""Bitext and dictionaries -> translation probabilities."""
