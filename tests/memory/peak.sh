# shellcheck shell=bash
# Sourced by the tests of memory.

fail() {
  echo "$1" >&2
  exit 1
}

# peak FILE COMMAND...: runs the command and writes the most memory it had (resident, in kB) to the file; its exit status.
peak() {
  local file=$1 most=0 now pid status=0
  shift
  "$@" &
  pid=$!
  while now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [[ -n $now ]]; do
    most=$now
    sleep 0.02
  done
  wait "$pid" || status=$?
  echo "$most" >"$file"
  return "$status"
}
