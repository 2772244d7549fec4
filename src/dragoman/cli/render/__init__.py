"""Explanations -> pictures and text for terminals."""
