"""The sources of the page and its built files -> digests, which say whether they belong together.

``make page`` builds ``web/`` into the package and records the digests; a test compares them, so
that a machine without Node notices a page that was not built again after a change.
"""

import hashlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "web"
BUILT = ROOT / "src/dragoman/service/page"
RECORD = SOURCES / "built.json"
NOT_SOURCES = frozenset({"node_modules", "README.md", RECORD.name})


def digest(folder: Path, left_out: frozenset[str] = frozenset()) -> str:
    """The SHA-256 of the names and contents of all files below a folder."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and name.parts[0] not in left_out:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{name.as_posix()} {content}\n".encode())
    return total.hexdigest()


def digests() -> dict[str, str]:
    """The digests of the sources and of the built files as they are now."""
    return {"sources": digest(SOURCES, NOT_SOURCES), "built": digest(BUILT)}


def main() -> int:
    """Record the digests with ``--write``; otherwise say whether the recorded ones hold."""
    if "--write" in sys.argv:
        RECORD.write_text(json.dumps(digests(), indent=2) + "\n", encoding="utf-8")
        return 0
    recorded, now = json.loads(RECORD.read_text(encoding="utf-8")), digests()
    changed = [name for name in now if recorded.get(name) != now[name]]
    if changed:
        print(f"error: the page's {' and '.join(changed)} changed after the build; run 'make page'")
    return 2 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
