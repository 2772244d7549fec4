#!/bin/sh
# Chromium and axe-core for the browser tests: installed where that is possible, else named as missing.
set -eu
cd "$(dirname "$0")/.."
if ! command -v chromium >/dev/null && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "Installing chromium by apt (once)..."
    (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium) >/dev/null || true
fi
command -v chromium >/dev/null || echo "chromium is missing: 'apt install chromium', then 'make test-browser' again; the browser tests are skipped"
if [ ! -f web/node_modules/axe-core/axe.min.js ]; then
    if command -v npm >/dev/null; then
        (cd web && npm ci --silent --ignore-scripts >/dev/null 2>&1) || echo "npm ci failed: the accessibility tests are skipped"
    else
        echo "npm is missing: 'apt install npm', then 'make test-browser' again; the accessibility tests are skipped"
    fi
fi
