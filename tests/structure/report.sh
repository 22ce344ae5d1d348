# shellcheck shell=bash
# Sourced by the checks: collects what breaks a rule, and ends with 1 if anything did.
problems=0

problem() {
  printf '%s\n' "$*"
  problems=$((problems + 1))
}

finish() {
  ((problems == 0)) || printf '%d problem(s)\n' "$problems"
  exit $((problems > 0))
}

# source_files ROOT NAME-PATTERN...: the project's own files of these names, as paths relative to ROOT.
source_files() {
  local root=$1 pattern tests=()
  shift
  for pattern in "$@"; do tests+=(-o -name "$pattern"); done
  (cd "$root" && find . \( -path ./build -o -name node_modules -o -path ./web/dist -o -path ./.git \) -prune -o -type f \
    \( "${tests[@]:1}" \) -print | sed 's|^\./||' | sort)
}
