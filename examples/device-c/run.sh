#!/usr/bin/env bash
# run.sh PROGRAM GAUZE: a month of a device, on a task that the command made.
set -euo pipefail
program=$(readlink -f "$1") gauze=$(readlink -f "$2")
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir shipped
readonly day=86400 first=1798848000 # the first second of a window of 30 days

fail() {
  echo "$1" >&2
  exit 1
}

# ends STATUS WORDS COMMAND...: it ends with this status, and says these words.
ends() {
  local wanted=$1 words=$2 status=0
  shift 2
  "$@" >said 2>&1 || status=$?
  [[ $status == "$wanted" ]] || fail "'$*' ended with $status instead of $wanted: $(<said)"
  [[ $(<said) == *"$words"* ]] || fail "'$*' did not say '$words': $(<said)"
}
app() { "$program" shipped state "$@"; }

"$gauze" collect task "$here/battery.yaml" -o battery.json >/dev/null 2>&1
node "$here/unpack_task.mjs" battery.json shipped

ends 3 'nobody agreed' app report 83 "$first"
ends 0 'You agreed.' app agree
ends 0 'What is sent: ' app report 83 "$first"
ends 0 'made already' app report 84 $((first + day - 1))
# 15 a window at 0.5 a report: one a day.
for ((i = 1; i < 30; ++i)); do ends 0 'What is sent: ' app report $((i * 3)) $((first + i * day)); done
ends 0 'What is sent: ' app report 100 $((first + 30 * day))
for ((i = 31; i < 60; ++i)); do ends 0 'What is sent: ' app report 50 $((first + i * day)); done
# A clock that was set back finds no window that is open again.
ends 3 'limit' app report 50 $((first - 30 * day))

# Another text is not the one that the task is about.
cp -r shipped tampered
echo ' We also read your letters.' >>tampered/statement.txt
ends 1 'not the statement' "$program" tampered state agree
ends 0 '' app withdraw
ends 3 'nobody agreed' app report 50 $((first + 60 * day))
ends 0 'You agreed.' app agree

# A ledger that is damaged or gone is no fresh one.
cp state/ledger kept
printf 'x' | dd of=state/ledger bs=1 seek=40 conv=notrunc status=none
ends 3 'ledger is damaged' app report 50 $((first + 60 * day))
rm state/ledger
ends 1 'ledger is lost' app report 50 $((first + 60 * day))
cp kept state/ledger

# Where the ledger cannot be stored nothing gets out.
mkdir state/ledger.part
ends 1 'ledger cannot be stored' app report 50 $((first + 60 * day))
rmdir state/ledger.part
[[ ! -e state/$(((first + 60 * day) / day)).block ]] || fail "a report got out before its charge was stored"
ends 0 'What is sent: ' app report 50 $((first + 60 * day))

"$gauze" --json collect aggregate state/*.block --task battery.json >counted
node -e 'const r = JSON.parse(require("fs").readFileSync("counted")); process.exit(r.reports === 61 && Object.values(r.rejected).every((n) => n === 0) ? 0 : 1)' ||
  fail "the reports do not count: $(head -c 300 counted)"
