#!/usr/bin/env bash
# text.sh GAUZE: statistics of a vocabulary without words x words in memory, and a long stream in constant memory.
set -euo pipefail
readonly gauze=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# shellcheck source=tests/memory/peak.sh
source "$(dirname "$(readlink -f "$0")")/peak.sh"

# 12,000 words: a matrix of them in single precision would take 576 MB.
awk 'BEGIN { srand(7); for (i = 0; i < 12000; ++i) { printf "w%d", i; for (d = 0; d < 8; ++d) printf " %.4f", rand() * 4; print "" } }' \
  >"$folder/vectors.txt"
"$gauze" text vectors import "$folder/vectors.txt" -o "$folder/v.gvec" --quiet >/dev/null

# Statistics: 150 MB, and within a limit on addresses of which matrix products take 128 MB a thread.
(
  ulimit -v 1000000
  peak "$folder/stats.peak" "$gauze" text stats --vectors "$folder/v.gvec" --epsilon 2 --threads 2 --quiet \
    >"$folder/stats"
)
grep -q '^2 ' "$folder/stats" || fail "there are no statistics"
# Less room than matrix products take: the same figures, by plain loops.
(
  ulimit -v 250000
  timeout 120 "$gauze" text stats --vectors "$folder/v.gvec" --epsilon 2 --threads 2 --quiet >"$folder/small"
)
cmp "$folder/small" "$folder/stats" || fail "statistics depend on the address space"

# A stream: ten times as long, no more memory.
lines() {
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; ++i) printf "w%d w%d some words that are unknown, number %d and more of them here at the end\n", i % 20, i * 7 % 20, i }'
}
sanitize() {
  peak "$1" "$gauze" text sanitize - --vectors "$folder/v.gvec" --epsilon 2 --memory 16M --threads 2 --quiet \
    -o "$folder/out.txt"
}
lines 80000 | sanitize "$folder/short.peak"
lines 800000 | sanitize "$folder/long.peak"
[[ $(wc -l <"$folder/out.txt") == 800000 ]] || fail "lines are missing"

stats=$(<"$folder/stats.peak") short=$(<"$folder/short.peak") long=$(<"$folder/long.peak")
echo "statistics $stats kB, streams of 6 and 60 MB $short and $long kB"
((stats > 10000 && short > 10000 && long > 10000)) || fail "the peaks were not measured"
((stats < 150000)) || fail "statistics took more than 150 MB"
((long < short + 40000)) || fail "a longer stream took more memory"
