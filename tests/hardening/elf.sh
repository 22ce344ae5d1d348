# shellcheck shell=bash
# Sourced: checks of one ELF file by what readelf tells. Problems are collected by tests/structure/report.sh.
# (grep reads to the end, not -q: readelf would fail when its reader goes away.)

# check_search_path FILE: where the loader looks for libraries. An empty or relative element is the current folder, and
# one that others can write to is theirs: both run whatever lies there.
check_search_path() {
  local file=$1 paths path element folder
  paths=$(readelf -dW "$file" | sed -nE 's/.*\((RPATH|RUNPATH)\).*\[(.*)\]$/\2/p')
  [[ -n $paths ]] || ! readelf -dW "$file" | grep -E '\((RPATH|RUNPATH)\)' >/dev/null || problem "$file: has an empty search path"
  while IFS= read -r path; do
    [[ -n $path ]] || continue
    # A colon at either end, or two in a row, is an empty element.
    [[ :$path: != *::* ]] || problem "$file: the search path '$path' has an empty element"
    while IFS= read -r -d: element; do
      [[ -n $element ]] || continue
      if [[ $element != "\$ORIGIN" && $element != "\$ORIGIN"/* && $element != /* ]]; then
        problem "$file: '$element' of its search path is relative to the current folder"
        continue
      fi
      folder=${element/#\$ORIGIN/$(dirname "$(readlink -f "$file")")}
      [[ ! -d $folder ]] || ! find -L "$folder" -maxdepth 0 -perm /022 | grep -q . ||
        problem "$file: others can write to '$element' of its search path"
    done <<<"$path:"
  done <<<"$paths"
}

# check_stack FILE: nothing on the stack can be run.
check_stack() {
  local line
  line=$(readelf -lW "$1" | grep -w GNU_STACK || true)
  [[ $line =~ [[:space:]]RW[[:space:]] ]] || problem "$1: its stack can be run ($line)"
}

# check_relocations FILE: everything is resolved at the start and read-only from then on.
check_relocations() {
  local dynamic
  dynamic=$(readelf -dW "$1")
  readelf -lW "$1" | grep -w GNU_RELRO >/dev/null || problem "$1: has no read-only relocations (-z relro)"
  grep -qE '\(BIND_NOW\)|\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW' <<<"$dynamic" ||
    problem "$1: resolves functions late, and so keeps their table writable (-z now)"
  ! grep -q '(TEXTREL)' <<<"$dynamic" || problem "$1: rewrites its own code when it is loaded"
}

# check_position FILE: a program that can lie anywhere in memory.
check_position() {
  [[ $(readelf -hW "$1" | awk '$1 == "Type:" { print $2 }') == DYN ]] || problem "$1: is not position-independent (-pie)"
}

# check_canaries FILE: functions with arrays notice that they were overrun.
check_canaries() {
  readelf -sW "$1" | grep '__stack_chk_fail' >/dev/null || problem "$1: has no stack protector"
}

# check_program FILE: all of it.
check_program() {
  check_search_path "$1"
  check_stack "$1"
  check_relocations "$1"
  check_position "$1"
  check_canaries "$1"
}
