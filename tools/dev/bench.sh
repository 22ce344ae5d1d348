# shellcheck shell=bash
# ./dev bench [--peers]: one table of speeds, everything measured in this run. The machine may be busy: compare ratios.

readonly bench_results=build/bench/results

# The tables of a shop for questions in SQL: thousands of line items.
readonly bench_shops=(10 100 1000 10000)

make_shops() {
  local thousands
  say "Making tables (once)"
  for thousands in "${bench_shops[@]}"; do
    node bench/generate_shop.mjs "${thousands}000" "build/bench/data/shop-${thousands}k" >"$(log_file shops)" 2>&1 ||
      fail "cannot make the tables; see build/log/shops.log"
  done
}

# run_benchmarks: every *_bench program, medians of five repetitions by CPU time, interleaved, as JSON.
run_benchmarks() {
  local program name
  rm -rf "$bench_results" && mkdir -p "$bench_results"
  for program in build/bench/bin/*_bench; do
    name=$(basename "$program")
    say "Running $name"
    "$program" --benchmark_repetitions=5 --benchmark_report_aggregates_only=true --benchmark_min_time=0.2 \
      --benchmark_enable_random_interleaving=true --benchmark_out_format=json --benchmark_out="$bench_results/$name.json" \
      >"$(log_file "$name")" 2>&1 || fail "$name failed; see build/log/$name.log"
  done
}

# has_venv: whether this Python can make a virtual environment with pip in it.
has_venv() { python3 -c 'import ensurepip, venv' 2>/dev/null; }

# install_peers PLACE LIST: an environment with the libraries of a list, once.
install_peers() {
  local place=$1 list=$2 log
  log=$(log_file "$(basename "$place")")
  [[ -f $place/stamp ]] && cmp -s "$place/stamp" "$list" && return
  say "Installing the peers of $list from the Python index (once; log: $log)"
  rm -rf "$place"
  python3 -m venv "$place" >"$log" 2>&1 || fail "cannot make a Python environment; see $log"
  "$place/bin/pip" install --disable-pip-version-check --only-binary :all: -r "$list" >>"$log" 2>&1 ||
    fail "cannot install the peers from the Python index (is the network up?); see $log"
  cp "$list" "$place/stamp"
}

# The Python libraries, in environments under build/ that nothing else uses and that ./dev clean removes. What does not go
# together with the others has a list of its own, requirements-NAME.txt for NAME_peers.py.
setup_peers() {
  local list name
  has_venv || install_packages peers
  install_peers build/peers bench/peers/requirements.txt
  for list in bench/peers/requirements-*.txt; do
    name=$(basename "$list" .txt)
    install_peers "build/peers-${name#requirements-}" "$list"
  done
}

run_peers() {
  local script name place
  for script in bench/peers/*_peers.py; do
    name=$(basename "$script" .py)
    place=build/peers
    [[ ! -f bench/peers/requirements-${name%_peers}.txt ]] || place=build/peers-${name%_peers}
    say "Running $name"
    "$place/bin/python" "$script" >"$bench_results/$name.json" 2>"$(log_file "$name")" ||
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
  make_shops
  run_benchmarks
  ((!peers)) || run_peers
  node bench/table.mjs "$bench_results"/*.json
}
