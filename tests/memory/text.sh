#!/usr/bin/env bash
# text.sh GAUZE: statistics of a vocabulary without words x words in memory, and a long stream in constant memory.
set -euo pipefail
readonly gauze=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# 20,000 words: a matrix of them in single precision would take 1,600 MB.
awk 'BEGIN { srand(7); for (i = 0; i < 20000; ++i) { printf "w%d", i; for (d = 0; d < 8; ++d) printf " %.4f", rand() * 4; print "" } }' \
  >"$folder/vectors.txt"

# limited KILOBYTES COMMAND...: with so much address space.
limited() {
  (
    ulimit -v "$1"
    shift
    timeout 120 "$@"
  )
}

# A limit that cannot be kept must be noticed, or the checks below say nothing.
if limited 40000 "$gauze" text stats --vectors "$folder/vectors.txt" --epsilon 2 --quiet >/dev/null 2>&1; then
  echo "a limit of 40 MB was not enforced" >&2
  exit 1
fi
limited 1000000 "$gauze" text stats --vectors "$folder/vectors.txt" --epsilon 2 --threads 2 --quiet >"$folder/stats"
grep -q '^2 ' "$folder/stats"

# 100 MB of text through a pipe; rows of words in 32 MB.
lines() { awk 'BEGIN { for (i = 0; i < 1000000; ++i) printf "w%d w%d w%d some words that are unknown, number %d and more of them here at the end\n", i % 20000, i * 7 % 20000, i * 13 % 20000, i }'; }
lines | limited 1000000 "$gauze" text sanitize - --vectors "$folder/vectors.txt" --epsilon 2 --memory 32M --threads 2 --quiet \
  -o "$folder/out.txt"
[[ $(wc -l <"$folder/out.txt") == 1000000 ]]
