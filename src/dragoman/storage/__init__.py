"""Saved files: staged writes, checksums, SQLite, packed strings, metadata as JSON."""
