#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gauze/anonymize/inspect/undecided_columns.h"
#include "gauze/anonymize/job/anonymization.h"
#include "gauze/anonymize/job/suppressed_rows.h"
#include "gauze/anonymize/job/table_records.h"
#include "gauze/base/progress.h"
#include "gauze/label/label.h"
#include "gauze/label/warning.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/table/rewrite.h"
#include "gauze/table/source.h"
#include "gauze/table/text_form.h"

namespace gauze::anonymize {

/// Why a table was not anonymised. Passes as a plain Error wherever one is expected.
struct NotAnonymized : Error {
  NotAnonymized() = default;
  NotAnonymized(Error error) : Error(std::move(error)) {}

  /// Of `not_private`: columns that look like identifiers and about which nobody has decided.
  std::vector<UndecidedColumn> undecided;
  std::vector<Warning> warnings;  ///< what was found before
};

/// A table on its way to its anonymised form: all that is decided before the first row is written, the change that turns its
/// rows into the released ones, and the label. The whole of the work between opening a table and writing it out.
///
/// Privacy unit   : one row.
/// Guarantee      : what the policy asks for (k-anonymity and further criteria) holds for the rows that the rewrite lets through,
///                  if check_written() says so afterwards.
/// Not covered    : columns that are not quasi-identifiers; attackers who know more; other releases of the same rows. The label
///                  says so.
/// For the owner  : records, result, warnings and errors compare with the raw data. What leaves are the rows and the label.
/// Thread safety  : one thread at a time; the rewrite may run on several.
class AnonymizedTable {
 public:
  struct Options {
    SuppressedRows suppressed = SuppressedRows::blank;
    bool keep_order = false;                   ///< of the input, which links the rows to it; else they are shuffled
    bool spreadsheet_safe = false;             ///< an apostrophe goes before cells that a spreadsheet would run
    std::optional<std::string> encoding = {};  ///< of a CSV output; that of the input unless given
    bool to_parquet = false;                   ///< the output is no CSV
  };

  /// Of processor time, in seconds.
  struct Times {
    double read = 0;
    double search = 0;
    double assess = 0;  ///< metrics and risks
  };

  /// Reads the table, searches, and decides how rows are written. `form` is how the table itself was written; a population that
  /// the policy names is opened with `open`. The source must outlive what is made.
  ///
  /// Columns that nobody decided about stay as they are: one that looks like an identifier is refused with `not_private`, whoever
  /// decided to keep one is warned. Pseudonyms need a key file, one for the whole table; it is made where there is none, and only for a
  /// table that can be written.
  [[nodiscard]] static tl::expected<AnonymizedTable, NotAnonymized> make(table::Source& source,
                                                                         const table::TextForm& form,
                                                                         const table::SourceOpener& open,
                                                                         const schema::Policy& policy,
                                                                         const Options& options, Progress& progress);
  AnonymizedTable(AnonymizedTable&&) noexcept;
  AnonymizedTable& operator=(AnonymizedTable&&) noexcept;
  ~AnonymizedTable();

  [[nodiscard]] const TableRecords& records() const;
  [[nodiscard]] const Anonymization& result() const;
  [[nodiscard]] const Times& times() const;
  /// What the owner should know before rows are written.
  [[nodiscard]] const std::vector<Warning>& warnings() const;
  /// The key of pseudonyms that was made; empty: none was.
  [[nodiscard]] const std::string& new_key_file() const;

  /// The table as the policy cleans it (one spelling per value, public bounds): what is to be written through the rewrite.
  [[nodiscard]] table::Source& source() const;
  /// What the rows go through on their way out, and the form of a CSV output. This object must outlive it.
  [[nodiscard]] const table::Rewrite& rewrite() const;
  [[nodiscard]] const table::TextForm& form() const;
  /// Without what only `publish` knows.
  [[nodiscard]] const PrivacyLabel& label() const;

  /// To be asked when all rows have gone through, before they are let out. `io` when the table was another one by then: nothing of
  /// what was computed holds. Else what the owner should know about what was written.
  [[nodiscard]] Result<std::vector<Warning>> check_written() const;

 private:
  class Parts;
  explicit AnonymizedTable(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// The policy with all that was found out about a table: every column is in it, those nobody named as kept, and how a CSV file is
/// written. Its choices were made with the data at hand.
[[nodiscard]] schema::Policy completed_policy(schema::Policy policy, const table::Source& source,
                                              const std::optional<table::TextForm>& form);

}  // namespace gauze::anonymize
