# shellcheck shell=bash
# Configures and builds with the presets of CMakePresets.json.

# cpp_sources: all C++ files of the project, each ended by a null byte.
cpp_sources() { find src capi tests bench fuzz examples -name '*.cpp' -print0 -o -name '*.h' -print0 -o -name '*.c' -print0 2>/dev/null || true; }

# folder_of PRESET: the tests of what is shipped are built beside it, so that nothing is compiled twice.
folder_of() { if [[ $1 == test ]]; then echo build/release; else echo "build/$1"; fi; }

# is_configured PRESET: whether its folder is ready; ninja itself notices changed CMake files.
is_configured() {
  local folder
  folder=$(folder_of "$1")
  [[ $folder/build.ninja -nt CMakePresets.json ]] || return 1
  [[ $1 != test ]] || grep -qx 'GAUZE_TESTS:BOOL=\(ON\|TRUE\)' "$folder/CMakeCache.txt"
}

configure() {
  local preset=$1 log
  ! is_configured "$preset" || return 0
  log=$(log_file "configure-$preset")
  cmake --preset "$preset" >"$log" 2>&1 || {
    rm -f "$(folder_of "$preset")/build.ninja"
    fail "cannot configure '$preset': $(grep -m 1 -A 4 'CMake Error' "$log" | tr -s ' \n' '  ' || true); see $log"
  }
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  configure "$preset"
  cmake --build --preset "$preset" ${1+--target "$@"} >&2 || fail "the build of '$preset' failed"
}

build_product() {
  build release product
  ln -sfn release/bin/gauze build/gauze
  ln -sfn release/capi build/capi
}
