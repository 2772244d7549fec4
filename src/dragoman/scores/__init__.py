"""Pairs -> numbers."""
