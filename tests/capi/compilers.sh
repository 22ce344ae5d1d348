#!/usr/bin/env bash
# compilers.sh SOURCE-FOLDER: the encoder compiles without a warning and without a C library, by gcc and clang, for 64 and 32 bits and for
# ARM; and no compiler adds calls of functions that are not there. (For browsers the linker looks: build.sh of the package.)
set -euo pipefail
sources=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/../structure/report.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0
cd "$sources"

# tries NAMES-PROGRAM COMPILER OPTION...: compiles every source, and looks for what nobody defines. The name that is left out belongs to
# the linker.
tries() {
  local names=$1 level file foreign
  shift
  command -v "$1" >/dev/null || { echo "not there: $1" && return; }
  tried=$((tried + 1))
  for level in -Os -O3; do
    rm -rf "$work/objects" && mkdir "$work/objects"
    for file in gauze/encoder/*.c gauze/encoder/mechanisms/*.c; do
      "$@" "$level" -std=c11 -ffreestanding -fno-stack-protector -fvisibility=hidden -Wall -Wextra -Wconversion -Werror -I . \
        -c "$file" -o "$work/objects/${file//\//_}.o" || problem "$file: $* $level refuses it"
    done
    foreign=$("$names" -P -u "$work"/objects/*.o | awk 'NF > 1 { print $1 }' | sort -u |
      grep -v '^gauze_\|^_GLOBAL_OFFSET_TABLE_$' | xargs || true)
    [[ -z $foreign ]] || problem "$* $level asks for: $foreign"
  done
}

tries nm gcc -fno-tree-loop-distribute-patterns
tries nm gcc -m32 -fno-tree-loop-distribute-patterns
tries nm clang-14
tries nm clang-14 -m32
tries nm clang-14 --target=armv7m-none-eabi
tries arm-none-eabi-nm arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -fno-tree-loop-distribute-patterns
((tried > 1)) || problem "only $tried compilers were there"
finish
