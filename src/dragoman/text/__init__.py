"""Files -> documents, queries, judgments, bitext, clicks, dictionaries; a module per format."""
