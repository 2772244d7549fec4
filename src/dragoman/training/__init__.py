"""Shared by the neural rooms: texts as rows of words, batches, negatives, the loop, checkpoints."""
