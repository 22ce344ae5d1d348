#include "gauze/table/encoding.h"

#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "gauze/base/ascii.h"
#include "gauze/base/utf8.h"
#include "gauze/base/utf8_checker.h"

namespace gauze::table {
namespace {

constexpr std::string_view kUtf16LeBom = "\xFF\xFE";
constexpr std::string_view kUtf16BeBom = "\xFE\xFF";

/// How the bytes over 7F would pair up as GB 18030.
struct PairCounts {
  std::size_t common = 0;  ///< pairs of the rows that hold the common characters and punctuation (GB 2312)
  std::size_t other = 0;   ///< other pairs and groups of four
  bool valid = true;
};

PairCounts count_pairs(std::string_view text) {
  PairCounts counts;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto within = [](unsigned char byte, int low, int high) { return byte >= low && byte <= high; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (at(i) < 0x80) continue;
    if (i + 1 == text.size()) break;  // the beginning may end inside a character
    if (within(at(i), 0xA1, 0xF7) && within(at(i + 1), 0xA1, 0xFE)) {
      ++counts.common;
    } else if (within(at(i), 0x81, 0xFE) && within(at(i + 1), 0x40, 0xFE) && at(i + 1) != 0x7F) {
      ++counts.other;
    } else if (within(at(i), 0x81, 0xFE) && within(at(i + 1), 0x30, 0x39)) {
      if (i + 3 >= text.size()) break;
      if (!within(at(i + 2), 0x81, 0xFE) || !within(at(i + 3), 0x30, 0x39)) counts.valid = false;
      ++counts.other;
      i += 2;
    } else {
      counts.valid = false;
    }
    ++i;
  }
  return counts;
}

bool is_utf8(std::string_view text) { return !Utf8Checker{}.check(text); }

/// How many characters beyond ASCII read as UTF-8, and how many bytes do not.
struct Utf8Counts {
  std::size_t characters = 0;
  std::size_t bad = 0;
  std::optional<std::size_t> first_bad = {};
};

Utf8Counts count_utf8(std::string_view text) {
  Utf8Counts counts;
  const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) continue;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (i + length > text.size() && lead >= 0xC2) break;  // the beginning may end inside a character
    bool whole = lead >= 0xC2 && lead < 0xF5;
    for (std::size_t next = 1; next < length && whole; ++next) whole = continues(i + next);
    if (whole) {
      ++counts.characters;
      i += length - 1;
    } else {
      ++counts.bad;
      if (!counts.first_bad) counts.first_bad = i;
    }
  }
  return counts;
}

/// Takes the byte order mark away, if the source begins with it.
class SkipMark : public ByteSource {
 public:
  SkipMark(ByteSource& source, std::string_view mark) : source_(source), mark_(mark), started_(mark.empty()) {}

  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    while (!started_) {
      std::array<char, 4> front{};
      GAUZE_TRY(const std::size_t got, source_.read(std::span(front).first(mark_.size() - front_.size())));
      front_.append(front.data(), got);
      if (front_ == mark_) front_.clear();
      started_ = got == 0 || front_.empty() || !mark_.starts_with(front_);
    }
    if (front_.empty()) return source_.read(block);
    const std::size_t size = std::min(block.size(), front_.size());
    std::copy_n(front_.begin(), size, block.begin());
    front_.erase(0, size);
    return size;
  }

 private:
  ByteSource& source_;
  std::string_view mark_;
  std::string front_;
  bool started_;
};

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

/// Converts by ICU.
class IcuDecoder : public ByteSource {
 public:
  IcuDecoder(std::unique_ptr<ByteSource> source, Encoding encoding, Converter from, Converter to, std::string name)
      : source_(std::move(source)),
        encoding_(encoding),
        from_(std::move(from)),
        to_(std::move(to)),
        name_(std::move(name)),
        input_(std::size_t{1} << 16),
        pivot_(std::size_t{1} << 12),
        pivot_begin_(pivot_.data()),
        pivot_end_(pivot_.data()) {}

  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    char* out = block.data();
    while (out == block.data() && !done_) {
      if (begin_ == end_ && !at_end_) {
        GAUZE_TRY(end_, source_->read(input_));
        begin_ = 0;
        at_end_ = end_ == 0;
      }
      const char* in = input_.data() + begin_;
      UErrorCode status = U_ZERO_ERROR;
      ucnv_convertEx(to_.get(), from_.get(), &out, block.data() + block.size(), &in, input_.data() + end_,
                     pivot_.data(), &pivot_begin_, &pivot_end_, pivot_.data() + pivot_.size(), 0,
                     static_cast<UBool>(at_end_), &status);
      begin_ = static_cast<std::size_t>(in - input_.data());
      if (status == U_BUFFER_OVERFLOW_ERROR) break;
      if (U_FAILURE(status)) {
        return make_error(ErrorCode::bad_data, "{}: the file is not text in the encoding {}", name_,
                          to_string(encoding_));
      }
      done_ = at_end_;
    }
    return static_cast<std::size_t>(out - block.data());
  }

 private:
  std::unique_ptr<ByteSource> source_;
  Encoding encoding_;
  Converter from_;
  Converter to_;
  std::string name_;
  std::vector<char> input_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  bool done_ = false;
  std::vector<UChar> pivot_;
  UChar* pivot_begin_;
  UChar* pivot_end_;
};

// Bad bytes become half a surrogate pair on their way, which the converter to UTF-8 cannot write: it writes FF.
void mark_bad_bytes(const void* /*context*/, UConverterToUnicodeArgs* args, const char* /*bytes*/,
                    std::int32_t /*size*/, UConverterCallbackReason reason, UErrorCode* status) {
  if (reason > UCNV_IRREGULAR) return;
  constexpr UChar kHalf = 0xDC00;
  *status = U_ZERO_ERROR;
  ucnv_cbToUWriteUChars(args, &kHalf, 1, 0, status);
}

void write_mark(const void* /*context*/, UConverterFromUnicodeArgs* args, const UChar* /*units*/,
                std::int32_t /*size*/, UChar32 /*code_point*/, UConverterCallbackReason reason, UErrorCode* status) {
  if (reason > UCNV_IRREGULAR) return;
  *status = U_ZERO_ERROR;
  ucnv_cbFromUWriteBytes(args, "\xFF", 1, 0, status);
}

Result<Converter> open_converter(const char* icu_name, BadBytes bad_bytes) {
  UErrorCode status = U_ZERO_ERROR;
  Converter converter(ucnv_open(icu_name, &status));
  if (U_FAILURE(status)) return make_error(ErrorCode::internal, "ICU has no converter for {}", icu_name);
  const bool mark = bad_bytes == BadBytes::mark;
  ucnv_setToUCallBack(converter.get(), mark ? mark_bad_bytes : UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                      &status);
  ucnv_setFromUCallBack(converter.get(), mark ? write_mark : UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                        &status);
  if (U_FAILURE(status)) return make_error(ErrorCode::internal, "ICU cannot set up its converter for {}", icu_name);
  return converter;
}

/// What ICU calls an encoding that is not UTF-8; null for UTF-8.
const char* icu_name_of(Encoding encoding) {
  switch (encoding) {
    case Encoding::utf8:
    case Encoding::utf8_with_bom:
      return nullptr;
    case Encoding::utf16le:
      return "UTF-16LE";
    case Encoding::utf16be:
      return "UTF-16BE";
    case Encoding::gb18030:
      return "gb18030";
    case Encoding::latin1:
      return "ISO-8859-1";
  }
  return nullptr;
}

}  // namespace

std::string_view byte_order_mark(Encoding encoding) {
  if (encoding == Encoding::utf8_with_bom) return kByteOrderMark;
  if (encoding == Encoding::utf16le) return kUtf16LeBom;
  return encoding == Encoding::utf16be ? kUtf16BeBom : std::string_view();
}

std::string_view to_string(Encoding encoding) {
  if (encoding == Encoding::gb18030) return "gb18030";
  if (encoding == Encoding::latin1) return "latin-1";
  return encoding == Encoding::utf16le || encoding == Encoding::utf16be ? "utf-16" : "utf-8";
}

std::optional<std::size_t> find_damage(std::string_view beginning) {
  const Utf8Counts counts = count_utf8(beginning);
  return counts.bad > 0 && counts.characters >= counts.bad ? counts.first_bad : std::nullopt;
}

std::optional<Encoding> sniff_encoding(std::string_view beginning) {
  if (beginning.starts_with(kByteOrderMark)) return Encoding::utf8_with_bom;
  if (beginning.starts_with(kUtf16LeBom)) return Encoding::utf16le;
  if (beginning.starts_with(kUtf16BeBom)) return Encoding::utf16be;
  if (is_utf8(beginning)) return Encoding::utf8;
  if (find_damage(beginning)) return std::nullopt;
  const PairCounts pairs = count_pairs(beginning);
  if (pairs.valid && pairs.common >= 4 * pairs.other) return Encoding::gb18030;
  const auto control = [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 && static_cast<unsigned char>(c) < 0xA0;
  };
  if (std::none_of(beginning.begin(), beginning.end(), control)) return Encoding::latin1;
  return std::nullopt;
}

Result<Encoding> parse_encoding(std::string_view name, std::string_view beginning) {
  std::string plain;
  for (const char c : name) {
    if (c == '-' || c == '_' || c == ' ') continue;
    plain += ascii_lower(c);
  }
  if (plain == "utf8" || plain == "ascii" || plain == "usascii")
    return beginning.starts_with(kByteOrderMark) ? Encoding::utf8_with_bom : Encoding::utf8;
  if (plain == "utf16") return beginning.starts_with(kUtf16BeBom) ? Encoding::utf16be : Encoding::utf16le;
  if (plain == "utf16le") return Encoding::utf16le;
  if (plain == "utf16be") return Encoding::utf16be;
  if (plain == "gb18030" || plain == "gbk" || plain == "gb2312" || plain == "cp936") return Encoding::gb18030;
  if (plain == "latin1" || plain == "iso88591") return Encoding::latin1;
  return invalid_parameter("encoding must be utf-8, utf-16, gb18030 or latin-1, but is '{}'", name);
}

Result<std::unique_ptr<ByteSource>> decode(ByteSource& source, Encoding encoding, std::string name,
                                           BadBytes bad_bytes) {
  const char* const icu_name = icu_name_of(encoding);
  auto unmarked = std::make_unique<SkipMark>(source, byte_order_mark(encoding));
  if (icu_name == nullptr) return unmarked;
  GAUZE_TRY(Converter from, open_converter(icu_name, bad_bytes));
  GAUZE_TRY(Converter to, open_converter("UTF-8", bad_bytes));
  return std::make_unique<IcuDecoder>(std::move(unmarked), encoding, std::move(from), std::move(to), std::move(name));
}

Result<std::string> encode(std::string_view text, Encoding encoding) {
  const char* const icu_name = icu_name_of(encoding);
  if (icu_name == nullptr) return std::string(text);
  GAUZE_TRY(const Converter converter, open_converter(icu_name, BadBytes::refuse));
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::string result;
  std::string piece(4 * std::min(kPiece, text.size()), '\0');  // no letter takes more than four bytes in any of them
  while (!text.empty()) {
    std::size_t size = std::min(kPiece, text.size());
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t made =
        ucnv_fromAlgorithmic(converter.get(), UCNV_UTF8, piece.data(), static_cast<std::int32_t>(piece.size()),
                             text.data(), static_cast<std::int32_t>(size), &status);
    if (U_FAILURE(status))
      return make_error(ErrorCode::bad_data, "the text has letters that the encoding {} does not have",
                        to_string(encoding));
    result.append(piece, 0, static_cast<std::size_t>(made));
    text.remove_prefix(size);
  }
  return result;
}

}  // namespace gauze::table
