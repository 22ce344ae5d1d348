#!/usr/bin/env bash
# shell.sh ROOT: shellcheck finds nothing in the shell scripts.
set -euo pipefail
root=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"

cd "$root"
{ source_files . '*.sh' && ls dev .ci/run 2>/dev/null || true; } | tr '\n' '\0' | xargs -0 shellcheck -x ||
  problem "shellcheck found something"
finish
