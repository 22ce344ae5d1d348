#include "gauze/cli/core/table_testing.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <iconv.h>
#include <unistd.h>

#include <algorithm>
#include <regex>
#include <sstream>

namespace gauze::cli {

Json json_of(const Ran& ran) { return read_json(ran.out).value_or(Json::object()); }

std::string at(const Json& object, const std::vector<std::string>& keys) {
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

std::string refusal(std::vector<std::string> args, int status) {
  args.emplace_back("--json");
  const Ran ran = run(args);
  EXPECT_EQ(ran.status, status) << ran.out << ran.err;
  return at(json_of(ran), {"error", "code"});
}

double number_at(const Json& object, const std::vector<std::string>& keys) {
  const std::string text = at(object, keys);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  EXPECT_TRUE(end != text.c_str() && *end == '\0') << text;
  return value;
}

std::string without_digests(const std::string& label) {
  return std::regex_replace(label, std::regex("[0-9a-f]{64}"), "(digest)");
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  if (object.members() != nullptr)
    for (const auto& member : *object.members()) keys.push_back(member.first);
  return keys;
}

std::vector<std::string> warning_codes(const Json& object) {
  std::vector<std::string> codes;
  for (const Json& one : *object.find("warnings")->elements()) codes.emplace_back(one.find("code")->text());
  return codes;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> sorted(std::vector<std::string> lines) {
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string encoded(const std::string& text, const char* encoding) {
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

StandardInput::StandardInput(const std::string& path) : saved_(::dup(STDIN_FILENO)) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ::dup2(file, STDIN_FILENO);
  ::close(file);
}

StandardInput::~StandardInput() {
  ::dup2(saved_, STDIN_FILENO);
  ::close(saved_);
}

}  // namespace gauze::cli
