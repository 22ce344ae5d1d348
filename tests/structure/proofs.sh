#!/usr/bin/env bash
# proofs.sh ROOT: every page under docs/proofs/ that a source names exists; the page of a header's "Proven" line names what
# it proves; and what states a "Guarantee" in a folder of mechanisms, or of modes of release, has a "Proven" line.
set -euo pipefail
root=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"
cd "$root"

while IFS=: read -r file page; do
  [[ -f $page ]] || problem "$file: names $page, which is not there"
done < <(grep -rohHE --include='*.h' --include='*.cpp' 'docs/proofs/[a-z0-9-]+\.md' src | sort -u)

# statements FILE: of every comment that says "Guarantee" or "Proven" what follows it (class or function), whether there is
# a guarantee, and the page of the proof, or "-".
statements() {
  awk '
    /^ *\/\/\/ (Guarantee|Proven) +:/ { stated = 1 }
    /^ *\/\/\/ Guarantee +:/ { guarantee = "guarantee" }
    /^ *\/\/\/ Proven +:/ && match($0, /docs\/proofs\/[a-z0-9-]+\.md/) { page = substr($0, RSTART, RLENGTH) }
    /^ *\/\/\// || /^ *template *</ || /^ *requires/ { next }
    stated {
      text = $0
      if (match(text, /^ *(class|struct) +[A-Za-z0-9_]+/)) {
        name = substr(text, RSTART, RLENGTH); sub(/^ *(class|struct) +/, "", name)
      } else {
        sub(/\(.*/, "", text); name = text; sub(/.*[^A-Za-z0-9_]/, "", name)
      }
      print (name == "" ? "?" : name), (guarantee == "" ? "none" : guarantee), (page == "" ? "-" : page)
    }
    { stated = 0; guarantee = ""; page = "" }' "$1"
}

while IFS= read -r file; do
  while read -r name guarantee page; do
    if [[ $page == - ]]; then
      [[ $guarantee == none || ! $file =~ /(mechanisms|modes)/ ]] ||
        problem "$file: $name states a guarantee, but no page under docs/proofs/ after \"Proven\""
    elif [[ -f $page ]]; then
      grep -qF "\`$name\`" "$page" || problem "$page: does not name \`$name\`, which $file says it proves"
    fi
  done < <(statements "$file")
done < <(source_files . '*.h' | grep '^src/')
finish
