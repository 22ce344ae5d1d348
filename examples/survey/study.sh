#!/usr/bin/env bash
# study.sh TABLE.csv FOLDER [SEEDS]: what docs/studies/learning.md reports, part by part. A part that is finished is not run again.
set -euo pipefail
if (($# < 2)); then
  echo "usage: study.sh TABLE.csv FOLDER [SEEDS]" >&2
  exit 2
fi
table=$1 folder=$2 seeds=${3:-10}
here=$(dirname "$(readlink -f "$0")")
gauze=${GAUZE:-$here/../../build/gauze}
mkdir -p "$folder"

# part NAME ARGUMENT...: one study as JSON.
part() {
  local name=$1
  shift
  [[ ! -f $folder/$name.json ]] || return 0
  echo "$name" >&2
  "$gauze" study "$table" --policy "$here/ess.yaml" --seed 1 --attack --quiet --json "$@" >"$folder/$name.json.part" 2>/dev/null
  mv "$folder/$name.json.part" "$folder/$name.json"
}

apba=apba-frozen,apba-plain,apba-private,apba-uniform
part defaults --models mlp,logistic --methods none,dpsgd,shaped --epsilons 0.1,0.3,1,3 --delta 1e-5 --seeds "$seeds"
for rate in 0.005 0.05 0.5; do
  part "mlp-apba-$rate" --models mlp --methods "$apba" --learning-rate "$rate" --epsilons 1 --delta 1e-4 --seeds "$seeds"
  # DP-SGD with the paper's settings: sigma = c / E as printed; the accountant says what that is worth
  part "mlp-dpsgd-paper-$rate" --models mlp --methods none,dpsgd --sigma 2 --adjacency replace-one --batch 64 --epochs 30 \
    --clip 10 --optimizer sgd --schedule constant --learning-rate "$rate" --delta 1e-4 --seeds "$seeds"
done
for model in cnn lstm transformer; do
  part "$model-apba" --models "$model" --methods "$apba" --learning-rate 0.05 --epsilons 1 --delta 1e-4 --seeds "$(((seeds + 1) / 2))"
done
