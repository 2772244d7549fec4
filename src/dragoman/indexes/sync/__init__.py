"""Folders of files -> an index in step with them: new and changed files in, deleted ones out."""
