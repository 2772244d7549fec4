"""The engine as people use it: psq, sentence vectors and their fusion."""
