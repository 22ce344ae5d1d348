#!/usr/bin/env bash
# table_of_rooms.sh ROOT: the table of rooms in ARCHITECTURE.md has a row for every folder of src/gauze and no other, each
# with the layer of layers.txt, lowest first.
set -euo pipefail
root=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"
# shellcheck source=tests/structure/layers.sh
source "$here/layers.sh"

read_layers
declare -A seen
previous=0
# shellcheck disable=SC2016 # the backticks are those of the table
while read -r layer room; do
  [[ -z ${seen[$room]:-} ]] || problem "ARCHITECTURE.md: \`$room\` has two rows"
  seen[$room]=1
  [[ -d $root/src/gauze/$room ]] || problem "ARCHITECTURE.md: \`$room\` is no folder of src/gauze"
  [[ $layer == "${layer_of[$room]:-none}" ]] ||
    problem "ARCHITECTURE.md: \`$room\` stands in layer $layer, in layers.txt it is ${layer_of[$room]:-none}"
  ((layer >= previous)) || problem "ARCHITECTURE.md: \`$room\` stands below a higher layer"
  previous=$layer
done < <(sed -nE 's/^\| ([0-9]+) \| `([a-z0-9_]+)` \|.*[^ ] +\|$/\1 \2/p' "$root/ARCHITECTURE.md")

for folder in "$root"/src/gauze/*/; do
  room=$(basename "$folder")
  [[ -n ${seen[$room]:-} ]] || problem "ARCHITECTURE.md: the table of rooms has no row that explains \`$room\`"
done
finish
