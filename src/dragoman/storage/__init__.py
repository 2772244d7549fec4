"""Bytes on disk that can be trusted: checksummed, flushed, written whole or not at all."""
