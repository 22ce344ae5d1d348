#!/usr/bin/env bash
# dependencies.sh ROOT: every Debian package has a reason, every dependency stands in ARCHITECTURE.md, and what comes from
# npm is pinned by an integrity hash and by nothing else.
set -euo pipefail
root=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"

named_in_architecture() {
  grep -qF "\`$1\`" "$root/ARCHITECTURE.md" || problem "ARCHITECTURE.md: does not name \`$1\`"
}

while IFS= read -r line; do
  [[ -z $line || $line == '#'* || $line =~ ^\[[a-z]+\]$ ]] && continue
  if [[ $line =~ ^([a-z0-9][a-z0-9.+-]+)[[:space:]]+'# '[^[:space:]].+ ]]; then
    named_in_architecture "${BASH_REMATCH[1]}"
  else
    problem "packaging/debian-packages.txt: '$line' is not 'name # reason'"
  fi
done <"$root/packaging/debian-packages.txt"

# check_npm FOLDER: the package.json there and its lock, without a folder those of the root.
check_npm() {
  local lock=$1package-lock.json package entry
  while IFS= read -r package; do
    named_in_architecture "$package"
  done < <(sed -nE '/[dD]ependencies"/,/}/s/^ *"([^"]+)": "[0-9].*/\1/p' "$root/$1package.json")
  while IFS= read -r entry; do
    [[ $(grep -A 3 -F "\"$entry\": {" "$root/$lock") == *'"integrity": "sha512-'* ]] ||
      problem "$lock: $entry has no integrity hash"
  done < <(sed -nE 's/^ *"(node_modules\/[^"]+)": \{.*/\1/p' "$root/$lock")
  ! grep -nE '"(resolved|hasInstallScript)"' "$root/$lock" || problem "$lock: names a host or an install script"
  ! grep -nE '": "[~^*<>]' "$root/$1package.json" | grep -v '"node":' || problem "$1package.json: a version is not exact"
}

check_npm ''
check_npm web/
finish
