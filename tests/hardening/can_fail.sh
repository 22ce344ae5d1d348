#!/usr/bin/env bash
# can_fail.sh COMPILER: shows every check a program that passes, and one that lacks what it looks for.
# shellcheck disable=SC2016 # $ORIGIN is for the loader, not for this script
set -euo pipefail
compiler=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/../structure/report.sh"
# shellcheck source=tests/hardening/elf.sh
source "$here/elf.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/open" "$work/closed"
chmod 777 "$work/open"
cat >"$work/x.cpp" <<'TEXT'
#include <cstdio>
int main() {
  char line[64];
  return std::scanf("%63s", line) == 1 ? line[0] : 0;
}
TEXT

# make FLAG...: the program with good flags, and then these.
make() {
  "$compiler" -O2 -fPIE -fstack-protector-strong "$work/x.cpp" -o "$work/x" -pie -Wl,-z,relro,-z,now,-z,noexecstack "$@"
}

# verdict: how many problems the program has.
verdict() (
  problems=0
  check_program "$work/x" >"$work/output" 2>&1
  echo "$problems"
)

# accepts FLAG... and refuses FLAG...: what the checks must say to the program that these flags make.
accepts() {
  make "$@"
  [[ $(verdict) == 0 ]] || problem "refused with $*: $(<"$work/output")"
}
refuses() {
  make "$@"
  [[ $(verdict) != 0 ]] || problem "accepted with $*"
}

accepts
accepts '-Wl,-rpath,$ORIGIN/closed'
accepts "-Wl,-rpath,$work/closed"
refuses -Wl,-rpath,:
refuses '-Wl,-rpath,$ORIGIN/closed:'
refuses '-Wl,-rpath,:$ORIGIN/closed'
refuses "-Wl,-rpath,$work/closed::$work/closed"
refuses -Wl,-rpath,closed
refuses -Wl,-rpath,.
refuses '-Wl,-rpath,$ORIGINAL'
refuses '-Wl,-rpath,$ORIGIN/open'
refuses "-Wl,--disable-new-dtags,-rpath,$work/open"
refuses -Wl,-z,norelro
refuses -Wl,-z,lazy
refuses -Wl,-z,execstack
refuses -fno-pie -no-pie
refuses -fno-stack-protector
finish
