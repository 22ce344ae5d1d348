#pragma once

#include "gauze/anonymize/job/anonymization.h"
#include "gauze/anonymize/job/suppressed_rows.h"
#include "gauze/label/label.h"
#include "gauze/table/decimal_sign.h"

namespace gauze::anonymize {

/// The label of an anonymised table. It names what was done and what was required, not what the data turned out to be:
/// no counts of rows, classes or suppressed records.
struct WrittenRows {
  SuppressedRows suppressed = SuppressedRows::blank;
  bool keep_order = false;                          ///< of the input; else they were shuffled
  std::vector<std::string> columns_unchanged = {};  ///< written as they were read, but for suppressed rows
  std::vector<std::string> columns_pseudonymous = {};
  table::DecimalSign decimal = table::DecimalSign::point;  ///< how numbers were read, and ranges are written
  std::vector<std::string> null_tokens = {};               ///< what was read as missing, besides what always is
};
[[nodiscard]] PrivacyLabel make_label(const TableRecords& table, const schema::Policy& policy,
                                      const Anonymization& result, const WrittenRows& written);

/// What `gauze check` needs to know of a release and its label tells.
struct LabelledRelease {
  std::vector<std::string> quasi;
  std::vector<std::string> pseudonymous;
  bool suppressed_dropped = false;  ///< suppressed rows are not in the file
  std::optional<table::DecimalSign> decimal = {};
  std::vector<std::string> null_tokens = {};
};
/// Nothing when the label is not one of an anonymised table.
[[nodiscard]] std::optional<LabelledRelease> read_label(const PrivacyLabel& label);

}  // namespace gauze::anonymize
