#!/usr/bin/env bash
# symbols.sh FOLDER: what the libraries of the encoder give and ask for, read from their tables: exactly the documented functions, nothing
# from anybody else, nothing that is written to; and how large the shared one is.
set -euo pipefail
place=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/../structure/report.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
readonly largest=32768

documented="gauze_block gauze_consent_grant gauze_encode gauze_ledger_init gauze_payload_size gauze_task_cost gauze_task_load"
# The list of the header is the documented one.
declared=$(sed -nE 's/^GAUZE_API [a-z_]+ (gauze_[a-z_]+)\(.*/\1/p' "$place/gauze_encoder.h" | sort | xargs)
[[ $declared == "$documented" ]] || problem "gauze_encoder.h declares: $declared"

# names OPTION... FILE: of symbols, sorted, on one line.
names() { nm -P "$@" | awk 'NF > 1 { print $1 }' | sort -u | xargs; }

# given_and_asked NAME DEFINED UNDEFINED
given_and_asked() {
  [[ $2 == "$documented" ]] || problem "$1 exports: $2"
  [[ -z $3 ]] || problem "$1 asks for: $3"
}

library=$place/libgauze_encoder.so archive=$place/libgauze_encoder.a
given_and_asked libgauze_encoder.so "$(names -D --defined-only "$library")" "$(names -D -u "$library")"
given_and_asked libgauze_encoder.a "$(names -g --defined-only "$archive")" "$(names -u "$archive")"
! readelf -dW "$library" | grep -E '\((NEEDED|TEXTREL|INIT|FINI|INIT_ARRAY)\)' ||
  problem "libgauze_encoder.so needs another library, rewrites its code, or runs something when it is loaded"

# Tables of addresses are set by the loader and read-only from then on (.data.rel.ro); other written sections have no place here.
for file in "$library" "$archive"; do
  written=$(readelf -SW "$file" | sed -E 's/^ *\[ *[0-9]+\] //' |
    awk '$2 ~ /^(PROGBITS|NOBITS)$/ && $7 ~ /W/ && $5 !~ /^0+$/ && $1 !~ /^\.(data\.rel\.ro|got|got\.plt)/ { print $1 }' | xargs)
  [[ -z $written ]] || problem "$(basename "$file") has globals that can be written: $written"
done

cp "$library" "$work/stripped.so"
strip "$work/stripped.so"
size=$(stat -c %s "$work/stripped.so")
((size < largest)) || problem "libgauze_encoder.so has $size bytes without its names, $largest are too many"
finish
