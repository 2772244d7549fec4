"""Indexes and systems as parts of other tools: models of MTEB, transformers of PyTerrier."""
