"""One module per file format: documents, queries, judgments, bitext, dictionaries, clicks."""
