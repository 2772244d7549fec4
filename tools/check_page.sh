#!/bin/sh
# Whether the committed page is what its sources give: built again where Node is at hand, else by its recorded digests.
set -eu
cd "$(dirname "$0")/.."
"${1:-python3}" tools/page_digest.py
major=$(node --version 2>/dev/null | sed 's/v\([0-9]*\).*/\1/' || true)
if [ "${major:-0}" -lt 20 ] || ! command -v npm >/dev/null; then
    echo "Node 20 with npm is not here: the page is not built again; its recorded digests agree."
    exit 0
fi
if ! (cd web && npm ci --silent --ignore-scripts >/dev/null 2>&1); then
    echo "npm ci failed (no network?): the page is not built again; its recorded digests agree."
    exit 0
fi
again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT
(cd web && npx tsc --noEmit && npx vite build --logLevel warn --outDir "$again/page")
diff -r "$again/page" src/dragoman/service/page || {
    echo "error: src/dragoman/service/page is not what web/ gives; run 'make page' and commit it"
    exit 2
}
echo "the page is what its sources give"
