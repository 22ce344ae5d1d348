# shellcheck shell=bash
# Sourced by the checks that know layers: layer_of[MODULE], the line of layers.txt that names it.
# shellcheck disable=SC2034,SC2154 # layer_of is read, and here is set, by whoever sources this
declare -A layer_of

read_layers() {
  local layer=0 line name
  while IFS= read -r line; do
    [[ -z $line || $line == '#'* ]] && continue
    layer=$((layer + 1))
    for name in $line; do layer_of[$name]=$layer; done
  done <"$here/layers.txt"
}
