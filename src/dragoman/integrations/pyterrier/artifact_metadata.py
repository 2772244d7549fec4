"""How PyTerrier recognises the folder of an index: ``pt.Artifact.load(folder)``.

PyTerrier calls this for every artifact that has no metadata of its own, so nothing is imported.
"""

from collections.abc import Sequence

TYPE, FORMAT = "multilingual_index", "dragoman"
PACKAGE = "dragoman[pyterrier]"
_FILES = {"manifest.json", "checksums.json", "store"}


def artifact_metadata(path: str, directory_listing: Sequence[str]) -> dict[str, str] | None:
    """The type and format of an index folder; None for anything else."""
    del path
    if not _FILES.issubset(directory_listing):
        return None
    return {"type": TYPE, "format": FORMAT, "package_hint": PACKAGE}
