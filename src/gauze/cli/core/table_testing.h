#pragma once
// What the tests of the commands on tables share: a folder that goes away, figures out of JSON, streams of the process.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <iconv.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/label/json_reader.h"

namespace gauze::cli {

/// A folder of one test, removed at its end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gauze-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return *this / name;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  [[nodiscard]] bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }
  [[nodiscard]] std::vector<std::string> list() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path path_;
};

inline Json json_of(const Ran& ran) { return read_json(ran.out).value_or(Json::object()); }

/// What lies at a path of keys, as text; "(absent)" when there is nothing, "null" for null.
inline std::string at(const Json& object, const std::vector<std::string>& keys) {
  const Json* place = &object;
  for (const std::string& key : keys) {
    if (const auto* list = place->elements(); list != nullptr) {
      const std::size_t number = std::stoul(key);
      place = number < list->size() ? &(*list)[number] : nullptr;
    } else {
      place = place->find(key);
    }
    if (place == nullptr) return "(absent)";
  }
  const std::string dumped = place->dump();
  return place->text().empty() ? dumped : std::string(place->text());
}

inline double number_at(const Json& object, const std::vector<std::string>& keys) {
  const std::string text = at(object, keys);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  EXPECT_TRUE(end != text.c_str() && *end == '\0') << text;
  return value;
}

/// A label without its hashes, in which any short number may occur by chance.
inline std::string without_digests(const std::string& label) {
  return std::regex_replace(label, std::regex("[0-9a-f]{64}"), "(digest)");
}

inline std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  if (object.members() != nullptr)
    for (const auto& member : *object.members()) keys.push_back(member.first);
  return keys;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline std::vector<std::string> sorted(std::vector<std::string> lines) {
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// UTF-8 in another encoding.
inline std::string encoded(const std::string& text, const char* encoding) {
  const iconv_t converter = ::iconv_open(encoding, "UTF-8");
  std::string from = text;
  std::string to(4 * text.size() + 16, '\0');
  char* in = from.data();
  char* out = to.data();
  std::size_t in_left = from.size();
  std::size_t out_left = to.size();
  EXPECT_NE(::iconv(converter, &in, &in_left, &out, &out_left), static_cast<std::size_t>(-1));
  ::iconv_close(converter);
  to.resize(to.size() - out_left);
  return to;
}

/// The standard input of the process is a file for as long as this lives: engines read it themselves.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path) : saved_(::dup(STDIN_FILENO)) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;
  ~StandardInput() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

/// Sixteen people in a small town; two postcodes are missing.
inline const std::string kPeople =
    "name,age,zip,sex,illness\n"
    "Ada,34,81667,F,flu\n"
    "Ben,36,81675,M,asthma\n"
    "Cleo,31,81925,F,gastritis\n"
    "Dan,33,81931,M,flu\n"
    "Eve,47,81667,F,asthma\n"
    "Finn,45,81675,M,flu\n"
    "Gül,49,81925,F,asthma\n"
    "Hal,42,81931,M,gastritis\n"
    "Ida,52,80331,F,flu\n"
    "Jon,58,80333,M,asthma\n"
    "Kim,55,80335,F,gastritis\n"
    "Lou,51,?,M,flu\n"
    "Mia,63,80331,F,asthma\n"
    "Ned,67,80333,M,gastritis\n"
    "Ola,61,80335,F,flu\n"
    "Pam,66,?,F,asthma\n";

}  // namespace gauze::cli
