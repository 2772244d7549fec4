"""Published word vectors -> rows: one module per format, all streaming, none trusting its file."""
