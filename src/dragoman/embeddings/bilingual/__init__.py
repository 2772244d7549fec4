"""Bitext and dictionaries -> word vectors of two languages in one space."""
