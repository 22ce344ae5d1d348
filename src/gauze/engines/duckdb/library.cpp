#include "gauze/engines/duckdb/internal/library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

namespace gauze::engines {
namespace {

constexpr const char* kFileName = "libduckdb.so";

/// Where the file may lie: relative to the program, and to the shared object that holds this code.
std::vector<std::filesystem::path> places() {
  std::vector<std::filesystem::path> homes;
  std::error_code failure;
  if (auto program = std::filesystem::read_symlink("/proc/self/exe", failure); !failure)
    homes.push_back(program.parent_path());
  Dl_info own{};
  if (::dladdr(reinterpret_cast<const void*>(&places), &own) != 0 && own.dli_fname != nullptr) {
    if (auto object = std::filesystem::canonical(own.dli_fname, failure); !failure)
      homes.push_back(object.parent_path());
  }
  std::vector<std::filesystem::path> result;
  for (const auto& home : homes) {
    for (const char* folder : {"../lib", "../" GAUZE_LIBDIR "/gauze", "../lib/gauze", "."})
      result.push_back(home / folder / kFileName);
  }
  return result;
}

void* open_library() {
  // Nothing of the library may take the place of a function of the program, nor the other way round.
  constexpr int kFlags = RTLD_NOW | RTLD_LOCAL;
  if (const char* named = std::getenv("GAUZE_DUCKDB_LIBRARY"); named != nullptr && *named != '\0')
    return ::dlopen(named, kFlags);
  for (const auto& place : places()) {
    std::error_code ignored;
    if (!std::filesystem::exists(place, ignored)) continue;
    if (void* library = ::dlopen(place.c_str(), kFlags); library != nullptr) return library;
  }
  return ::dlopen(kFileName, kFlags);
}

struct Loaded {
  DuckDbLibrary functions;
  std::string problem;
};

Loaded load() {
  Loaded loaded;
  void* const library = open_library();
  if (library == nullptr) {
    loaded.problem = "cannot load libduckdb.so, which reads tables; it belongs into ../lib beside the program";
    return loaded;
  }
  bool complete = true;
#define GAUZE_DUCKDB_FIND(name)                                                                          \
  loaded.functions.name = reinterpret_cast<decltype(&duckdb_##name)>(::dlsym(library, "duckdb_" #name)); \
  complete = complete && loaded.functions.name != nullptr;
  GAUZE_DUCKDB_FUNCTIONS(GAUZE_DUCKDB_FIND)
#undef GAUZE_DUCKDB_FIND
  if (!complete || std::string_view(loaded.functions.library_version()) != "v" GAUZE_DUCKDB_VERSION)
    loaded.problem = "libduckdb.so is not of version " GAUZE_DUCKDB_VERSION ", which Gauze was built for";
  return loaded;
}

const Loaded& loaded_once() {
  static const Loaded loaded = load();
  return loaded;
}

}  // namespace

Result<const DuckDbLibrary*> load_duckdb() {
  const Loaded& loaded = loaded_once();
  if (!loaded.problem.empty()) return make_error(ErrorCode::io, "{}", loaded.problem);
  return &loaded.functions;
}

const DuckDbLibrary& duckdb() {
  const Loaded& loaded = loaded_once();
  GAUZE_CHECK(loaded.problem.empty());
  return loaded.functions;
}

}  // namespace gauze::engines
