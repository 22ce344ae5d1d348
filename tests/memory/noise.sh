#!/usr/bin/env bash
# noise.sh GAUZE: many numbers take no more memory than some, to a file and as JSON.
set -euo pipefail
readonly gauze=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# shellcheck source=tests/memory/peak.sh
source "$(dirname "$(readlink -f "$0")")/peak.sh"

draw() { # COUNT
  peak "$folder/$1.peak" "$gauze" noise laplace --epsilon 1 --count "$1" --json --quiet -o "$folder/$1.txt" >"$folder/$1.json"
}
draw 300000
draw 3000000
[[ $(wc -l <"$folder/3000000.txt") == 3000000 ]] || fail "numbers are missing"
some=$(<"$folder/300000.peak") many=$(<"$folder/3000000.peak")
echo "300,000 and 3,000,000 numbers: $some and $many kB"
((some > 5000 && many > 5000)) || fail "the peaks were not measured"
((many < some + 8000)) || fail "more numbers took more memory"
