#!/usr/bin/env bash
# study.sh [--cgss FILE] TABLE.csv FOLDER: what docs/studies/learning.md reports, part by part, as JSON in FOLDER; `node tables.mjs FOLDER`
# then prints the tables of that page. A part that is finished is not run again, so a run that was stopped goes on where it was.
# Some three hours on two cores, most of them for the Transformer.
#
# TABLE.csv  the extract of the European Social Survey, round 9
# FILE       the Chinese General Social Survey of 2015 as CSV, for whoever has registered for it
#
# GAUZE names the program, build/gauze without it; SEEDS how many random splits a perceptron gets (10), the other models half as many;
# PARTS runs only parts whose names match that pattern, such as PARTS='mlp-*'.
set -euo pipefail
cgss=
if [[ ${1:-} == --cgss ]]; then
  cgss=${2:?--cgss takes a file}
  shift 2
fi
if (($# != 2)); then
  echo "usage: study.sh [--cgss FILE] TABLE.csv FOLDER" >&2
  exit 2
fi
table=$1 folder=$2
here=$(dirname "$(readlink -f "$0")")
gauze=${GAUZE:-$here/../../build/gauze}
most=${SEEDS:-10}
half=$(((most + 1) / 2))
few=$(((most + 4) / 5))
mkdir -p "$folder"

# part NAME TABLE POLICY ARGUMENT...: one study as JSON.
part() {
  local name=$1 data=$2 policy=$3
  shift 3
  # shellcheck disable=SC2053
  [[ $name == ${PARTS:-*} && ! -f $folder/$name.json ]] || return 0
  echo "$name" >&2
  if ! "$gauze" study "$data" --policy "$policy" --seed 1 --attack --quiet --json "$@" >"$folder/$name.json.part" 2>"$folder/$name.log"; then
    cat "$folder/$name.json.part" "$folder/$name.log" >&2
    return 1
  fi
  mv "$folder/$name.json.part" "$folder/$name.json"
}

# numbers POLICY: the same policy with one number an attribute, as the paper's method takes them.
numbers() { sed -E '/^    /{s/\{values:/{ordered:/;s/, indicator: true//;s/(numeric: \[[^]]*\])/\1, scale: unit/}' "$1"; }

seeds_of() { if [[ $1 == mlp ]]; then echo "$most"; else echo "$half"; fi; }

apba="apba-frozen,apba-plain,apba-private,apba-uniform"
paper=(--adjacency replace-one --batch 64 --epochs 30 --clip 10 --optimizer sgd --schedule constant --delta 1e-4)
small=(--width 32) # of LSTM and Transformer; the paper gives no sizes

# paper_part PREFIX TABLE POLICY MODEL RATE: Table 3, one model at one rate. DP-SGD on the same numbers, in the same positions.
paper_part() {
  local prefix=$1 data=$2 policy=$3 model=$4 rate=$5 shape=("${small[@]}") tokens=()
  [[ $model == mlp ]] || tokens=(--tokens "reshape:$(grep -cE '^    [^ ]+: \{(numeric|values|ordered)' "$policy")x1")
  [[ $model != cnn && $model != mlp ]] || shape=()
  part "$prefix$model-apba-$rate" "$data" "$policy" --models "$model" --methods "$apba" --epsilons 1 --delta 1e-4 \
    --learning-rate "$rate" --seeds "$(seeds_of "$model")" "${shape[@]}"
  part "$prefix$model-sgd-$rate" "$data" "$folder/$(basename "$policy" .yaml)-numbers.yaml" --models "$model" --methods none,dpsgd \
    --sigma 2 "${paper[@]}" --learning-rate "$rate" --seeds "$(seeds_of "$model")" "${tokens[@]}" "${shape[@]}"
}

# survey PREFIX TABLE POLICY: Table 3 for one survey.
survey() {
  local model rate
  numbers "$3" >"$folder/$(basename "$3" .yaml)-numbers.yaml"
  for model in mlp cnn lstm transformer; do
    for rate in 0.001 0.005 0.02; do paper_part "$1" "$2" "$3" "$model" "$rate"; done
  done
}

if [[ -n $cgss ]]; then survey cgss- "$cgss" "$here/cgss2015.yaml"; fi

ess=$here/ess.yaml
# what privacy costs with the defaults of `gauze train`
part defaults-mlp "$table" "$ess" --models mlp,logistic --methods none,dpsgd,shaped --epsilons 0.1,0.3,1,3 --delta 1e-5 --seeds "$most"
part defaults-cnn "$table" "$ess" --models cnn --methods none,dpsgd,shaped --epsilons 1 --delta 1e-5 --seeds "$half" \
  --learning-rate 0.1
part defaults-sequences "$table" "$ess" --models lstm,transformer --methods none,dpsgd,shaped --epsilons 1 --delta 1e-5 \
  --seeds "$half" --learning-rate 0.1 "${small[@]}"

# the eleven values of happiness, for the perceptron only
sed -E '/^    groups: \{g1/s/groups: .*/values: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]/' "$ess" >"$folder/eleven.yaml"
numbers "$folder/eleven.yaml" >"$folder/eleven-numbers.yaml"
for rate in 0.001 0.005 0.02; do paper_part eleven- "$table" "$folder/eleven.yaml" mlp "$rate"; done

survey "" "$table" "$ess"

# Figure 3: other budgets, one rate; sigma = c / E as printed
for model in mlp cnn lstm transformer; do
  count=$(seeds_of "$model") shape=() tokens=(--tokens "reshape:32x1")
  if [[ $model == lstm || $model == transformer ]]; then count=$few shape=("${small[@]}"); fi
  [[ $model != mlp ]] || tokens=()
  part "$model-budgets-apba" "$table" "$ess" --models "$model" --methods "$apba" --epsilons 0.1,0.3,3 --delta 1e-4 \
    --learning-rate 0.005 --seeds "$count" "${shape[@]}"
  for budget in 0.1:20 0.3:6.666667 3:0.666667; do
    part "$model-budgets-sgd-${budget%:*}" "$table" "$folder/ess-numbers.yaml" --models "$model" --methods dpsgd \
      --sigma "${budget#*:}" "${paper[@]}" --learning-rate 0.005 --seeds "$count" "${tokens[@]}" "${shape[@]}"
  done
done
