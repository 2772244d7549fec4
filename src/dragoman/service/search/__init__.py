"""Searches and lists as the service answers them: windows, cursors, facets, fields of answers."""
