"""A snapshot and a query -> the best documents: scores, shortlists, second stages, answers."""
