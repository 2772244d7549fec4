"""Lexical systems against translated-query baselines."""
