#include "gauze/text/vectors/vector_format.h"

#include <array>
#include <utility>

#include "gauze/base/utf8.h"
#include "gauze/text/vectors/internal/gvec_layout.h"
#include "gauze/text/vectors/internal/vector_line.h"

namespace gauze::text {
namespace {

constexpr std::array<std::pair<VectorFormat, std::string_view>, 6> kNames{{
    {VectorFormat::glove, "glove"},
    {VectorFormat::word2vec_text, "word2vec"},
    {VectorFormat::word2vec_binary, "word2vec-binary"},
    {VectorFormat::fasttext_binary, "fasttext-binary"},
    {VectorFormat::wink_json, "wink"},
    {VectorFormat::gvec, "gvec"},
}};

constexpr std::string_view kFastTextMagic("\xBA\x16\x4F\x2F", 4);

/// Whether the line after the header is text: values as numbers, as many as the header says.
bool is_text_row(std::string_view line, std::size_t dimensions) {
  if (find_invalid_utf8(line)) return false;
  return internal::trailing_numbers(line) >= dimensions;
}

}  // namespace

std::string_view to_string(VectorFormat format) {
  for (const auto& [value, name] : kNames) {
    if (value == format) return name;
  }
  return "";
}

std::optional<VectorFormat> parse_vector_format(std::string_view name) {
  if (name == "fasttext") return VectorFormat::word2vec_text;
  for (const auto& [value, known] : kNames) {
    if (known == name) return value;
  }
  return std::nullopt;
}

VectorFormat detect_vector_format(std::string_view beginning) {
  if (beginning.starts_with(internal::kGvecMagic)) return VectorFormat::gvec;
  if (beginning.starts_with(kFastTextMagic)) return VectorFormat::fasttext_binary;
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && beginning[first] == '{') {
    const std::size_t next = beginning.find_first_not_of(" \t\r\n", first + 1);
    if (next == std::string_view::npos || beginning[next] == '"' || beginning[next] == '}')
      return VectorFormat::wink_json;
  }
  const std::size_t end = beginning.find('\n');
  const auto header = internal::parse_header(beginning.substr(0, end));
  if (!header) return VectorFormat::glove;
  if (end == std::string_view::npos) return VectorFormat::word2vec_text;
  std::string_view rest = beginning.substr(end + 1);
  const std::size_t second = rest.find('\n');
  // A row so long that its end is not in sight is judged by what is there: text has no control codes.
  if (second == std::string_view::npos) {
    const bool text = rest.find_first_of(std::string_view("\0\1\2\3\4\5\6\7", 8)) == std::string_view::npos;
    const bool whole_row = internal::trailing_numbers(rest) >= header->dimensions;
    return text && (whole_row || rest.size() > 60'000 || rest.empty()) ? VectorFormat::word2vec_text
                                                                       : VectorFormat::word2vec_binary;
  }
  return is_text_row(rest.substr(0, second), header->dimensions) ? VectorFormat::word2vec_text
                                                                 : VectorFormat::word2vec_binary;
}

}  // namespace gauze::text
