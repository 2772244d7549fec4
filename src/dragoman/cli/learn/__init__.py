"""``dragoman learn``: translation tables, word vectors and student encoders from bitext."""
