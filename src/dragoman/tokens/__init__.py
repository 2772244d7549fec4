"""Texts -> terms, by language, and byte-pair encoded tokens."""
