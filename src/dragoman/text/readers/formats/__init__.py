"""One module per file type; each has a ``read`` that yields the contents of a file."""
