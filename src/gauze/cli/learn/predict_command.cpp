#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/learn/job/score_job.h"
#include "gauze/learn/score/predicted_rows.h"
#include "gauze/publish/labelled_table.h"

namespace gauze::cli {
namespace {

Result<int> run_predict(Invocation& invocation) {
  GAUZE_TRY(const std::string model_path, invocation.text("model"));
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  if (output == "-" && invocation.json())
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  GAUZE_TRY(learn::ModelFile model, learn::ModelFile::read(model_path));
  table::ReadOptions options;
  options.null_tokens = model.description.null_tokens;
  GAUZE_TRY(options, read_options(invocation, std::move(options)));
  model.description.null_tokens = options.null_tokens;
  model.description.decimal = options.decimal.value_or(model.description.decimal);
  learn::PredictionRequest request{.probabilities = invocation.has("probabilities")};
  if (invocation.has("keep")) {
    GAUZE_TRY(request.keep, invocation.list("keep"));
  }
  GAUZE_TRY(publish::Publication publication, begin_publication(invocation, false));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, options));
  GAUZE_TRY(const auto rows, learn::predicted_rows(model, *opened.source, request, invocation.progress()));
  std::vector<std::string> names;
  for (const auto& column : rows->columns()) names.push_back(column.name);
  GAUZE_TRY(const table::FileFormat format, table::format_of({.path = output, .format = {}, .form = opened.form}));
  GAUZE_TRY_VOID(table::check_names(format, names));
  GAUZE_TRY(publish::LabelledOutput written, open_output(invocation, output));
  GAUZE_TRY_VOID(publish::write_rows(*rows, opened.form, written, invocation.progress()));
  PrivacyLabel label = learn::prediction_label(model);
  GAUZE_TRY_VOID(finish(invocation, publication, label, {&written, 1}));
  invocation.end_progress();
  if (output != "-") invocation.note(wrote_with_label(output));
  if (invocation.json()) {
    Json columns = Json::array();
    for (const std::string& name : names) columns.push(name);
    invocation.print_json(Json::object({{"columns", std::move(columns)}, {"label", label.to_json()}}));
  }
  return 0;
}

}  // namespace

void register_predict_command(Registry& registry) {
  Flag output = output_flag();
  output.required = true;
  std::vector<Flag> flags = {
      {.name = "probabilities", .help = "a column for each class, p=CLASS"},
      {.name = "keep", .placeholder = "A,B", .help = "columns of the table that stay beside the prediction"},
      std::move(output)};
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  registry.add({
      .name = "predict",
      .group = "Models",
      .summary = "Let a model answer for the rows of a table",
      .description =
          "Needs the model file alone. The table may be of any length. Answers are about the rows that were given: they "
          "are as private as those.",
      .examples = {{"gauze predict income.gmodel new.csv --probabilities --keep id -o predicted.csv",
                    "the id of each row, what the model says, and how sure it is"}},
      .positionals = {{.name = "model", .help = "a model file", .is_file = true}, table_positional()},
      .flags = std::move(flags),
      .run = run_predict,
  });
}

}  // namespace gauze::cli
