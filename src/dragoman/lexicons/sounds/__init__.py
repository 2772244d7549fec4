"""Names across scripts and spellings: words by their sound."""
