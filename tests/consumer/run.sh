#!/usr/bin/env bash
# run.sh BUILD-TREE PROJECT COMPILER: see CMakeLists.txt beside this file.
set -euo pipefail
build=$1 project=$2 compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

cmake --install "$build" --prefix "$prefix" >/dev/null
cmake -S "$project" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" \
  -DGAUZE_INCLUDE_DIR="$prefix/include" >"$work/log" || { cat "$work/log"; exit 1; }
cmake --build "$work/build" >"$work/log" || { cat "$work/log"; exit 1; }
answer=$("$work/build/consumer")
[[ $answer == 29 ]] || { echo "the consumer printed '$answer' instead of 29"; exit 1; }

if find "$prefix/include" -path '*/internal/*' -o -path '*/testing/*' -o -name '*_test*' | grep .; then
  echo "private headers were installed"
  exit 1
fi
if grep -rlF -e "$build" "$prefix/lib/cmake"; then
  echo "the package configuration names the build tree"
  exit 1
fi
# A component that is not there is named, beside those that are.
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(missing CXX)
find_package(gauze REQUIRED COMPONENTS mechanisms mechanism)
END
if cmake -S "$work" -B "$work/missing" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" \
  >"$work/log" 2>&1; then
  echo "a component that does not exist was found"
  exit 1
fi
grep -q "no module 'mechanism'" "$work/log" || { cat "$work/log"; exit 1; }
[[ ! -e $build/bin/gauze ]] && exit 0
"$prefix/bin/gauze" --version
for file in man/man1/gauze.1 bash-completion/completions/gauze zsh/site-functions/_gauze \
  fish/vendor_completions.d/gauze.fish doc/gauze/LICENSE doc/gauze/docs/formats/label.md; do
  [[ -s $prefix/share/$file ]] || { echo "share/$file is missing or empty"; exit 1; }
done
