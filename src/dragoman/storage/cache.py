"""The user's cache: files that can be downloaded or computed again."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """DRAGOMAN_CACHE, or dragoman/ in the user's cache."""
    if own := os.environ.get("DRAGOMAN_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dragoman"
