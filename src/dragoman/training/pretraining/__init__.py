"""Pre-training of a small multilingual encoder: bitext and plain texts -> a Hugging Face folder."""
