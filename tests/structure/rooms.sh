#!/usr/bin/env bash
# rooms.sh ROOT MODULES: every room has a README.md, and every source file is named in the CMakeLists.txt of its room.
set -euo pipefail
root=$1 module_list=$2
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"

while read -r name folder _; do
  [[ $name == '#' || -s $root/$folder/README.md ]] || problem "$folder: has no README.md"
done <"$module_list"

# room_of FILE: the nearest folder above that has a CMakeLists.txt.
room_of() {
  local folder
  folder=$(dirname "$1")
  while [[ ! -f $root/$folder/CMakeLists.txt && $folder == */* ]]; do folder=$(dirname "$folder"); done
  printf '%s' "$folder"
}

while IFS= read -r file; do
  room=$(room_of "$file")
  listed=$(tr -s '[:space:]()"' '\n' <"$root/$room/CMakeLists.txt" 2>/dev/null || true)
  grep -qxF "${file#"$room"/}" <<<"$listed" || problem "$file: is not listed in $room/CMakeLists.txt"
done < <(source_files "$root" '*.cpp' | grep '^src/')
finish
