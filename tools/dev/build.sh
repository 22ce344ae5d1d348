# shellcheck shell=bash
# Configures and builds with the presets of CMakePresets.json.

# cpp_sources: all C++ files of the project, each ended by a null byte.
cpp_sources() { find src tests bench fuzz examples -name '*.cpp' -print0 -o -name '*.h' -print0 2>/dev/null || true; }

# configure PRESET [OPTION...]: only when needed; ninja itself notices changed CMake files.
configure() {
  local preset=$1 log
  [[ ! build/$preset/build.ninja -nt CMakePresets.json ]] || return 0
  log=$(log_file "configure-$preset")
  cmake --preset "$@" >"$log" 2>&1 || {
    rm -f "build/$preset/build.ninja"
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
  build release
  ln -sfn release/bin/gauze build/gauze
}
