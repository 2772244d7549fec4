"""People's own files -> texts: one module per file type, each run in a worker process with limits.

A reader is ``read(path, limits) -> Iterator[FileText | Section | Member]``: a ``FileText`` begins a
text, the ``Section``s that follow are its content, a ``Member`` is a file inside this one.
"""
