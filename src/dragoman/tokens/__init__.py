"""Documents -> words and subwords, per language."""
