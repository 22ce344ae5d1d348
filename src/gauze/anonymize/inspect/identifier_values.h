#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gauze/table/column_type.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

/// What the cells of a column are, if they point at one person by themselves.
enum class IdentifierKind {
  email,
  identity_card,
  telephone,
  payment_card,
  iban,
  social_security,
  uuid,
  ip_address,
  person_name
};
/// "e-mail addresses", for a sentence.
[[nodiscard]] std::string_view to_string(IdentifierKind kind);

/// The kind of one value that is not missing. Numbers with check digits are checked: Chinese identity cards (18 places),
/// payment cards (Luhn), IBAN (mod 97). Addresses are found behind `mailto:` and `tel:` and between angles, and numbers that a spreadsheet
/// wrote with an exponent. A person's name is never told from one value.
[[nodiscard]] std::optional<IdentifierKind> identifier_kind(std::string_view value);

/// What the cells of a column say about it, while they go by.
class IdentifierEvidence {
 public:
  IdentifierEvidence() = default;
  explicit IdentifierEvidence(table::DecimalSign decimal) : type_(decimal) {}
  /// A value that is not missing, and how many rows have it. `*` is a suppressed cell, which says nothing.
  void see(std::string_view value, std::uint64_t rows);

  [[nodiscard]] std::uint64_t present() const { return present_; }  ///< rows that show a value
  [[nodiscard]] std::uint64_t stars() const { return stars_; }
  [[nodiscard]] table::ColumnType type() const { return type_.type(); }  ///< of the values that are shown

  /// The kind that the column holds: e-mail addresses and identity cards from a tenth of its cells on, the others from half
  /// on, since digits pass a check by chance. Names of people: half of the cells with a common given name or surname, most
  /// cells with a Chinese surname, or most cells in capitals like names and half of them different (in a table of up to twenty
  /// rows all of them).
  [[nodiscard]] std::optional<IdentifierKind> kind(std::uint64_t distinct) const;

  /// Whether half of the cells have a common given name or surname: such are people, whatever the column is called.
  [[nodiscard]] bool has_known_names() const { return known_names_ * 2 >= present_; }

  /// Whether the cells are whole numbers that count records: nearly all different, and of one length of at least eight digits
  /// (six, if none repeats), or counted through without large gaps. Amounts, which are spread wide, are none.
  [[nodiscard]] bool numbers_records(std::uint64_t distinct) const;

 private:
  [[nodiscard]] bool holds_names(std::uint64_t distinct) const;

  static constexpr std::size_t kKinds = static_cast<std::size_t>(IdentifierKind::person_name) + 1;
  std::array<std::uint64_t, kKinds> rows_{};  // by kind
  std::uint64_t known_names_ = 0;
  std::uint64_t chinese_names_ = 0;
  std::uint64_t present_ = 0;
  std::uint64_t stars_ = 0;
  table::TypeDetector type_;
  bool whole_numbers_ = true;  // of at most 18 digits without a sign
  bool long_numbers_ = true;   // of more than 15 digits
  std::size_t shortest_ = SIZE_MAX;
  std::size_t longest_ = 0;
  std::uint64_t least_ = UINT64_MAX;
  std::uint64_t largest_ = 0;
};

/// The evidence of columns: from their dictionaries where the summaries have them, else from a scan.
[[nodiscard]] Result<std::vector<IdentifierEvidence>> gather_evidence(
    table::Source& table, std::span<const std::size_t> columns, const std::vector<table::ColumnSummary>& summaries,
    Progress& progress);

}  // namespace gauze::anonymize
