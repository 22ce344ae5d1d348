// The JSON of the npm packages wink-embeddings-*: an object with "dimensions", "l2NormIndex", "wordIndex" and "vectors",
// an object of arrays: the values, the norm, the place of the word by frequency. It is read as a stream of events.
// JavaScript puts keys that look like numbers first, so the order of words is that of their places, not of the file.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "gauze/text/vectors/internal/importers.h"

namespace gauze::text::internal {
namespace {

/// The bytes of a reader as a range of iterators.
class ByteIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  ByteIterator() = default;
  explicit ByteIterator(ByteReader& reader) : reader_(&reader), byte_(reader.next()) {}
  char operator*() const { return static_cast<char>(byte_); }
  ByteIterator& operator++() {
    byte_ = reader_->next();
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const ByteIterator& a, const ByteIterator& b) {
    return a.byte_ == b.byte_ || (a.byte_ < 0 && b.byte_ < 0);
  }
  friend bool operator!=(const ByteIterator& a, const ByteIterator& b) { return !(a == b); }

 private:
  ByteReader* reader_ = nullptr;
  int byte_ = -1;
};

/// Takes the events of the parser; returning false ends it, with a reason in error().
class WinkEvents final : public nlohmann::json_sax<nlohmann::json> {
 public:
  WinkEvents(const ByteReader& reader, std::uint64_t limit, Progress& progress)
      : reader_(reader), limit_(limit), progress_(progress) {}

  bool null() override { return other(); }
  bool boolean(bool) override { return other(); }
  bool string(std::string&) override { return other(); }
  bool binary(binary_t&) override { return other(); }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const std::string&) override { return number(value); }

  bool start_object(std::size_t) override {
    ++depth_;
    if (depth_ == 2 && key_ == "vectors") in_vectors_ = true;
    return depth_ <= 2 ? true : refuse("there is an object where a vector should be");
  }
  bool end_object() override {
    if (depth_ == 2) in_vectors_ = false;
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ == 0) return refuse("this is not the JSON of wink embeddings");
    ++arrays_;
    if (in_vectors_) {
      if (arrays_ > 1) return refuse("there is an array inside a vector");
      row_.clear();
    }
    return arrays_ <= 2 ? true : refuse("arrays are nested too deep");
  }
  bool end_array() override {
    --arrays_;
    return in_vectors_ ? end_row() : true;
  }
  bool key(std::string& key) override {
    key_ = key;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    error_ = Error{ErrorCode::bad_data, fmt::format("{}, byte {}: this is not JSON", reader_.name(), position)};
    return false;
  }

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  /// The words by their places, once all are read.
  [[nodiscard]] Imported finish() {
    if (places_.empty()) return make_error(ErrorCode::bad_data, "{}: there is no vector in it", reader_.name());
    std::vector<std::uint32_t> order(places_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [this](std::uint32_t a, std::uint32_t b) { return places_[a] < places_[b]; });
    VectorBuilder builder(static_cast<std::uint32_t>(dimensions_));
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && places_[order[i]] == places_[order[i - 1]]) {
        return make_error(ErrorCode::bad_data, "{}: two words have the same place {}", reader_.name(),
                          places_[order[i]]);
      }
      const auto row = std::span(values_).subspan(order[i] * dimensions_, dimensions_);
      if (const auto added = builder.add(words_[order[i]], row); !added) {
        return make_error(ErrorCode::bad_data, "{}: place {}: {}", reader_.name(), places_[order[i]],
                          added.error().message);
      }
      if (builder.size() == limit_) break;
    }
    return builder.finish(reader_.name());
  }

 private:
  bool refuse(std::string_view why) {
    error_ = Error{ErrorCode::bad_data, fmt::format("{}, byte {}: {}", reader_.name(), reader_.byte(), why)};
    return false;
  }
  bool other() { return in_vectors_ ? refuse("a value is not a number") : true; }

  bool number(double value) {
    if (in_vectors_) {
      if (arrays_ == 0) return refuse("there is a number where a vector should be");
      if (row_.size() > kMostDimensions + 2) return refuse("a vector is too long");
      row_.push_back(value);
    } else if (depth_ == 1 && arrays_ == 0 && key_ == "dimensions") {
      if (!(value >= 1 && value <= static_cast<double>(kMostDimensions)))
        return refuse("the number of dimensions cannot be");
      if (dimensions_ != 0) return refuse("the number of dimensions comes too late");
      dimensions_ = static_cast<std::size_t>(value);
    }
    return true;
  }

  bool end_row() {
    if (!progress_.check()) {
      error_ = progress_.check().error();
      return false;
    }
    if (dimensions_ == 0 && row_.size() > 2) dimensions_ = row_.size() - 2;
    if (row_.size() != dimensions_ + 2)
      return refuse("a vector has not as many values as the others, a norm and a place");
    const double place = row_.back();
    if (!(place >= 0 && place < static_cast<double>(kMostWords)) ||
        place != static_cast<double>(static_cast<std::uint64_t>(place))) {
      return refuse("the place of a word is not a whole number");
    }
    progress_.advance();
    // Words beyond the limit can be passed over, but for duplicates in normal form: they make room for later ones.
    if (limit_ != 0 && place >= static_cast<double>(limit_) + kSpare) return true;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      const auto value = static_cast<float>(row_[d]);
      if (!std::isfinite(value)) return refuse("a value is not a finite number");
      values_.push_back(value);
    }
    words_.push_back(key_);
    places_.push_back(static_cast<std::uint32_t>(place));
    return true;
  }

  static constexpr double kSpare = 1000;

  const ByteReader& reader_;
  std::uint64_t limit_;
  Progress& progress_;
  std::string key_;
  std::size_t depth_ = 0;   // objects
  std::size_t arrays_ = 0;  // arrays
  bool in_vectors_ = false;
  std::size_t dimensions_ = 0;
  std::vector<double> row_;
  std::vector<float> values_;
  std::vector<std::string> words_;
  std::vector<std::uint32_t> places_;
  std::optional<Error> error_;
};

}  // namespace

Imported import_wink(ByteReader& reader, std::uint64_t limit, Progress& progress) {
  WinkEvents events(reader, limit, progress);
  const bool good = nlohmann::json::sax_parse(ByteIterator(reader), ByteIterator(), &events);
  if (!reader.failure()) return tl::unexpected(reader.failure().error());
  if (!good) {
    if (events.error()) return tl::unexpected(*events.error());
    return reader.bad_byte("this is not the JSON of wink embeddings");
  }
  return events.finish();
}

}  // namespace gauze::text::internal
