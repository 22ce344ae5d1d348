#!/usr/bin/env bash
# address_space.sh GAUZE: under a small address space commands do their work and end at once. A library that starts threads
# when it is loaded would wait for them without end.
set -euo pipefail
readonly gauze=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
  echo "$1" >&2
  exit 1
}

# small COMMAND...: within 200 MB of addresses; the output is in `out`.
small() {
  local status=0
  (ulimit -v 200000 && exec timeout 60 "$gauze" "$@" --quiet) >out 2>err || status=$?
  [[ $status == 0 ]] || fail "gauze $*: ended with $status: $(<err)"
}

small noise laplace --epsilon 1
grep -qE '^-?[0-9]' out || fail "noise printed no number"
small account gaussian --sigma 2 --steps 100 --poisson 0.1 --delta 1e-5
grep -q '^epsilon ' out || fail "account printed no epsilon"
small calibrate gaussian --epsilon 1 --delta 1e-6
grep -q '^3\|^4' out || fail "calibrate printed $(<out)"
small ledger create people --ledger budget.ledger --epsilon 1
small ledger spend people --ledger budget.ledger --epsilon 0.25 --analyst ada
small ledger verify --ledger budget.ledger

printf 'good 0 0\nfilm 1 0\nbad 0 1\n' >v.txt
printf 'good film\n' >t.txt
small text vectors info v.txt
for mechanism in santext dchi; do
  small text sanitize t.txt --vectors v.txt --mechanism "$mechanism" --epsilon 1 -o "$mechanism.txt"
  [[ $(wc -w <"$mechanism.txt") == 2 ]] || fail "$mechanism wrote $(<"$mechanism.txt")"
done
small text probabilities --vectors v.txt --epsilon 1
cp out plain.txt
"$gauze" text probabilities --vectors v.txt --epsilon 1 --quiet >roomy.txt
cmp plain.txt roomy.txt || fail "a law depends on the address space"
