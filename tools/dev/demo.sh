# shellcheck shell=bash
# ./dev demo: one count and one table, released as they should be, and what that does and does not promise.

paint() { # paint CODE TEXT: coloured on a terminal, plain elsewhere
  if [[ -t 1 && -z ${NO_COLOR:-} ]]; then printf '\033[%sm%s\033[0m' "$1" "$2"; else printf '%s' "$2"; fi
}

step() { printf '\n%s\n\n' "$(paint 1 "$1")"; }

shown() { printf '  %s\n' "$(paint 36 "\$ $*")"; }

indented() { fold -s -w 100 | sed 's/^/  | /; s/ *$//'; }

# The width of the noise is public: it follows from epsilon alone, so that asking for it touches no data.
noise_interval() {
  build/gauze noise geometric --epsilon "$1" --json 2>/dev/null |
    sed -n 's/.*"interval95": *\[ *\(-\{0,1\}[0-9]*\)[^,]*, *\(-\{0,1\}[0-9]*\).*/\1 \2/p'
}

show_one_release() {
  local noisy label=build/log/demo-label.txt low high
  shown "build/gauze noise geometric --epsilon 1 --value 1234"
  noisy=$(build/gauze noise geometric --epsilon 1 --value 1234 2>"$label") || fail "gauze failed: $(tail -n 1 "$label")"
  read -r low high < <(noise_interval 1) || fail "gauze printed no interval"
  printf '  %s\n\n' "$(paint 1 "$noisy")"
  cat <<TEXT
This number may be published. It may even be the true count: nobody outside can tell. Yet whoever reads it knows how far
to trust it: at least 95 % of such draws are off by no more than ${high#-}, so the true count lies, with 95 % confidence,
between $(paint 1 "$((noisy - high))") and $(paint 1 "$((noisy - low))").
TEXT
  step "3. What goes with it: the privacy label"
  indented <"$label"
}

show_repetition() {
  local -a draws
  shown "build/gauze noise geometric --epsilon 1 --value 1234 --count 10"
  mapfile -t draws < <(build/gauze noise geometric --epsilon 1 --value 1234 --count 10 2>/dev/null)
  printf '  %s\n\n' "${draws[*]}"
  cat <<'TEXT'
Averaging ten answers brings the truth back. The label of those ten therefore states the cost of all of them, a total
epsilon of 10. Whoever releases must count every answer, not only the last one.
TEXT
}

show_one_table() {
  local table=examples/data/clinic.csv safe=build/log/demo-clinic.csv log=build/log/demo-clinic.txt
  local flags="--quasi born,postcode,sex --k 5"
  cat <<'TEXT'
The clinic also hands a table to a university. Without the names, all 60 patients are still unique by date of birth,
postcode and sex. So Gauze makes these coarser, as little as possible, until nobody can be told from four others.
TEXT
  printf '\n'
  shown "build/gauze anonymize $table $flags --suppression 0.05 --drop name,patient -o $safe"
  # shellcheck disable=SC2086  # the flags are words
  build/gauze anonymize "$table" $flags --suppression 0.05 --drop name,patient -o "$safe" >"$log" 2>&1 ||
    fail "gauze failed: $(tail -n 1 "$log")"
  indented <"$log"
  printf '\n'
  shown "head -n 4 $table $safe"
  head -n 4 "$table" | indented
  printf '\n'
  head -n 4 "$safe" | indented
  printf '\n'
  shown "build/gauze check $safe $flags"
  # shellcheck disable=SC2086
  build/gauze check "$safe" $flags >"$log" 2>&1 || fail "gauze failed: $(tail -n 1 "$log")"
  indented <"$log"
}

cmd_demo() {
  setup_product
  build_product
  step "1. The question"
  cat <<'TEXT'
A clinic wants to publish how many of its patients have asthma. It counts 1234. Published as it is, that number tells
whoever knows about all patients but one whether that one has asthma. So Gauze adds noise: two-sided geometric, in exact
integer arithmetic, from a cryptographic generator. With epsilon 1, one patient more or less changes the probability of
any answer by a factor of at most e (2.72).
TEXT
  step "2. The answer, with its uncertainty"
  show_one_release
  step "4. Asking again costs again"
  show_repetition
  step "5. A table instead of a number"
  show_one_table
  step "6. What is not guaranteed"
  cat <<'TEXT'
  - that one patient changes the count by at most 1: Gauze trusts the sensitivity it is given;
  - anything about facts that are true of a whole group: that smoking goes with asthma can be learnt without any one
    patient;
  - anything about the clinic's other publications, unless they are counted together with this one;
  - of the table, anything against those who know more than date of birth, postcode and sex: k-anonymity is a property of a
    table, not differential privacy;
  - secrecy of the true count where it is kept: Gauze protects what leaves, not the machine.

TEXT
  printf 'Next: build/gauze --help, or README.md\n'
}
