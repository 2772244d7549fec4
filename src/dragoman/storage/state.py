"""The user's state: files that must not be lost, such as keys and tasks that wait."""

import os
from pathlib import Path


def state_folder() -> Path:
    """DRAGOMAN_STATE, or dragoman/ in the user's folder of states."""
    if own := os.environ.get("DRAGOMAN_STATE"):
        return Path(own)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "dragoman"
