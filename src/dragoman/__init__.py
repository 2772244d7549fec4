"""Cross-lingual search: a query in one language finds documents in others."""

from importlib.metadata import version

__version__ = version("dragoman")
