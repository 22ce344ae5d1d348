#!/usr/bin/env bash
# study.sh VECTORS FREQUENCIES SST2 OUT: runs everything that docs/studies/text.md reports and writes its figures to the folder
# OUT as JSON; `node plot_study.mjs OUT FOLDER` then draws them. A result that is there already is kept, so a run that was
# stopped goes on where it was. About twenty minutes on two cores, most of them for dchi.
#
# VECTORS      word vectors; the study used the first 20,000 words of GloVe in 100 dimensions (fetch_vectors.sh fetches public ones)
# FREQUENCIES  a public list "word count", one a line; the study used the 50,000 words of English film subtitles from
#              https://github.com/hermitdave/FrequencyWords
# SST2         a folder with the Stanford Sentiment Treebank as two classes: train.tsv with the columns label and sentence,
#              dev.tsv and test.tsv with label and content (TEST_COLUMN=sentence if they are called so there, too)
#
# GAUZE names the program, `gauze` without it.
set -euo pipefail

if (($# != 4)); then
  echo "usage: study.sh VECTORS FREQUENCIES SST2 OUT" >&2
  exit 2
fi
vectors=$1 frequencies=$2 sst2=$3 out=$4
gauze=${GAUZE:-gauze}
test_column=${TEST_COLUMN:-content}
for file in "$vectors" "$frequencies" "$sst2/train.tsv" "$sst2/dev.tsv" "$sst2/test.tsv"; do
  [[ -r $file ]] || { echo "study.sh: cannot read $file" >&2; exit 2; }
done
mkdir -p "$out"

# keep NAME COMMAND...: the output of the command as OUT/NAME, whole or not at all.
keep() {
  local name=$1
  shift
  if [[ -s $out/$name ]]; then return; fi
  echo "$name" >&2
  "$@" >"$out/$name.part"
  mv "$out/$name.part" "$out/$name"
}

stats() { "$gauze" text stats --vectors "$vectors" --limit 20000 --prior "$frequencies" --runs 100 --json "$@"; }

# utility WORDS TEST REPEAT FLAGS...: classifiers that learn from 67,349 phrases, sanitised REPEAT times.
utility() {
  local words=$1 test=$2 repeat=$3
  shift 3
  "$gauze" text utility --train "$sst2/train.tsv" --column sentence --test "$sst2/$test" --test-column "$test_column" \
    --label label --vectors "$vectors" --limit "$words" --repeat "$repeat" --seed 1 --json "$@"
}

# attacks EPSILONS FLAGS...: one JSON object a line, one line an epsilon; on 3,000 words, all sentences of dev.tsv.
attacks() {
  local epsilon
  for epsilon in $1; do
    "$gauze" text attack "$sst2/dev.tsv" --column "$test_column" --public "$sst2/train.tsv" --public-column sentence \
      --documents 0 --vectors "$vectors" --limit 3000 --epsilon "$epsilon" --seed 1 --json "${@:2}"
  done
}

plus=(--mechanism santext+ --frequencies "$frequencies")
santext_epsilons=1,1.5,2,2.5,3,3.5,4,5,6,8
dchi_epsilons=4,6,8,10,12,15,20,30

# How deniable words are. dchi has no closed form here: 500 words are drawn 1,000 times each, which does for all figures but
# the best guess.
keep stats_santext.json stats --epsilon 0.5,1,1.5,2,2.5,3,3.5,4,5,6,8 --eta 0.001
keep stats_dchi.json stats --mechanism dchi --epsilon 2,4,5,6,8,9,10,12,15,20,30,40 --sample 500 --seed 1

# What recovers: attacks on 3,000 words.
keep attack_santext.jsonl attacks "${santext_epsilons//,/ }"
keep attack_santext_plus.jsonl attacks "1 2 3 4 6 8" "${plus[@]}"
keep attack_dchi.jsonl attacks "${dchi_epsilons//,/ }" --mechanism dchi --runs 500

# What is left for a classifier: with all 20,000 words, and with 3,000 to set beside the attacks. Ten repetitions
# tell how much sanitising anew changes, three are enough for a mean.
keep utility_santext.json utility 20000 dev.tsv 10 --epsilon "$santext_epsilons"
keep utility_santext_test.json utility 20000 test.tsv 3 --epsilon "$santext_epsilons"
keep utility_santext_plus.json utility 20000 dev.tsv 10 --epsilon 1,2,3,4,6,8 "${plus[@]}"
keep utility_santext_3000.json utility 3000 dev.tsv 10 --model logistic --epsilon "$santext_epsilons"
keep utility_santext_plus_3000.json utility 3000 dev.tsv 10 --model logistic --epsilon 1,2,3,4,6,8 "${plus[@]}"
keep utility_dchi_3000.json utility 3000 dev.tsv 10 --model logistic --mechanism dchi --epsilon "$dchi_epsilons"
keep utility_dchi.json utility 20000 dev.tsv 3 --mechanism dchi --epsilon 5,10,15,20,30
