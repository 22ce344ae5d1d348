#!/usr/bin/env bash
# endings.sh GAUZE: a full disk and a stopped process leave no output, no temporary file, and another exit status than 0.
set -euo pipefail
readonly gauze=$1
folder=$(mktemp -d)
feeder=
trap '[[ -z $feeder ]] || kill "$feeder" 2>/dev/null; rm -rf "$folder"' EXIT

fail() {
  echo "$1" >&2
  exit 1
}

printf 'good 0 0\nfilm 1 0\nbad 0 1\n' >"$folder/v.txt"
printf 'good film\n' >"$folder/t.txt"
readonly sanitize=("$gauze" text sanitize --vectors "$folder/v.txt" --epsilon 1 --quiet)

# A full disk behind the standard output.
if [[ -c /dev/full ]]; then
  status=0
  "${sanitize[@]}" "$folder/t.txt" -o - >/dev/full 2>"$folder/err" || status=$?
  [[ $status == 1 ]] || fail "a full disk ended with $status, not 1"
  grep -q 'cannot write the results to stdout' "$folder/err" || fail "a full disk is not told: $(<"$folder/err")"
fi

# A file that may not grow further, as by a quota.
mkdir "$folder/limited"
yes 'good film, bad film' | head -n 200000 >"$folder/long.txt" || true
status=0
(ulimit -f 64 && exec "${sanitize[@]}" "$folder/long.txt" -o "$folder/limited/out.txt") 2>"$folder/err" || status=$?
[[ $status == 1 ]] || fail "a file that may not grow ended with $status, not 1"
[[ -z $(ls -A "$folder/limited") ]] || fail "a file that may not grow left $(ls -A "$folder/limited")"
grep -q 'cannot write' "$folder/err" || fail "a file that may not grow is not told: $(<"$folder/err")"

# stopped SIGNAL NAME COMMAND...: sends the signal once the command has begun to write in the folder NAME, which must be empty
# then.
stopped() {
  local signal=$1 place=$folder/$2 pid status=0
  shift 2
  "$@" 2>"$folder/err" &
  pid=$!
  while kill -0 "$pid" 2>/dev/null && [[ -z $(find "$place" -mindepth 1) ]]; do sleep 0.02; done
  kill "-$signal" "$pid" 2>/dev/null || fail "it ended before it could be stopped: $(<"$folder/err")"
  wait "$pid" || status=$?
  [[ $status == 130 ]] || fail "a stopped run ended with $status, not 130"
  [[ -z $(ls -A "$place") ]] || fail "a stopped run left $(ls -A "$place")"
  grep -q 'interrupted' "$folder/err" || fail "a stop is not told: $(<"$folder/err")"
}

# A text without end, which is being worked on. Under nohup nothing hears that a terminal is closed.
mkdir "$folder/endless"
mkfifo "$folder/pipe"
for signal in TERM HUP; do
  [[ $signal == HUP && -n $(trap -p HUP) ]] && continue
  yes 'good film, bad film' >"$folder/pipe" 2>/dev/null &
  feeder=$!
  stopped "$signal" endless "${sanitize[@]}" "$folder/pipe" -o "$folder/endless/out.txt"
  kill "$feeder" 2>/dev/null || true
  feeder=
done

# Standard input that nobody goes on writing to.
mkdir "$folder/waiting"
mkfifo "$folder/stdin"
exec 3<>"$folder/stdin"
printf 'good film\n' >&3
waiting() { exec "${sanitize[@]}" - -o "$folder/waiting/out.txt" <"$folder/stdin"; }
stopped TERM waiting waiting
