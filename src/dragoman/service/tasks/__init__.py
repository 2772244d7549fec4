"""Writes: uploads and documents -> tasks that survive a crash, one writer for each index."""
