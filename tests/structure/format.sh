#!/usr/bin/env bash
# format.sh ROOT: the C and C++ sources are laid out as clang-format 14 lays them out.
set -euo pipefail
root=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"

clang-format-14 --version | grep -q 'version 14\.' || problem "clang-format 14 is needed: ./dev setup"
cd "$root"
source_files . '*.cpp' '*.h' '*.c' | tr '\n' '\0' | xargs -0 clang-format-14 --dry-run -Werror --style=file ||
  problem "some files are not formatted: ./dev format"
finish
