#!/usr/bin/env bash
# build_tree.sh BUILD-TREE SANITIZERS: every program and library of the build tree, and what `cmake --install` makes of it.
set -euo pipefail
build=$1 sanitizers=${2:-}
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/../structure/report.sh"
# shellcheck source=tests/hardening/elf.sh
source "$here/elf.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=0

is_elf() { [[ $(head -c 4 "$1" | od -An -tx1 | tr -d ' \n') == 7f454c46 ]]; }

# check_below FOLDER: programs are ours; a shared library that came from elsewhere (DuckDB's) was built by its makers, but
# where it looks for others, and whether its stack can be run, counts all the same.
check_below() {
  local file
  while IFS= read -r -d '' file; do
    is_elf "$file" || continue
    programs=$((programs + 1))
    if [[ $file == *.so || $file == *.so.* ]]; then
      check_search_path "$file"
      check_stack "$file"
    elif [[ $file != */gauze_precompiled_tests ]]; then  # empty: made for its header
      check_program "$file"
    fi
  done < <(find -L "$1" -type f \( -perm -u+x -o -name '*.so*' \) -print0)
}

# check_archives FOLDER: the modules' libraries, which other programs are linked with. A small one may have no function that
# needs a canary; most have.
check_archives() {
  local file archives=0 guarded=0
  while IFS= read -r -d '' file; do
    archives=$((archives + 1))
    ! readelf -sW "$file" | grep '__stack_chk_fail' >/dev/null || guarded=$((guarded + 1))
  done < <(find "$1" -name 'libgauze_*.a' -print0)
  ((archives > 0 && 2 * guarded > archives)) || problem "$1: $guarded of $archives libraries have a stack protector"
}

# check_flags: every compilation of ours is fortified and has canaries; small programs may have nothing to show for it.
check_flags() {
  local flag
  for flag in -fstack-protector-strong ${sanitizers:-"-D_FORTIFY_SOURCE=2"}; do
    [[ $flag == -* ]] || continue
    if grep -F '"command":' "$build/compile_commands.json" | grep -vF -e "$flag" | grep . >/dev/null; then
      problem "some sources are compiled without $flag"
    fi
  done
}

check_below "$build/bin"
check_below "$build/lib"
check_archives "$build/src"
check_flags
if [[ -z $sanitizers && -e $build/bin/gauze ]]; then
  readelf -sW "$build/bin/gauze" | grep -E '__[a-z]+_chk(@|$)' >/dev/null || problem "gauze: calls no fortified function"
fi
cmake --install "$build" --prefix "$work/prefix" >/dev/null
check_below "$work/prefix"
check_archives "$work/prefix"
((programs > 3)) || problem "only $programs programs were looked at"
finish
