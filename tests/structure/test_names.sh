#!/usr/bin/env bash
# test_names.sh BUILD: no test that ctest knows there is named by the bytes of an object, which differ in every build, or by
# the number of its parameter.
set -euo pipefail
build=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"

names=$(ctest --test-dir "$build" --show-only | sed -nE 's/^ *Test +#[0-9]+: //p')
[[ -n $names ]] || problem "$build: there are no tests"
while IFS= read -r name; do
  [[ -z $name ]] || problem "'$name': give the parameter a name (the last argument of INSTANTIATE_TEST_SUITE_P)"
done < <(grep -E -- '-byte object|GetParam\(\)|/[0-9]+$' <<<"$names" || true)
finish
