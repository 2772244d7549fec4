"""Commands about the documents of an index: list, show, delete, similar, info."""
