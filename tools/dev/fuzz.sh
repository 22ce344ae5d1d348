# shellcheck shell=bash
# ./dev fuzz [NAME] [SECONDS]: libFuzzer over the parsers, starting from the committed corpus.

# fuzz_one NAME SECONDS: new finds go to build/fuzz/corpus, crashing input to build/fuzz.
fuzz_one() {
  local name=$1 seconds=$2 corpus=build/fuzz/corpus/$1
  mkdir -p "$corpus"
  say "Fuzzing $name for $seconds seconds"
  "build/fuzz/bin/${name}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/${name}-" "$corpus" "fuzz/corpus/$name" ||
    fail "$name: found input that breaks it; it is in build/fuzz/"
}

cmd_fuzz() {
  local names=() seconds=60 name
  if (($#)) && [[ ! $1 =~ ^[0-9]+$ ]]; then
    [[ -f fuzz/$1_fuzz.cpp ]] || fail "there is no fuzz target '$1'; see fuzz/" 2
    names=("$1")
    shift
  fi
  [[ -z ${1:-} ]] || seconds=$1
  setup_product
  install_packages fuzz
  build fuzz fuzz_targets
  if ((!${#names[@]})); then
    for name in fuzz/*_fuzz.cpp; do names+=("$(basename "$name" _fuzz.cpp)"); done
  fi
  for name in "${names[@]}"; do fuzz_one "$name" "$seconds"; done
}
