"""Sentence vectors: a query and a document meet in one space, whatever their languages."""
