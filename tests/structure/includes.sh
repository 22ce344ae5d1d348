#!/usr/bin/env bash
# includes.sh ROOT MODULES: every #include of Gauze's own headers follows the declarations: a module includes itself and
# what it declares, declarations point to lower layers only, internal/ headers stay inside their module and its fuzz
# targets.
set -euo pipefail
root=$1 module_list=$2
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"
# shellcheck source=tests/structure/layers.sh
source "$here/layers.sh"

declare -A folder_of depends_of test_depends_of

read_modules() {
  local name folder depends test_depends
  while read -r name folder depends test_depends; do
    [[ $name == '#' ]] && continue
    folder_of[$name]=$folder depends_of[$name]=$depends test_depends_of[$name]=$test_depends
  done <"$module_list"
}

# layer MODULE: engines_duckdb and the like belong to the layer of engines.
layer() { printf '%s' "${layer_of[$1]:-${layer_of[${1%%_*}]:-}}"; }

check_layers() {
  local module dependency own lower
  for module in "${!folder_of[@]}"; do
    own=$(layer "$module")
    [[ -n $own ]] || { problem "$module: stands in no layer of layers.txt" && continue; }
    for dependency in ${depends_of[$module]//,/ }; do
      lower=$(layer "$dependency")
      [[ -n $lower && $lower -lt $own ]] || problem "$module: depends on $dependency, which is not in a lower layer"
    done
  done
}

# owner PATH: the module in whose folder the file lies; the deepest folder wins.
owner() {
  local module best='' length=0
  for module in "${!folder_of[@]}"; do
    if [[ $1 == "${folder_of[$module]}"/* ]] && ((${#folder_of[$module]} > length)); then
      best=$module length=${#folder_of[$module]}
    fi
  done
  printf '%s' "$best"
}

check_include() { # FILE INCLUDED
  local file=$1 included=$2 from to allowed
  from=$(owner "$file")
  to=$(owner "src/$included")
  if [[ $included != gauze/* || ! -f $root/src/$included ]]; then
    problem "$file: \"$included\" is not a header of src/ (write \"gauze/module/header.h\")"
  elif [[ $included == */internal/* && $from != "$to" && $file != fuzz/* ]]; then
    problem "$file: \"$included\" is private to $to"
  elif [[ -n $from && $from != "$to" ]]; then
    allowed=${depends_of[$from]}
    [[ $file != *_test.* ]] || allowed+=${test_depends_of[$from]}
    [[ $allowed == *",$to,"* ]] || problem "$file: includes \"$included\", but $from does not declare $to"
  fi
}

read_layers
read_modules
((${#folder_of[@]})) || problem "no module is declared"
check_layers
while IFS=$'\t' read -r file included; do
  check_include "$file" "$included"
done < <(cd "$root" && find src tests bench fuzz examples \( -name '*.h' -o -name '*.cpp' \) -print0 2>/dev/null |
  xargs -0 grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*("[^"]+"|<gauze/[^>]+>)' |
  grep -v '^tests/consumer/' | sed -E 's/^([^:]+):.*["<]([^">]+)[">]$/\1\t\2/')
finish
