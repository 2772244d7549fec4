"""Bitext -> expected counts of word pairs: IBM Model 1, then the HMM."""
