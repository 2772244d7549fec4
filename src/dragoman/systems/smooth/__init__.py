"""Smooth learning: queries and documents as averages of trained word vectors (Liu et al. 2020)."""
