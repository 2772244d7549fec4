"""Lexical systems: tf, idf, bm25 and psq."""
