"""Words and sentences -> vectors."""
