# shellcheck shell=bash
# ./dev test: all tests, then those that lie beside the code once more under the sanitizers.

# run_ctest PRESET ARGUMENT...: runs ctest and keeps its output in build/log.
run_ctest() {
  local preset=$1
  shift
  ctest --preset "$preset" --no-tests=error "$@" 2>&1 | tee "$(log_file "test-$preset")"
}

# summary LOG...: which tests failed, and one plain line that adds up what ctest printed.
summary() {
  local total failed skipped
  cat "$@" | grep -v 'Not Run (Disabled)' |
    sed -n 's/^[[:space:]]*[0-9]*\/[0-9]* Test *#[0-9]*: \(.*[^. ]\) *\.*\*\*\*\(Failed\|Exception.*\|Timeout\|Not Run\) .*/FAILED: \1 (\2)/p'
  total=$(sed -n 's/.*tests failed out of \([0-9]*\)$/\1/p' "$@" | paste -sd+)
  failed=$(sed -n 's/.* \([0-9]*\) tests failed out of [0-9]*$/\1/p' "$@" | paste -sd+)
  skipped=$(cat "$@" | grep -c '^[[:space:]]*[0-9]*/[0-9]* Test .*\*\*\*\(Skipped\|Not Run (Disabled)\)' || true)
  printf '%d passed, %d failed, %d skipped\n' "$((${total:-0} - ${failed:-0} - skipped))" "$((${failed:-0}))" "$skipped"
}

cmd_test() {
  local status=0 logs=(build/log/test-test.log)
  if [[ ${1:-} == --long ]]; then
    export GAUZE_LONG_TESTS=1
    shift
  fi
  setup_tests
  build test
  ln -sfn release/capi build/capi
  run_ctest test "$@" || status=1
  if (($# == 0)); then
    say "Under the address and undefined-behaviour sanitizers:"
    build asan unit_tests
    run_ctest asan -L '^unit:' || status=1
    logs+=(build/log/test-asan.log)
  fi
  summary "${logs[@]}"
  say_time
  return $status
}
