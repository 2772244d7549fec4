"""Shared by the neural systems: token sequences, batches, negatives, the loop, checkpoints."""
