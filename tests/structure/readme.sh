#!/usr/bin/env bash
# readme.sh ROOT: README.md links every page of the guide, and nothing that is not there.
set -euo pipefail
root=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"
cd "$root"

for page in docs/guide/*.md; do
  grep -qF "($page)" README.md || problem "README.md: does not link $page"
done
while IFS= read -r target; do
  [[ $target == http* || -e ${target%%#*} ]] || problem "README.md: links $target, which is not there"
done < <(grep -oE '\]\([^)]+\)' README.md | sed 's/^](//; s/)$//' | sort -u)
finish
