#include "gauze/anonymize/job/anonymized_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string_view>

#include "gauze/anonymize/inspect/undecided_text.h"
#include "gauze/anonymize/job/anonymization_label.h"
#include "gauze/anonymize/job/formula_cells.h"
#include "gauze/anonymize/job/row_recoding.h"
#include "gauze/base/cpu_time.h"
#include "gauze/random/secure_random.h"
#include "gauze/schema/cleaning/cleaned_source.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

class AnonymizedTable::Parts {
 public:
  /// `cleaned` is the source, or null where the policy cleans nothing.
  Parts(table::Source& source, std::unique_ptr<CleanedSource> cleaned, Policy policy, Options options)
      : cleaned_(std::move(cleaned)),
        source_(cleaned_ ? *cleaned_ : source),
        policy_(std::move(policy)),
        options_(std::move(options)),
        formulas_(source_) {}

  Result<void> build(const table::TextForm& form, const table::SourceOpener& open, Progress& progress);
  [[nodiscard]] Result<std::vector<Warning>> check_written() const;

  std::unique_ptr<CleanedSource> cleaned_;
  table::Source& source_;
  Policy policy_;
  Options options_;
  TableRecords records_;
  Anonymization result_;
  Times times_;
  std::vector<UndecidedColumn> undecided_;
  std::vector<Warning> warnings_;
  std::string new_key_file_;
  table::Rewrite rewrite_;
  table::TextForm form_;
  PrivacyLabel label_;

 private:
  Result<void> check_undecided(Progress& progress);
  Result<RowRecodingOptions> recoding_options(Progress& progress);
  Result<void> choose_form(const table::TextForm& input);
  Result<void> check_names(const std::vector<std::size_t>& dropped) const;
  [[nodiscard]] WrittenRows written_rows(const RowRecodingOptions& writing) const;
  Result<std::vector<std::size_t>> watched_columns(Progress& progress) const;
  void warn_of_result();

  FormulaCells formulas_;
  /// Rows that were not there when the records were read.
  std::shared_ptr<std::atomic<std::uint64_t>> strangers_ = std::make_shared<std::atomic<std::uint64_t>>(0);
};

/// Columns nobody decided about stay as they are: one that tells who a row is would undo everything. One that was decided
/// to stay is told of.
Result<void> AnonymizedTable::Parts::check_undecided(Progress& progress) {
  for (const PolicyColumn& column : policy_.columns) GAUZE_TRY_VOID(source_.column(column.name));
  std::vector<std::size_t> stay;
  for (std::size_t place = 0; place < source_.columns().size(); ++place) {
    const PolicyColumn* const column = policy_.find(source_.columns()[place]);
    if (column == nullptr || column->action == IdentifierAction::keep) stay.push_back(place);
  }
  GAUZE_TRY(UndecidedColumns found, find_undecided(source_, stay, progress));
  const auto is_decided = [&](const UndecidedColumn& column) { return policy_.find(column.name) != nullptr; };
  for (const UndecidedColumn& column : found.identifiers)
    if (is_decided(column))
      warnings_.push_back(Warning::of_privacy(
          "identifier_kept", fmt::format("'{}' looks like an identifier ({}) and stays as it is, as you decided",
                                         column.name, column.reason)));
  std::erase_if(found.identifiers, is_decided);
  std::erase_if(found.quasi, is_decided);
  if (!found.identifiers.empty()) {
    undecided_ = std::move(found.identifiers);
    return refuse_undecided(undecided_, "drop it, make pseudonyms of it or keep it, or give it a role in the policy");
  }
  if (!found.quasi.empty()) warnings_.push_back(unnamed_quasi_identifiers(found.quasi));
  return {};
}

Result<RowRecodingOptions> AnonymizedTable::Parts::recoding_options(Progress& progress) {
  RowRecodingOptions writing;
  writing.suppressed = options_.suppressed;
  writing.strangers = strangers_;
  std::string key_file;
  for (const PolicyColumn& column : policy_.columns) {
    if (!column.has(Role::identifier) || column.action == IdentifierAction::keep) continue;
    GAUZE_TRY(const std::size_t place, source_.column(column.name));
    if (column.action == IdentifierAction::drop) {
      writing.dropped.push_back(place);
      continue;
    }
    if (column.key_file.empty())
      return invalid_parameter("the pseudonyms of {} need a key file: give `key` in the policy", column.name);
    if (!key_file.empty() && key_file != column.key_file)
      return invalid_parameter("all pseudonyms of a table must have the same key file");
    key_file = column.key_file;
    writing.pseudonymous.push_back(place);
  }
  GAUZE_TRY_VOID(check_names(writing.dropped));
  GAUZE_TRY(writing.stars, star_rows(source_, policy_, result_.recoding, options_.suppressed, writing.dropped,
                                     writing.pseudonymous, progress));
  // A key is made only for a table that will be written.
  if (!key_file.empty()) {
    GAUZE_TRY(writing.pseudonyms, Pseudonyms::open(key_file));
    if (writing.pseudonyms->key_is_new()) new_key_file_ = key_file;
  }
  return writing;
}

/// Names of columns cannot be written with an apostrophe: they would be other names.
Result<void> AnonymizedTable::Parts::check_names(const std::vector<std::size_t>& dropped) const {
  const auto names = options_.spreadsheet_safe ? formula_names(source_, dropped) : std::vector<std::string>();
  if (names.empty()) return {};
  return invalid_parameter("a spreadsheet would run the name of the column '{}': give the columns other names",
                           names.front());
}

/// The form of the input, in the encoding that is asked for. A text that the encoding cannot hold: UTF-8. Cells that stay as
/// they were fit the encoding they came in; what is new are the values of classes.
Result<void> AnonymizedTable::Parts::choose_form(const table::TextForm& input) {
  form_ = input;
  if (options_.encoding) {
    GAUZE_TRY(form_.encoding, table::parse_encoding(*options_.encoding, table::byte_order_mark(input.encoding)));
  }
  // Asked for is another encoding than that of the cells: any of them may not fit, which only writing finds out.
  std::vector<std::string_view> texts(source_.columns().begin(), source_.columns().end());
  for (const auto& values : result_.recoding.values)
    for (const CellValue& value : values) texts.push_back(value.text);
  const bool fits = std::all_of(texts.begin(), texts.end(), [&](std::string_view text) {
    return table::encode(text, form_.encoding).has_value();
  });
  if (fits) return {};
  const std::string_view name = table::to_string(form_.encoding);
  if (options_.encoding)
    return invalid_parameter("the output has letters that the encoding {} does not have; UTF-8 has them all", name);
  warnings_.push_back(
      {"output_encoding", fmt::format("the values of classes have letters that the input's encoding {} does not "
                                      "have: the output is UTF-8",
                                      name)});
  form_.encoding = table::Encoding::utf8;
  return {};
}

/// What the label tells of how rows were written.
WrittenRows AnonymizedTable::Parts::written_rows(const RowRecodingOptions& writing) const {
  WrittenRows written{.suppressed = writing.suppressed, .keep_order = options_.keep_order};
  written.decimal = form_.decimal;
  written.null_tokens = policy_.input.null_tokens;
  const auto among = [](const std::vector<std::size_t>& list, std::size_t place) {
    return std::find(list.begin(), list.end(), place) != list.end();
  };
  for (std::size_t place = 0; place < source_.columns().size(); ++place) {
    if (among(writing.dropped, place) || among(records_.quasi_columns, place)) continue;
    auto& names = among(writing.pseudonymous, place) ? written.columns_pseudonymous : written.columns_unchanged;
    names.push_back(source_.columns()[place]);
  }
  return written;
}

/// The columns that may have cells which a spreadsheet would run. CSV goes by as text, and all are looked at on the way; for
/// Parquet looking costs more than a pass over the table that finds out where it is needed.
Result<std::vector<std::size_t>> AnonymizedTable::Parts::watched_columns(Progress& progress) const {
  if (options_.to_parquet) return formula_columns(source_, progress);
  std::vector<std::size_t> all(source_.columns().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

void AnonymizedTable::Parts::warn_of_result() {
  if (result_.recoding.suppressed == records_.records.total)
    warnings_.push_back({"all_suppressed", "all rows are suppressed: the output says nothing"});
  if (options_.suppressed == SuppressedRows::keep && result_.recoding.suppressed > 0)
    warnings_.push_back(Warning::of_privacy(
        "suppressed_rows_kept",
        "suppressed rows are kept: only their quasi-identifiers are `*`; the other columns tell about the few people who "
        "fit no class"));
  if (options_.keep_order)
    warnings_.push_back(Warning::of_privacy(
        "order_kept",
        "the order of the rows is kept: it links the output to the table it was made from, and to other outputs"));
}

Result<void> AnonymizedTable::Parts::build(const table::TextForm& form, const table::SourceOpener& open,
                                           Progress& progress) {
  if (policy_.privacy.k == 1)
    warnings_.push_back(
        Warning::of_privacy("k_is_one", "k = 1 asks nothing of the size of classes: a row may stay unique"));
  const double started = cpu_seconds();
  GAUZE_TRY_VOID(check_undecided(progress));
  GAUZE_TRY(records_, read_records(source_, open, policy_, progress));
  const double read = cpu_seconds();
  GAUZE_TRY(result_, anonymize(records_, policy_, options_.suppressed, progress));
  times_ = {.read = read - started,
            .search = result_.search_seconds,
            .assess = cpu_seconds() - read - result_.search_seconds};
  warn_of_result();
  GAUZE_TRY_VOID(choose_form(form));
  GAUZE_TRY(const std::vector<std::size_t> watched, watched_columns(progress));
  GAUZE_TRY(RowRecodingOptions writing, recoding_options(progress));
  label_ = make_label(records_, policy_, result_, written_rows(writing));
  if (options_.spreadsheet_safe)
    label_.parameters.set("spreadsheet_safe", "cells that a spreadsheet would run begin with an apostrophe");
  rewrite_ = formulas_.watch(make_rewrite(source_, records_, result_.recoding, std::move(writing)), watched,
                             options_.spreadsheet_safe);
  if (!options_.keep_order) rewrite_.shuffle = [](std::uint64_t n) { return SecureRandom::of_thread().below(n); };
  return {};
}

Result<std::vector<Warning>> AnonymizedTable::Parts::check_written() const {
  if (strangers_->load() > 0)
    return make_error(ErrorCode::io, "the table changed while it was being read: nothing was written");
  std::vector<Warning> warnings;
  const auto formulas = options_.spreadsheet_safe ? std::vector<std::size_t>() : formulas_.found();
  if (!formulas.empty()) warnings.push_back(formula_warning(source_, formulas));
  return warnings;
}

AnonymizedTable::AnonymizedTable(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
AnonymizedTable::AnonymizedTable(AnonymizedTable&&) noexcept = default;
AnonymizedTable& AnonymizedTable::operator=(AnonymizedTable&&) noexcept = default;
AnonymizedTable::~AnonymizedTable() = default;

tl::expected<AnonymizedTable, NotAnonymized> AnonymizedTable::make(table::Source& source, const table::TextForm& form,
                                                                   const table::SourceOpener& open,
                                                                   const Policy& policy, const Options& options,
                                                                   Progress& progress) {
  std::unique_ptr<CleanedSource> cleaned;
  if (policy.cleans()) {
    auto made = CleanedSource::make(source, policy);
    if (!made) return tl::unexpected(NotAnonymized(std::move(made).error()));
    cleaned = std::move(*made);
  }
  auto parts = std::make_unique<Parts>(source, std::move(cleaned), policy, options);
  if (auto built = parts->build(form, open, progress); !built) {
    NotAnonymized why(std::move(built).error());
    why.undecided = std::move(parts->undecided_);
    why.warnings = std::move(parts->warnings_);
    return tl::unexpected(std::move(why));
  }
  return AnonymizedTable(std::move(parts));
}

table::Source& AnonymizedTable::source() const { return parts_->source_; }
const TableRecords& AnonymizedTable::records() const { return parts_->records_; }
const Anonymization& AnonymizedTable::result() const { return parts_->result_; }
const AnonymizedTable::Times& AnonymizedTable::times() const { return parts_->times_; }
const std::vector<Warning>& AnonymizedTable::warnings() const { return parts_->warnings_; }
const std::string& AnonymizedTable::new_key_file() const { return parts_->new_key_file_; }
const table::Rewrite& AnonymizedTable::rewrite() const { return parts_->rewrite_; }
const table::TextForm& AnonymizedTable::form() const { return parts_->form_; }
const PrivacyLabel& AnonymizedTable::label() const { return parts_->label_; }
Result<std::vector<Warning>> AnonymizedTable::check_written() const { return parts_->check_written(); }

Policy completed_policy(Policy policy, const table::Source& source, const std::optional<table::TextForm>& form) {
  policy.provenance = {};
  if (form) {
    policy.input.delimiter = form->delimiter;
    policy.input.encoding = table::to_string(form->encoding);
    policy.input.decimal = form->decimal;
  }
  for (const std::string& name : source.columns())
    if (policy.find(name) == nullptr) policy.columns.push_back({.name = name, .action = IdentifierAction::keep});
  return policy;
}

}  // namespace gauze::anonymize
