#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/label/label_file.h"
#include "gauze/learn/job/gradient_report.h"
#include "gauze/learn/model/model_json.h"
#include "gauze/learn/model/model_kinds.h"
#include "gauze/learn/rows/read_rows.h"

namespace gauze::cli {
namespace {

using learn::ModelFile;

Positional model_positional() { return {.name = "model", .help = "a model file", .is_file = true}; }

void print_coefficients(Invocation& invocation, const Json& model) {
  const Json* coefficients = model.find("coefficients");
  if (coefficients == nullptr) return;
  TextTable table;
  std::vector<std::string> heading = {"input"};
  const Json* intercept = model.find("intercept");
  for (const auto& [name, value] : *intercept->members()) heading.push_back(name);
  table.add(std::move(heading));
  const auto add = [&](const std::string& name, const Json& values) {
    std::vector<std::string> row = {name};
    for (const auto& [label, value] : *values.members()) row.emplace_back(value.text());
    table.add(std::move(row));
  };
  add("(intercept)", *intercept);
  for (const auto& [name, values] : *coefficients->members()) add(name, values);
  invocation.out().write(table.text(invocation.out_style()));
}

Result<int> run_show(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("model"));
  GAUZE_TRY(const ModelFile model, ModelFile::read(path));
  Json object = learn::model_json(model);
  const auto label = read_label_file(label_path_for(path));
  object.set("label", label ? label->to_json() : Json());
  if (invocation.json()) {
    invocation.print_json(std::move(object));
    return 0;
  }
  const auto& target = model.description.policy.target;
  invocation.out().print("{}: {} of {} inputs, {} numbers\n", path, model.description.kind,
                         object.find("inputs")->elements()->size(), object.find("parameters")->text());
  invocation.out().print("predicts {}: {}\n", target.column,
                         target.numeric ? "a number" : fmt::format("{} classes", target.classes.size()));
  print_coefficients(invocation, object);
  if (label)
    invocation.out().write("\n" + label->to_text(invocation.columns()));
  else
    invocation.note("there is no label beside it: nothing says what it promises");
  return 0;
}

Result<int> run_check(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("model"));
  GAUZE_TRY(const ModelFile model, ModelFile::read(path));
  GAUZE_TRY(const PrivacyLabel label, read_label_file(label_path_for(path)));
  GAUZE_TRY_VOID(check_against_file(label, path));
  if (invocation.json())
    invocation.print_json(Json::object({{"ok", true}, {"kind", model.description.kind}, {"label", label.to_json()}}));
  else
    invocation.out().print("{}: a model of kind {} with its label\n", path, model.description.kind);
  return 0;
}

Result<std::vector<std::pair<std::string, Rational>>> scales_of(const Invocation& invocation) {
  std::vector<std::pair<std::string, Rational>> scales;
  if (!invocation.has("scales")) return scales;
  GAUZE_TRY(const auto items, invocation.list("scales"));
  for (const std::string& item : items) {
    const std::size_t sign = item.rfind('=');
    const auto scale = sign == std::string::npos ? Rational::parse("") : Rational::parse(item.substr(sign + 1));
    if (!scale) return invalid_parameter("--scales takes INPUT=SCALE, several with commas between them");
    scales.emplace_back(item.substr(0, sign), *scale);
  }
  return scales;
}

Result<int> run_gradients(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("model"));
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const ModelFile model, ModelFile::read(path));
  learn::GradientRequest request;
  GAUZE_TRY(request.clip, invocation.rational("clip"));
  GAUZE_TRY(request.scales, scales_of(invocation));
  GAUZE_TRY(const std::string mode, invocation.text("mode"));
  if (mode == "materialised") request.mode = learn::NormMode::materialised;
  table::ReadOptions options;
  options.null_tokens = model.description.null_tokens;
  GAUZE_TRY(options, read_options(invocation, std::move(options)));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, options));
  schema::LearnPolicy policy = model.description.policy;
  policy.unit.reset();  // row by row
  learn::LearningRows rows(policy, model.description.encoding, model.description.decimal,
                           model.description.null_tokens);
  GAUZE_TRY_VOID(learn::read_rows(*opened.source, policy.columns(), rows, invocation.progress()));
  rows.finish();
  GAUZE_TRY(Json report, learn::gradient_report(model, rows, request));
  invocation.end_progress();
  invocation.warn(Warning::of_privacy("internal", "INTERNAL: gradients of private rows without noise"));
  if (invocation.json()) {
    invocation.print_json(std::move(report));
    return 0;
  }
  TextTable table;
  table.add({"row", "norm", "factor"});
  std::size_t row = 0;
  for (const Json& sample : *report.find("samples")->elements())
    table.add({fmt::format("{}", ++row), std::string(sample.find("norm")->text()),
               std::string(sample.find("factor")->text())});
  invocation.out().write(table.text(invocation.out_style()));
  invocation.note("the sum of the clipped gradients is in the JSON (--json)");
  return 0;
}

}  // namespace

void register_model_commands(Registry& registry) {
  registry.add({
      .name = "model show",
      .group = "Models",
      .summary = "What a model file holds, and what it promises",
      .description = "Kind, inputs, target and label; of linear models the coefficients.",
      .examples = {{"gauze model show income.gmodel", "what it is"}},
      .positionals = {model_positional()},
      .run = run_show,
  });
  registry.add({
      .name = "model check",
      .group = "Models",
      .summary = "Whether a model file is whole and its label belongs to it",
      .description = "Reads all of the file and of its label. Exit 1 when something does not fit.",
      .examples = {{"gauze model check income.gmodel", "before anybody predicts with it"}},
      .positionals = {model_positional()},
      .run = run_check,
  });
  std::vector<Flag> flags = {
      {.name = "clip", .placeholder = "C", .help = "the largest norm", .default_text = "1"},
      {.name = "scales", .placeholder = "INPUT=S,...", .help = "scales of inputs, as of shaped noise"},
      {.name = "mode",
       .placeholder = "MODE",
       .help = "how norms are found",
       .default_text = "ghost",
       .choices = {"ghost", "materialised"}}};
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  registry.add({
      .name = "model gradients",
      .group = "Models",
      .summary = "Gradients of a model row by row, without noise: for checking",
      .description = "Norm and factor of each row, and the sum of the clipped gradients. INTERNAL.",
      .examples = {{"gauze model gradients income.gmodel few.csv --json", "to compare with another program"}},
      .positionals = {model_positional(), table_positional()},
      .flags = std::move(flags),
      .run = run_gradients,
  });
}

}  // namespace gauze::cli
