"""Files -> documents, queries, judgments, bitext, clicks, dictionaries; languages, collections."""
