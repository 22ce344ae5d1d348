#!/usr/bin/env bash
# check_samples.sh GAUZE FILE.md...: runs every `$ gauze ...` line of the ```console blocks and compares its stdout.
#
# The lines after a command, up to the next command or the end of the block, are the output it must have:
#   ...         inside a line: any characters; a line of its own: any number of lines
#   # exit 2    the exit status, 0 if there is no such line
# stderr is not compared. All commands of a file run in one temporary directory, in order; it begins with a copy of the
# files in examples/data, examples/policies, examples/query, examples/collect and examples/audit; a program that a sample
# starts finds `gauze`, too. Blank lines at the end of the output are ignored. A line `$ ` with another program is an error: a sample that is not run proves nothing.
set -euo pipefail

if (($# < 2)); then
  echo "usage: check_samples.sh GAUZE FILE.md..." >&2
  exit 2
fi
gauze=$(readlink -f "$1")
shift
[[ -x $gauze ]] || {
  echo "$gauze: not a program" >&2
  exit 2
}
here=$PWD
examples=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../../examples")
workspace=$(mktemp -d)
trap 'rm -rf "$workspace"' EXIT
export PATH=${gauze%/*}:$PATH
samples=0
failures=0

# The command that is being read: its text, where it stands, the output and the status it must have.
command=
place=
expected=
status=0

fail() {
  printf '%s: %s\n' "$place" "$1"
  failures=$((failures + 1))
}

# pattern_of TEXT: an extended regular expression for the expected output.
pattern_of() {
  local line pattern='' newline=$'\n'
  while IFS= read -r line; do
    if [[ $line == ... ]]; then
      pattern+="([^$newline]*$newline)*"
    else
      line=$(sed -e 's/[][\.*^$+?(){}|]/\\&/g' -e 's/\\\.\\\.\\\./[^\n]*/g' <<<"$line")
      pattern+="${line//'\n'/$newline}$newline"
    fi
  done <<<"${1%"$newline"}"
  printf '^%s$' "$pattern"
}

run_sample() {
  [[ -n $command ]] || return 0
  local words actual actual_status=0 newline=$'\n'
  samples=$((samples + 1))
  # The words of a sample are those of the shell, without its other powers: quotes work, nothing is run or expanded.
  if ! mapfile -d '' words < <(xargs printf '%s\0' <<<"${command#gauze}" 2>/dev/null); then words=(); fi
  [[ $command == gauze ]] && words=()
  actual=$("$gauze" "${words[@]}" 2>/dev/null </dev/null) || actual_status=$?
  if ((actual_status != status)); then
    fail "'$command' ended with $actual_status, not $status"
  elif [[ -z ${expected//$newline/} ]]; then
    [[ -z $actual ]] || fail "'$command' printed something, the sample has nothing:$newline$actual"
  elif ! [[ $actual$newline =~ $(pattern_of "$expected") ]]; then
    fail "'$command' printed$newline${actual:-(nothing)}${newline}instead of$newline${expected%"$newline"}"
  fi
  command=
}

check_file() {
  local file=$1 line number=0 inside=0
  cd "$workspace"
  while IFS= read -r line || [[ -n $line ]]; do
    number=$((number + 1))
    if ((inside == 0)); then
      [[ $line == '```console'* ]] && inside=1
      continue
    fi
    case $line in
      '```'*)
        run_sample
        inside=0
        ;;
      '$ gauze' | '$ gauze '*)
        run_sample
        command=${line#'$ '}
        place=$file:$number
        expected=
        status=0
        ;;
      '$ '*)
        run_sample
        place=$file:$number
        fail "only samples of gauze are run, not '${line#'$ '}'"
        ;;
      '# exit '*) status=${line#'# exit '} ;;
      *) expected+=$line$'\n' ;;
    esac
  done <"$file"
  if ((inside)); then
    place=$file:$number
    fail "the last block has no end"
  fi
  cd "$here"
}

for file in "$@"; do
  rm -rf "${workspace:?}"/*
  cp "$examples"/data/* "$examples"/policies/*.yaml "$examples"/query/*.csv "$examples"/query/*.yaml "$examples"/collect/*.yaml \
    "$examples"/collect/*.txt "$examples"/audit/*.awk "$workspace"
  check_file "$(readlink -f "$file")"
done
printf '%d sample(s), %d failure(s)\n' "$samples" "$failures"
exit $((failures > 0))
