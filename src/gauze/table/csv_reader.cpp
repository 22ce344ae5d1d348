#include "gauze/table/csv_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gauze/base/utf8.h"

namespace gauze::table {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Where a reader is inside a record.
enum class Inside { front, plain, quoted, behind_quote };

/// By total rules the blanks before a quote are those that are trimmed around cells; line ends are told apart before.
bool is_any_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

Inside after(Inside inside, char c, const CsvDialect& dialect) {
  const bool quote = dialect.quote != '\0' && c == dialect.quote;
  if (inside == Inside::quoted) return quote ? Inside::behind_quote : Inside::quoted;
  if (inside == Inside::behind_quote && quote) return Inside::quoted;
  if (dialect.delimiter != '\0' && c == dialect.delimiter) return Inside::front;
  if (inside == Inside::front && is_any_blank(c)) return Inside::front;
  return inside == Inside::front && quote ? Inside::quoted : Inside::plain;
}

}  // namespace

CsvReader::CsvReader(ByteSource& source, const CsvDialect& dialect, std::string name, std::size_t block)
    : source_(source), dialect_(dialect), name_(std::move(name)), buffer_(block) {
  for (const char c : {'\n', '\r', '\0', dialect.delimiter, dialect.quote})
    special_[static_cast<unsigned char>(c)] = true;
}

CsvReader::CsvReader(ByteSource& source, const CsvDialect& dialect, std::string name, const TotalRules& rules,
                     std::size_t block)
    : source_(source), dialect_(dialect), name_(std::move(name)), total_(rules), buffer_(block) {
  special_[static_cast<unsigned char>(rules.line_end)] = true;
  if (dialect.delimiter != '\0') special_[static_cast<unsigned char>(dialect.delimiter)] = true;
}

Result<bool> CsvReader::next(std::vector<std::string_view>& cells) {
  oversized_ = false;
  for (;;) {
    pending_ = traits_;
    const Outcome outcome = parse_record();
    if (outcome == Outcome::need_more || outcome == Outcome::open_quote) {
      if (is_too_long(end_ - begin_)) {
        GAUZE_TRY_VOID(skip_record());
        cells.clear();
        return oversized_ = true;
      }
    }
    if (outcome == Outcome::need_more) {
      GAUZE_TRY_VOID(refill());
      continue;
    }
    if (outcome == Outcome::end) return false;
    if (const CsvFault fault = fault_of(outcome); fault != CsvFault::none)
      return refusal(fault, line_ + lines_in_record_);
    traits_ = pending_;
    record_line_ = std::exchange(line_, line_ + lines_in_record_);
    if (outcome == Outcome::record) {
      traits_.longest_record = std::max(traits_.longest_record, record_end_ - begin_);
      oversized_ = is_too_long(record_end_ - begin_ - lines_in_record_);
      take_cells(cells);
      if (oversized_) cells.clear();
    }
    begin_ = record_end_;
    if (outcome == Outcome::record) return true;
  }
}

CsvReader::Outcome CsvReader::parse_record() {
  cells_.clear();
  lines_in_record_ = 0;
  std::size_t place = begin_;
  if (place == end_) return at_end_ ? Outcome::end : Outcome::need_more;
  if (total_) {
    if (end_ - place < kByteOrderMark.size() && !at_end_) return Outcome::need_more;
    if (std::string_view(&buffer_[place], end_ - place).starts_with(kByteOrderMark)) place += kByteOrderMark.size();
  }
  if (skip_spaces(place) == Outcome::need_more) return Outcome::need_more;
  for (;;) {
    if (const Outcome outcome = parse_cell(place); outcome != Outcome::record) return outcome;
    if (place < end_ && buffer_[place] == dialect_.delimiter && dialect_.delimiter != '\0') {
      ++place;
      if (skip_spaces(place) == Outcome::need_more) return Outcome::need_more;
      const bool ends = place == end_ || ends_record(buffer_[place]);
      if (dialect_.delimiter != ' ' || !ends) continue;
      pending_.space_runs = true;  // a space that ends the line separates nothing
    }
    if (const Outcome outcome = take_line_end(place); outcome != Outcome::record) return outcome;
    record_end_ = place;
    return is_blank_record() && !(total_ && total_->blank_lines_are_rows) ? Outcome::blank : Outcome::record;
  }
}

CsvReader::Outcome CsvReader::skip_spaces(std::size_t& place) {
  if (dialect_.delimiter != ' ') return Outcome::record;
  for (; place < end_ && buffer_[place] == ' '; ++place) pending_.space_runs = true;
  return place == end_ && !at_end_ ? Outcome::need_more : Outcome::record;
}

CsvReader::Outcome CsvReader::parse_cell(std::size_t& place) {
  std::size_t first = place;
  while (first < end_ && is_blank_before_quote(buffer_[first])) ++first;
  if (first == end_ && !at_end_) return Outcome::need_more;
  if (dialect_.quote == '\0' || first == end_ || buffer_[first] != dialect_.quote) return parse_plain(place);
  if (first != place) pending_.blanks_at_quotes = true;
  place = first;
  return parse_quoted(place);
}

bool CsvReader::is_blank_before_quote(char c) const {
  if (c == dialect_.delimiter) return false;
  return total_ ? is_any_blank(c) && c != total_->line_end : is_blank(c);
}

CsvReader::Outcome CsvReader::parse_quoted(std::size_t& place) {
  Cell cell{.begin = place + 1, .quoted = true};
  std::size_t search = place + 1;
  for (;;) {
    const char* const found =
        search < end_ ? static_cast<const char*>(std::memchr(&buffer_[search], dialect_.quote, end_ - search))
                      : nullptr;
    if (found == nullptr) return at_end_ ? Outcome::open_quote : Outcome::need_more;
    const auto quote = static_cast<std::size_t>(found - buffer_.data());
    if (quote + 1 == end_ && !at_end_) return Outcome::need_more;
    if (quote + 1 < end_ && buffer_[quote + 1] == dialect_.quote) {
      cell.doubled_quotes = true;
      search = quote + 2;
      continue;
    }
    cell.size = quote - cell.begin;
    place = quote + 1;
    break;
  }
  if (total_) {
    cell.tail_begin = place;
    const Outcome outcome = parse_tail(place);
    cell.tail_size = place - cell.tail_begin;
    cells_.push_back(cell);
    return outcome;
  }
  const char* const text = &buffer_[cell.begin];
  if (cell.size > 0 && std::memchr(text, '\0', cell.size) != nullptr) return Outcome::nul;
  for (std::size_t i = 0; i < cell.size; ++i) {
    if (text[i] != '\n' && text[i] != '\r') continue;
    pending_.quoted_line_ends = true;
    if (text[i] == '\n' || i + 1 == cell.size || text[i + 1] != '\n') ++lines_in_record_;
  }
  cells_.push_back(cell);
  for (; place < end_ && is_blank(buffer_[place]) && buffer_[place] != dialect_.delimiter; ++place)
    pending_.blanks_at_quotes = true;
  if (place == end_) return at_end_ ? Outcome::record : Outcome::need_more;
  const char next = buffer_[place];
  return next == dialect_.delimiter || next == '\n' || next == '\r' ? Outcome::record : Outcome::text_after_quote;
}

/// The rest of a cell up to what ends it.
CsvReader::Outcome CsvReader::parse_tail(std::size_t& place) {
  while (place < end_ && !special_[static_cast<unsigned char>(buffer_[place])]) ++place;
  return place == end_ && !at_end_ ? Outcome::need_more : Outcome::record;
}

CsvReader::Outcome CsvReader::parse_plain(std::size_t& place) {
  const std::size_t begin = place;
  if (total_) {
    if (parse_tail(place) == Outcome::need_more) return Outcome::need_more;
    cells_.push_back({.begin = begin, .size = place - begin});
    return Outcome::record;
  }
  for (;; ++place) {
    while (place < end_ && !special_[static_cast<unsigned char>(buffer_[place])]) ++place;
    if (place == end_) {
      if (!at_end_) return Outcome::need_more;
      break;
    }
    const char c = buffer_[place];
    if (c == '\0') return Outcome::nul;
    if (c == '\n' || c == '\r' || c == dialect_.delimiter) break;
    pending_.stray_quotes = true;
  }
  cells_.push_back({.begin = begin, .size = place - begin});
  return Outcome::record;
}

CsvReader::Outcome CsvReader::take_line_end(std::size_t& place) {
  if (place == end_) return Outcome::record;
  ++lines_in_record_;
  if (total_) {
    ++place;
    return Outcome::record;
  }
  if (buffer_[place] == '\n') {
    pending_.lf = true;
    ++place;
    return Outcome::record;
  }
  if (place + 1 == end_ && !at_end_) return Outcome::need_more;
  const bool both = place + 1 < end_ && buffer_[place + 1] == '\n';
  (both ? pending_.crlf : pending_.cr) = true;
  place += both ? 2 : 1;
  return Outcome::record;
}

bool CsvReader::is_blank_record() {
  if (cells_.size() != 1 || cells_.front().quoted) return false;
  const auto* const text = buffer_.data() + begin_;
  const auto* const end = buffer_.data() + cells_.front().begin + cells_.front().size;
  const auto blank = [&](char c) { return total_ ? is_any_blank(c) : is_blank(c); };
  if (!std::all_of(text, end, blank)) return false;
  pending_.blank_lines = true;
  if (text != end) pending_.lines_of_blanks = true;
  return true;
}

Result<void> CsvReader::refill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), &buffer_[begin_], end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  if (end_ == buffer_.size()) {
    if (!total_ && end_ >= kLongestRecord) return refusal(CsvFault::too_long, line_);
    buffer_.resize(buffer_.size() * 2);
  }
  // The record is parsed again from its front, so the buffer is filled whatever the source gives at once: otherwise a long
  // line from a source of small blocks takes quadratic time.
  do {
    GAUZE_TRY(const std::size_t got, source_.read(std::span(buffer_).subspan(end_)));
    at_end_ = got == 0;
    if (!total_) GAUZE_TRY_VOID(check_text(got));
    end_ += got;
  } while (!at_end_ && end_ < buffer_.size());
  return {};
}

Result<void> CsvReader::check_text(std::size_t got) {
  const auto bad = utf8_.check({buffer_.data() + end_, got});
  if (!bad && (!at_end_ || utf8_.complete())) return {};
  const std::size_t upto = end_ + bad.value_or(0);
  const auto lines = std::count(buffer_.data(), buffer_.data() + upto, '\n');
  return refusal(CsvFault::not_utf8, line_ + static_cast<std::uint64_t>(lines));
}

Result<void> CsvReader::skip_record() {
  auto inside = Inside::front;
  if (std::string_view(&buffer_[begin_], end_ - begin_).starts_with(kByteOrderMark)) begin_ += kByteOrderMark.size();
  for (;;) {
    for (; begin_ < end_; ++begin_) {
      if (buffer_[begin_] == total_->line_end && inside != Inside::quoted) {
        ++begin_;
        return {};
      }
      inside = after(inside, buffer_[begin_], dialect_);
    }
    if (at_end_) break;
    begin_ = end_ = 0;
    GAUZE_TRY(end_, source_.read(buffer_));
    at_end_ = end_ == 0;
  }
  if (inside == Inside::quoted) return refusal(CsvFault::open_quote, line_);
  return {};
}

void CsvReader::take_cells(std::vector<std::string_view>& cells) {
  cells.clear();
  for (const Cell& cell : cells_) {
    char* const text = buffer_.data() + cell.begin;
    std::size_t size = cell.size;
    if (cell.doubled_quotes) {
      size = 0;
      for (std::size_t i = 0; i < cell.size; ++i) {
        text[size++] = text[i];
        if (text[i] == dialect_.quote) ++i;
      }
    }
    if (cell.tail_size > 0) {
      std::memmove(text + size, buffer_.data() + cell.tail_begin, cell.tail_size);
      size += cell.tail_size;
    }
    cells.emplace_back(text, size);
  }
}

CsvFault CsvReader::fault_of(Outcome outcome) {
  if (outcome == Outcome::text_after_quote) return CsvFault::text_after_quote;
  if (outcome == Outcome::open_quote) return CsvFault::open_quote;
  return outcome == Outcome::nul ? CsvFault::nul : CsvFault::none;
}

tl::unexpected<Error> CsvReader::refusal(CsvFault fault, std::uint64_t line) {
  fault_ = fault;
  fault_line_ = line;
  if (fault == CsvFault::too_long) {
    return make_error(ErrorCode::bad_data, "{}: the record that begins on line {} is longer than {} MiB", name_, line,
                      kLongestRecord >> 20);
  }
  const char* what = "has text after a closing quote; say which quote the file uses, or that it uses none";
  if (fault == CsvFault::open_quote) what = "opens a quote that is never closed";
  if (fault == CsvFault::nul) what = "holds a NUL byte, so the file is no text, or in an encoding that must be named";
  if (fault == CsvFault::not_utf8) what = "is not UTF-8; say which encoding the file has";
  const bool encoded = fault == CsvFault::nul || fault == CsvFault::not_utf8;
  return asking_for(encoded                         ? "encoding"
                    : fault == CsvFault::open_quote ? ""
                                                    : "quote",
                    make_error(ErrorCode::bad_data, "{}: line {} {}", name_, line, what));
}

}  // namespace gauze::table
