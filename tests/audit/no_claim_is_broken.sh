#!/usr/bin/env bash
# no_claim_is_broken.sh GAUZE: `gauze audit self`; with GAUZE_LONG_TESTS, its long form. A correct Gauze fails once in a million.
set -euo pipefail

if (($# != 1)); then
  echo "usage: no_claim_is_broken.sh GAUZE" >&2
  exit 2
fi
long=()
[[ -z ${GAUZE_LONG_TESTS:-} ]] || long=(--long)
"$1" audit self "${long[@]}"
