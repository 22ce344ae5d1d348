#pragma once

#include <atomic>
#include <memory>

#include "gauze/anonymize/job/anonymization.h"
#include "gauze/anonymize/job/pseudonyms.h"
#include "gauze/anonymize/job/suppressed_rows.h"
#include "gauze/anonymize/job/table_records.h"
#include "gauze/table/rewrite.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

/// How an anonymised table is written.
struct RowRecodingOptions {
  SuppressedRows suppressed = SuppressedRows::blank;
  StarRows stars;                         ///< what is `*` besides quasi-identifiers
  std::vector<std::size_t> dropped;       ///< columns that are left out: identifiers
  std::vector<std::size_t> pseudonymous;  ///< columns whose values become pseudonyms
  std::optional<Pseudonyms> pseudonyms;   ///< required when `pseudonymous` is not empty
  /// Counts rows that were not there when the records were read: with any of them nothing of what was computed holds.
  std::shared_ptr<std::atomic<std::uint64_t>> strangers = {};
};

/// The change of rows that turns the table into its anonymised form: quasi-identifiers of a class become the values of
/// the class, those of a suppressed row `*`. A row that was not there when the records were read (the file has changed)
/// is left out, and counted. Table, records and result must outlive it.
[[nodiscard]] table::Rewrite make_rewrite(const table::Source& table, const TableRecords& records,
                                          const Recoding& recoding, RowRecodingOptions options);

}  // namespace gauze::anonymize
