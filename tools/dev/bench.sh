# shellcheck shell=bash
# ./dev bench [--peers]: one table of speeds, everything measured in this run. The machine may be busy: compare ratios.

readonly bench_results=build/bench/results

# run_benchmarks: every *_bench program, medians of five repetitions by CPU time, as JSON.
run_benchmarks() {
  local program name
  rm -rf "$bench_results" && mkdir -p "$bench_results"
  for program in build/bench/bin/*_bench; do
    name=$(basename "$program")
    say "Running $name"
    "$program" --benchmark_repetitions=5 --benchmark_report_aggregates_only=true --benchmark_min_time=0.2 \
      --benchmark_out_format=json --benchmark_out="$bench_results/$name.json" \
      >"$(log_file "$name")" 2>&1 || fail "$name failed; see build/log/$name.log"
  done
}

# has_venv: whether this Python can make a virtual environment with pip in it.
has_venv() { python3 -c 'import ensurepip, venv' 2>/dev/null; }

# The Python libraries, in an environment under build/ that nothing else uses and that ./dev clean removes.
setup_peers() {
  local place=build/peers list=bench/peers/requirements.txt log
  has_venv || install_packages peers
  log=$(log_file peers)
  [[ -f $place/stamp ]] && cmp -s "$place/stamp" "$list" && return
  say "Installing the peers from the Python index (once; log: $log)"
  rm -rf "$place"
  python3 -m venv "$place" >"$log" 2>&1 || fail "cannot make a Python environment; see $log"
  "$place/bin/pip" install --disable-pip-version-check --only-binary :all: -r "$list" >>"$log" 2>&1 ||
    fail "cannot install the peers from the Python index (is the network up?); see $log"
  cp "$list" "$place/stamp"
}

run_peers() {
  local script name
  for script in bench/peers/*_peers.py; do
    name=$(basename "$script" .py)
    say "Running $name"
    build/peers/bin/python "$script" >"$bench_results/$name.json" 2>"$(log_file "$name")" ||
      fail "the peers failed; see build/log/$name.log"
  done
}

cmd_bench() {
  local peers=0
  case ${1:-} in
    '') ;;
    --peers) peers=1 ;;
    *) fail "bench knows only --peers, not '$1'" 2 ;;
  esac
  setup_product
  install_packages bench
  setup_node
  ((!peers)) || setup_peers
  build bench
  compgen -G 'build/bench/bin/*_bench' >/dev/null || fail "there are no benchmarks yet"
  run_benchmarks
  ((!peers)) || run_peers
  node bench/table.mjs "$bench_results"/*.json
}
