#!/usr/bin/env bash
# lengths.sh ROOT: no file over 900 lines; those over 450 are named.
set -euo pipefail
root=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"

while IFS= read -r file; do
  lines=$(wc -l <"$root/$file")
  if ((lines > 900)); then
    problem "$file: $lines lines, at most 900 are allowed"
  elif ((lines > 450)); then
    printf 'warning: %s: %d lines, is there a seam to split it at?\n' "$file" "$lines"
  fi
done < <(source_files "$root" '*.cpp' '*.h' '*.c' '*.cmake' CMakeLists.txt '*.sh' '*.mjs' '*.ts' '*.tsx' '*.py' dev)
finish
