#!/usr/bin/env bash
# ordinary_user.sh GAUZE: what a process may still do once its memory is hidden from others (PR_SET_DUMPABLE): its own
# /proc/self belongs to root then, and tables are read and written by way of it.
set -euo pipefail
readonly gauze=$1
folder=$(mktemp -d)
waiting=
trap '[[ -z $waiting ]] || kill "$waiting" 2>/dev/null; rm -rf "$folder"' EXIT

fail() {
  echo "$1" >&2
  exit 1
}
skip() {
  echo "skipped: $1"
  exit 77
}

# What turns a command into one of somebody who is not root.
user=()
if ((EUID == 0)); then
  command -v setpriv >/dev/null || skip "there is no setpriv to become an ordinary user with"
  user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
  chown 65534:65534 "$folder"
fi
"${user[@]}" test -x "$gauze" || skip "an ordinary user cannot run $gauze"
cd "$folder"

{
  echo 'age,sex,illness'
  for ((i = 0; i < 200; ++i)); do echo "$((20 + i % 40)),$((i % 2)),i$((i % 3))"; done
} >people.csv
gzip -k people.csv
common=(--quasi "age,sex" --k 5 --suppression 0.5 --quiet)
"${user[@]}" "$gauze" anonymize people.csv "${common[@]}" -o a.csv >/dev/null || fail "a CSV cannot be read"
"${user[@]}" "$gauze" anonymize people.csv.gz "${common[@]}" -o b.parquet >/dev/null || fail "no Parquet file can be written"
"${user[@]}" "$gauze" anonymize b.parquet "${common[@]}" -o c.csv.gz >/dev/null || fail "a Parquet file cannot be read"
"${user[@]}" "$gauze" anonymize - "${common[@]}" -o - <people.csv >d.csv || fail "the standard input cannot be read"
for file in a.csv d.csv; do
  [[ $(wc -l <"$file") == 201 ]] || fail "$file has $(wc -l <"$file") lines"
done

# look FLAG...: a command that waits for its input; whether its owner may look into it.
mkfifo pipe
look() {
  "${user[@]}" "$gauze" text sanitize pipe --vectors v.txt --epsilon 1 -o out.txt --quiet "$@" 2>/dev/null &
  waiting=$!
  exec 3>pipe
  local tries owner=
  for ((tries = 0; tries < 100; ++tries)); do
    owner=$(stat -c %u "/proc/$waiting/environ" 2>/dev/null || true)
    [[ $(tr '\0' ' ' <"/proc/$waiting/cmdline") == *gauze* && -e /proc/$waiting/fd/3 ]] && break
    sleep 0.05
  done
  limit=$(awk '/^Max core file size/ { print $5 }' "/proc/$waiting/limits")
  owner=$(stat -c %u "/proc/$waiting/environ")
  exec 3>&-
  wait "$waiting" || true
  waiting=
  echo "$owner $limit"
}
printf 'good 0 0\nfilm 1 0\n' >v.txt
chmod a+rw pipe v.txt
ulimit -S -c "$(ulimit -H -c)"
hidden=$(look)
[[ $hidden == "0 0" ]] || fail "the memory of a command is open to its user: $hidden"
shown=$(look --allow-core-dumps)
[[ ${shown%% *} != 0 ]] || fail "--allow-core-dumps hides the memory: $shown"
