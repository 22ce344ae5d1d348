#!/usr/bin/env bash
# can_fail.sh: shows every check a small tree that keeps its rule, and one that breaks it.
# shellcheck disable=SC2016 # the texts are meant for the tree, not for this script
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/structure/report.sh
source "$here/report.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A tree of two modules in which all is well.
make_tree() {
  rm -rf "$work/tree" && mkdir -p "$work/tree"/{src/gauze/{base,random}/internal,src/gauze/random/mechanisms,docs/{proofs,guide},packaging,web,.ci}
  cd "$work/tree"
  printf 'int base();\n' | tee src/gauze/base/base.h >src/gauze/base/internal/secret.h
  printf '#include "gauze/base/base.h"\n' | tee src/gauze/base/base.cpp >src/gauze/random/random.cpp
  printf 'gauze_module(base SOURCES base.cpp)\n' >src/gauze/base/CMakeLists.txt
  printf 'gauze_module(random SOURCES random.cpp DEPENDS base)\n' >src/gauze/random/CMakeLists.txt
  printf 'A room.\n' | tee src/gauze/base/README.md >src/gauze/random/README.md
  printf 'base src/gauze/base ,, ,,\nrandom src/gauze/random ,base, ,,\n' >modules.txt
  printf '[build]\ncmake   # builds\n' >packaging/debian-packages.txt
  printf 'Uses `cmake`, `duckdb` and `vite`.\n| layer | room | what |\n' >ARCHITECTURE.md
  printf '| 1 | `base` | errors |\n| 3 | `random` | streams |\n' >>ARCHITECTURE.md
  printf '{\n  "dependencies": {\n    "duckdb": "1.4.4"\n  }\n}\n' >package.json
  printf '"node_modules/duckdb": {\n  "version": "1.4.4",\n  "integrity": "sha512-x"\n}\n' >package-lock.json
  sed 's/duckdb/vite/' package.json >web/package.json
  sed 's/duckdb/vite/' package-lock.json >web/package-lock.json
  printf '#!/bin/bash\necho "$1"\n' | tee dev >.ci/run
  printf 'BasedOnStyle: Google\n' >.clang-format
  printf '/// Guarantee : epsilon-DP.\n/// Proven    : docs/proofs/noise.md.\nclass Noise;\n' >src/gauze/random/mechanisms/noise.h
  printf '# Noise\n\n`Noise` is proven here.\n' >docs/proofs/noise.md
  printf '# Noise for beginners\n' >docs/guide/noise.md
  printf 'See [the guide](docs/guide/noise.md).\n' >README.md
  printf 'add_test(Rational.Adds true)\n' >CTestTestfile.cmake
}

# check SCRIPT: whether it accepts the tree.
check() { bash "$here/$1" "$work/tree" "$work/tree/modules.txt" >"$work/output" 2>&1; }

# breaks SCRIPT COMMAND: the tree passes, and no longer does after the command.
breaks() {
  make_tree
  check "$1" || problem "$1 refuses a good tree: $(<"$work/output")"
  eval "$2"
  ! check "$1" || problem "$1 accepts: $2"
}

breaks includes.sh 'echo "#include \"gauze/random/r.h\"" >>src/gauze/base/base.cpp; touch src/gauze/random/r.h'
breaks includes.sh 'echo "#include <gauze/base/internal/secret.h>" >>src/gauze/random/random.cpp'
breaks includes.sh 'mkdir tests; echo "#include \"gauze/base/internal/secret.h\"" >tests/x_test.cpp'
breaks includes.sh 'echo "#include \"base.h\"" >>src/gauze/base/base.cpp'
breaks includes.sh 'sed -i "s/^base src.*/base src\/gauze\/base ,random, ,,/" modules.txt'
breaks includes.sh 'sed -i "s/^random src.*/random src\/gauze\/random ,, ,,/" modules.txt'
breaks includes.sh 'echo "attic src/gauze/attic ,, ,," >>modules.txt'
breaks rooms.sh 'rm src/gauze/base/README.md'
breaks rooms.sh 'touch src/gauze/base/forgotten.cpp'
breaks rooms.sh 'touch src/gauze/random/internal/base.cpp'
breaks table_of_rooms.sh 'mkdir src/gauze/attic'
breaks table_of_rooms.sh 'echo "| 3 | \`engines\` | tables |" >>ARCHITECTURE.md'
breaks table_of_rooms.sh 'sed -i "s/^| 3 |/| 2 |/" ARCHITECTURE.md'
breaks table_of_rooms.sh 'sed -i "/random/d" ARCHITECTURE.md'
breaks table_of_rooms.sh 'sed -i "s/streams//" ARCHITECTURE.md'
breaks table_of_rooms.sh 'echo "| 1 | \`base\` | errors |" >>ARCHITECTURE.md'
breaks flags.sh 'echo "auto text = \"give --delta\";" >>src/gauze/base/base.cpp'
breaks lengths.sh 'seq 901 >src/gauze/base/base.h'
breaks dependencies.sh 'echo "ninja-build" >>packaging/debian-packages.txt'
breaks dependencies.sh 'echo "ninja-build # runs the build" >>packaging/debian-packages.txt'
breaks dependencies.sh 'sed -i /integrity/d package-lock.json'
breaks dependencies.sh 'sed -i "s/duckdb/sqlite/" ARCHITECTURE.md'
breaks dependencies.sh 'echo "\"resolved\": \"somewhere\"" >>package-lock.json'
breaks dependencies.sh 'sed -i "s/vite//" ARCHITECTURE.md'
breaks dependencies.sh 'sed -i /integrity/d web/package-lock.json'
breaks dependencies.sh 'sed -i "s/1.4.4/^1.4.4/" web/package.json'
breaks lengths.sh 'seq 901 >web/page.ts'
breaks format.sh 'echo "int  x ;" >>src/gauze/base/base.h'
breaks shell.sh 'echo "echo \$1" >>dev'
breaks shell.sh 'printf "#!/bin/bash\nrm \$1\n" >x.sh'
breaks readme.sh 'touch docs/guide/text.md'
breaks readme.sh 'echo "and [more](docs/guide/more.md)" >>README.md'
breaks proofs.sh 'rm docs/proofs/noise.md'
breaks proofs.sh 'sed -i "s/.Noise. is/It is/" docs/proofs/noise.md'
breaks proofs.sh 'sed -i "/Proven/d" src/gauze/random/mechanisms/noise.h'
breaks proofs.sh 'sed -i "s/class Noise/class Louder/" src/gauze/random/mechanisms/noise.h'
breaks proofs.sh 'sed -i "s/^class Noise;/template <class T>\nint draw(T);/" src/gauze/random/mechanisms/noise.h'
breaks proofs.sh 'echo "// docs/proofs/other.md" >>src/gauze/base/base.cpp'
breaks test_names.sh 'echo "add_test(\"All/Laws.Hold/8-byte object <00-00 00-00 00-00 F0-3F>\" true)" >>CTestTestfile.cmake'
breaks test_names.sh 'echo "add_test(\"All/Laws.Hold/Laplace  # GetParam() = 1\" true)" >>CTestTestfile.cmake'
breaks test_names.sh 'rm CTestTestfile.cmake'
finish
