// Runs a fuzz target without libFuzzer: over every file of a corpus, over its beginnings, and over copies with one
// byte changed (the same ones every time).
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kVariants = 200;

void try_input(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

void try_variants(const std::string& bytes, std::mt19937_64& random) {
  try_input(bytes);
  const std::size_t step = bytes.size() / kVariants + 1;
  for (std::size_t length = 0; length < bytes.size(); length += step) try_input(bytes.substr(0, length));
  for (std::size_t i = 0; i < kVariants && !bytes.empty(); ++i) {
    std::string changed = bytes;
    changed[random() % changed.size()] = static_cast<char>(random() & 0xFF);
    try_input(changed);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::filesystem::path corpus = count == 2 ? arguments[1] : "";
  if (!std::filesystem::is_directory(corpus)) {
    std::fprintf(stderr, "usage: replay CORPUS-FOLDER ('%s' is none)\n", corpus.c_str());
    return 2;
  }
  std::mt19937_64 random(1);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    std::ifstream file(entry.path(), std::ios::binary);
    try_variants({std::istreambuf_iterator<char>(file), {}}, random);
    ++files;
  }
  std::printf("%d files replayed\n", files);
  return files > 0 ? 0 : 1;
}
