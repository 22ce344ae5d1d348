#!/usr/bin/env bash
# can_fail.sh: shows symbols.sh and compilers.sh a small encoder in which all is well, and ones that break their rules.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/../structure/report.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
readonly functions="block consent_grant encode ledger_init payload_size task_cost task_load"

# make_libraries C-TEXT LINKER-OPTION...: the seven functions, and what is added to them.
make_libraries() {
  local name more=$1
  shift
  rm -rf "$work/place" && mkdir "$work/place"
  printf '#define GAUZE_API __attribute__((visibility("default")))\n' >"$work/place/gauze_encoder.h"
  for name in $functions; do printf 'GAUZE_API int gauze_%s(int x);\n' "$name" >>"$work/place/gauze_encoder.h"; done
  {
    cat "$work/place/gauze_encoder.h"
    for name in $functions; do printf 'int gauze_%s(int x) { return x; }\n' "$name"; done
    printf '%s\n' "$more"
  } >"$work/encoder.c"
  gcc -Os -fPIC -fvisibility=hidden -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables -c "$work/encoder.c" -o "$work/encoder.o"
  gcc -shared -nostdlib "$work/encoder.o" -o "$work/place/libgauze_encoder.so" "$@"
  ar rc "$work/place/libgauze_encoder.a" "$work/encoder.o"
}

# libraries ACCEPTED|REFUSED C-TEXT [LINKER-OPTION...]
libraries() {
  local wanted=$1 is=accepted
  shift
  make_libraries "$@"
  bash "$here/symbols.sh" "$work/place" >"$work/output" 2>&1 || is=refused
  [[ $is == "$wanted" ]] || problem "symbols.sh: '$*' is $is: $(<"$work/output")"
}

libraries accepted ''
libraries refused 'GAUZE_API int gauze_more(int x) { return x; }'
libraries refused 'int more(int x); GAUZE_API int gauze_more(int x) { return more(x); }'
libraries refused 'void* memcpy(void*, const void*, unsigned long); static int f(void* a, void* b) { return memcpy(a, b, 4) == a; } int (*const kept)(void*, void*) __attribute__((used)) = f;'
libraries refused 'static int counter __attribute__((used)) = 3;'
libraries refused 'static int counter __attribute__((used));'
libraries refused 'static const char large[40000] __attribute__((used)) = {1};'
libraries refused '' -Wl,--no-as-needed -lc

# sources ACCEPTED|REFUSED C-TEXT
sources() {
  local is=accepted
  rm -rf "$work/src" && mkdir -p "$work/src/gauze/encoder/mechanisms"
  printf '%s\n' "$2" >"$work/src/gauze/encoder/one.c"
  printf 'int gauze_two(int x);\nint gauze_two(int x) { return x; }\n' >"$work/src/gauze/encoder/mechanisms/two.c"
  bash "$here/compilers.sh" "$work/src" >"$work/output" 2>&1 || is=refused
  [[ $is == "$1" ]] || problem "compilers.sh: '$2' is $is: $(<"$work/output")"
}

sources accepted 'int gauze_one(int x); int gauze_one(int x) { return x; }'
sources refused 'char gauze_one(int x); char gauze_one(int x) { return x; }'
sources refused 'unsigned long long gauze_one(unsigned long long x, unsigned long long y); unsigned long long gauze_one(unsigned long long x, unsigned long long y) { return x / y; }'
sources refused '#include <string.h>
int gauze_one(void); int gauze_one(void) { return (int)strlen(__FILE__ + 1) + printf("x"); }'
finish
