"""Smooth learning: queries and documents as averages of learnt word vectors (Liu et al. 2020)."""
