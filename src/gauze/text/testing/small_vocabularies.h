#pragma once
// Small vocabularies and temporary files for the tests of this room.

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text::testing {

inline std::string word_name(std::size_t i) { return "w" + std::to_string(i); }

/// Words w0, w1, ... with these vectors.
inline WordVectors words_at(const std::vector<std::vector<float>>& rows) {
  std::vector<std::string> words;
  std::vector<float> values;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    words.push_back(word_name(i));
    values.insert(values.end(), rows[i].begin(), rows[i].end());
  }
  return WordVectors::make(words, values).value();
}

/// Normal coordinates of the given spread; every tenth word repeats or is collinear with an earlier one.
inline WordVectors random_words(std::size_t count, std::size_t dimensions, double spread, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, spread);
  std::vector<std::vector<float>> rows;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<float> row;
    for (std::size_t d = 0; d < dimensions; ++d) row.push_back(static_cast<float>(normal(random)));
    if (i % 10 == 9) row = rows[i / 2];
    if (i % 10 == 8) {
      row = rows[i / 2];
      for (float& value : row) value *= 0.5F;
    }
    rows.push_back(std::move(row));
  }
  return words_at(rows);
}

inline std::vector<std::uint32_t> all_of(const WordVectors& vectors) {
  std::vector<std::uint32_t> all(vectors.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

/// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "gauze_text_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }
  [[nodiscard]] bool empty() const { return std::filesystem::is_empty(path_); }

 private:
  std::filesystem::path path_;
};

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

}  // namespace gauze::text::testing
