#!/usr/bin/env bash
# can_fail.sh CHECKER GAUZE: shows the checker samples that are wrong, one at a time; it must report each with its line,
# and accept the one that is right.
set -euo pipefail
checker=$1
gauze=$2
page=$(mktemp --suffix .md)
trap 'rm -f "$page"' EXIT
geometric='gauze threshold --epsilon 1 --delta 1e-5 --mechanism geometric'
problems=0

# try WANTED-STATUS WHAT LINE...: a page with one block of these lines.
try() {
  local wanted=$1 what=$2 status=0 report
  shift 2
  { printf 'A page.\n\n```console\n' && printf '%s\n' "$@" && printf '```\n'; } >"$page"
  report=$(bash "$checker" "$gauze" "$page") || status=$?
  if ((status != wanted)) || { ((wanted == 1)) && [[ $report != *"$page:4:"* ]]; }; then
    printf 'expected status %d for %s, got %d:\n%s\n' "$wanted" "$what" "$status" "$report"
    problems=$((problems + 1))
  fi
}

try 0 'a right sample' "\$ $geometric" 13
try 0 'a wildcard in a line' "\$ $geometric" '1...'
try 0 'a wildcard line' "\$ $geometric --users 13" ... '0...'
try 0 'the stated status' '$ gauze noise laplace --epsilon 0' '# exit 2'
try 1 'a wrong number' "\$ $geometric" 12
try 1 'a beginning that is not all' "\$ $geometric" 1
try 1 'a dot that is not a wildcard' "\$ $geometric" 1.
try 1 'a line too much' "\$ $geometric" 13 14
try 1 'a line too few' "\$ $geometric --users 13" 13
try 1 'output where none is shown' "\$ $geometric"
try 1 'a wildcard that would cross lines' "\$ $geometric --users 13" '1...'
try 1 'an unexpected failure' '$ gauze noise laplace --epsilon 0'
try 1 'an unexpected success' "\$ $geometric" 13 '# exit 2'
try 1 'another program' '$ true'
exit $((problems > 0))
