#!/usr/bin/env bash
# flags.sh ROOT: no text of a room below cli names a flag of the command line. A server and other programs show it, too: what a
# message asks for has a name of its own.
set -euo pipefail
root=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"

# A text, or a quote as a character. A text that begins with dashes is an argument for a program that is run.
text="'\\\\?\"'|\"([^\"\\\\]|\\\\.)*\""
flag='[^-<!a-zA-Z"\\]--[a-z]|\\n--[a-z]'
while IFS=: read -r file line _; do
  problem "$file:$line: a text names a flag of the command line"
done < <(source_files "$root" '*.cpp' '*.h' | grep '^src/gauze/' | grep -v '^src/gauze/cli/\|_test\.cpp$\|_bench\.cpp$' |
  (cd "$root" && xargs grep -HnoE "$text") | grep -E "$flag" || true)
finish
