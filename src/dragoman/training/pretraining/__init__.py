"""A small multilingual encoder of our own: bitext and plain texts -> a Hugging Face folder."""
