"""PyTerrier: an index as its artifact, searches as its transformers (extra ``pyterrier``).

Nothing here starts Java.
"""
