"""Names across scripts and spellings: transliteration, phonetic keys, name matching."""
