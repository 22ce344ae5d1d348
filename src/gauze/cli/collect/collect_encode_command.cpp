// collect encode.
#include "gauze/base/joined.h"
#include "gauze/cli/collect/collect_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/collect/device/device_folder.h"
#include "gauze/collect/encode/encode_values.h"
#include "gauze/collect/encode/field_value.h"
#include "gauze/engines/open_source.h"
#include "gauze/files/standard_input.h"

namespace gauze::cli {
namespace {

using collect::AnyTask;
using collect::CentralTask;
using collect::DeviceFolder;
using collect::DeviceTask;
using collect::EncodedReports;
using collect::EncodeRequest;
using collect::Task;

Result<EncodeRequest> encode_request(const Invocation& invocation, const DeviceTask& task) {
  EncodeRequest request;
  GAUZE_TRY(request.format, invocation.value("format", collect::kReportFormatWords));
  if (invocation.has("period")) {
    GAUZE_TRY(const std::int64_t period, invocation.integer("period", 0, UINT32_MAX));
    request.period = static_cast<std::uint32_t>(period);
    return request;
  }
  GAUZE_TRY(const std::uint64_t time, time_of(invocation));
  const std::uint64_t period = time / static_cast<std::uint64_t>(task.terms().period());
  if (period > UINT32_MAX) return invalid_parameter("--time is too far in the future for the task's periods");
  request.period = static_cast<std::uint32_t>(period);
  return request;
}

/// A table with these columns, whose rows are devices.
Result<std::unique_ptr<table::DeclaredSource>> open_columns(const std::string& path,
                                                            const std::vector<std::string>& names,
                                                            const table::ReadOptions& options, PrivacyLabel& label) {
  std::vector<table::DeclaredColumn> columns;
  for (const std::string& name : names) columns.push_back({.name = name, .unreadable = ""});
  GAUZE_TRY(auto source, engines::open_declared_source(path, std::move(columns), options));
  if (std::string assumed = source->assumption(); !assumed.empty())
    label.does_not_cover.push_back(std::move(assumed));
  return source;
}

/// Completes the label of the task by what was encoded, and from what.
Result<EncodedReports> encode_file(Invocation& invocation, const std::string& path, const Task& task,
                                   const EncodeRequest& request, publish::LabelledOutput& output,
                                   PrivacyLabel& label) {
  const collect::ReportSink sink = [&](std::string_view bytes) { return output.write(bytes); };
  if (invocation.has("columns"))
    return make_error(ErrorCode::usage, "--columns goes with central tasks: the fields' columns, in their order");
  if (const auto column = invocation.optional_text("column")) {
    GAUZE_TRY(const table::ReadOptions options, read_options(invocation));
    GAUZE_TRY(const auto source, open_columns(path, {*column}, options, label));
    return collect::encode_column(*source, options.null_tokens, task, request, sink, invocation.progress());
  }
  GAUZE_TRY(const auto source, open_input(path, &invocation.progress()));
  return collect::encode_lines(*source, task, request, sink, invocation.progress());
}

Result<EncodedReports> encode_file(Invocation& invocation, const std::string& path, const CentralTask& task,
                                   const EncodeRequest& request, publish::LabelledOutput& output,
                                   PrivacyLabel& label) {
  const collect::ReportSink sink = [&](std::string_view bytes) { return output.write(bytes); };
  if (invocation.has("column") || !invocation.has("columns"))
    return make_error(ErrorCode::usage, "the task '{}' is a central one: name the columns of its {} with --columns",
                      task.spec().name, counted(task.spec().fields.size(), "field"));
  GAUZE_TRY(const std::vector<std::string> columns, invocation.list("columns"));
  if (columns.size() != task.spec().fields.size())
    return make_error(
        ErrorCode::usage, "--columns names {}, but the task '{}' has {}: a column for each, in their order",
        counted(columns.size(), "column"), task.spec().name, counted(task.spec().fields.size(), "field"));
  GAUZE_TRY(const table::ReadOptions options, read_options(invocation));
  GAUZE_TRY(const auto source, open_columns(path, columns, options, label));
  return collect::encode_records(*source, options.null_tokens, task, request, sink, invocation.progress());
}

PrivacyLabel label_of_report(const Task& task) { return task.label("report of a device"); }
PrivacyLabel label_of_report(const CentralTask& task) { return task.label_of_records("record of a device"); }
PrivacyLabel label_of_reports(const Task& task) { return task.label("reports of devices"); }
PrivacyLabel label_of_reports(const CentralTask& task) { return task.label_of_records("records of devices"); }

Result<std::string> encode_as(DeviceFolder& device, const Invocation& invocation, const Task& task,
                              std::uint64_t time) {
  const std::vector<std::string> given = invocation.texts("value");
  if (given.size() != 1) return make_error(ErrorCode::usage, "--device needs one --value to encode");
  return device.encode(task, collect::value_of_text(task.spec(), given.front()), time);
}

/// A value for each field that is named; those that are not are missing.
Result<std::string> encode_as(DeviceFolder& device, const Invocation& invocation, const CentralTask& task,
                              std::uint64_t time) {
  std::vector<std::optional<gauze_value>> values(task.spec().fields.size());
  const std::vector<std::string> given = invocation.texts("value");
  for (const std::string& one : given) {
    const std::size_t equals = one.find('=');
    const auto field = task.spec().find(std::string_view(one).substr(0, equals));
    if (equals == std::string::npos || !field)
      return make_error(ErrorCode::usage, "--value of a central task is FIELD=V, once a field of the task");
    if (values[*field]) return make_error(ErrorCode::usage, "--value names a field twice");
    values[*field] = collect::value_of_text(task.spec().fields[*field], std::string_view(one).substr(equals + 1));
  }
  std::vector<gauze_value> record;
  for (const auto& value : values) record.push_back(value.value_or(collect::kNoValue));
  return device.encode(task, record, time);
}

Result<int> deliver_reports(Invocation& invocation, const std::string& output, const EncodedReports& encoded,
                            const PrivacyLabel& label, Json ledger) {
  if (output == "-")
    invocation.warn(Warning::of_privacy(
        "no_label", "reports on the standard output have no label: the task's says what they cost"));
  else
    invocation.note(fmt::format("wrote {} in {} bytes to {}, with its label", counted(encoded.reports, "report"),
                                encoded.bytes, output));
  if (!invocation.json()) return 0;
  Json object = Json::object({{"reports", encoded.reports}, {"bytes", encoded.bytes}});
  if (!ledger.is_null()) object.set("ledger", std::move(ledger));
  object.set("label", label.to_json());
  invocation.print_json(std::move(object));
  return 0;
}

Result<int> run_as_device(Invocation& invocation, const AnyTask& task, const std::string& output) {
  for (const char* name : {"file", "column", "columns", "period", "format"})
    if (invocation.has(name))
      return make_error(ErrorCode::usage, "--device encodes one --value: it does not go with {}", name);
  GAUZE_TRY(const std::string folder, invocation.text("device"));
  if (!invocation.has("value")) return make_error(ErrorCode::usage, "--device needs the --value to encode");
  GAUZE_TRY(const std::uint64_t time, time_of(invocation));
  GAUZE_TRY_VOID(publish::LabelledOutput::try_place(output));
  GAUZE_TRY(DeviceFolder device, DeviceFolder::open(folder));
  GAUZE_TRY(const std::string block,
            std::visit([&](const auto& one) { return encode_as(device, invocation, one, time); }, task));
  if (std::holds_alternative<Task>(task)) invocation.set_aftermath("the report is lost, and its charge stays");
  PrivacyLabel label = std::visit([](const auto& one) { return label_of_report(one); }, task);
  GAUZE_TRY_VOID(publish_bytes(invocation, output, block, label));
  invocation.set_aftermath({});
  GAUZE_TRY(Json ledger, device.ledger_json(time));
  return deliver_reports(invocation, output, {1, block.size()}, label, std::move(ledger));
}

Result<int> run_encode(Invocation& invocation) {
  GAUZE_TRY(const std::string output, invocation.text("output"));
  GAUZE_TRY_VOID(check_plain_output(invocation));
  if (output == "-" && invocation.json())
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  GAUZE_TRY(const AnyTask any, read_any_task(invocation));
  const DeviceTask& task = collect::device_task(any);
  GAUZE_TRY_VOID(task.check_claim());
  invocation.warn_all(task.warnings());
  if (invocation.has("device")) return run_as_device(invocation, any, output);
  for (const char* name : {"value"})
    if (invocation.has(name)) return make_error(ErrorCode::usage, "--{} goes with --device", name);
  GAUZE_TRY(const EncodeRequest request, encode_request(invocation, task));
  const std::string path = invocation.optional_text("file").value_or("-");
  GAUZE_TRY(publish::Publication publication, begin_publication(invocation, false));
  std::vector<publish::LabelledOutput> outputs;
  GAUZE_TRY(publish::LabelledOutput opened, open_output(invocation, output));
  outputs.push_back(std::move(opened));
  PrivacyLabel label = std::visit([](const auto& one) { return label_of_reports(one); }, any);
  const auto encode = [&](const auto& one) {
    return encode_file(invocation, path, one, request, outputs.front(), label);
  };
  GAUZE_TRY(const EncodedReports encoded, std::visit(encode, any));
  if (std::holds_alternative<Task>(any)) label.parameters.set("reports", encoded.reports);
  label.parameters.set("period", request.period);
  GAUZE_TRY_VOID(finish(invocation, publication, label, outputs));
  invocation.end_progress();
  return deliver_reports(invocation, output, encoded, label, {});
}

}  // namespace

void register_collect_encode_command(Registry& registry) {
  Flag output = output_flag();
  output.required = true;
  output.or_stdout = true;
  std::vector<Flag> flags = {
      task_flag(),
      std::move(output),
      {.name = "column", .placeholder = "COL", .help = "the column of a table; without it a line is a device"},
      {.name = "columns",
       .placeholder = "A,B",
       .help = "of a central task: the columns of its fields, in their order"},
      {.name = "format",
       .placeholder = "FORMAT",
       .help = "blocks as devices send them, or lines of JSON to be read",
       .default_text = "binary",
       .choices = all_words(collect::kReportFormatWords)},
      {.name = "period", .placeholder = "P", .help = "the number of the period (default: that of now)"},
      {.name = "device",
       .placeholder = "DIR",
       .help = "encode one value as the device in this folder",
       .is_file = true},
      {.name = "value",
       .placeholder = "V",
       .help = "with --device: its value; of a central task FIELD=V, once a field",
       .repeatable = true,
       .carries_data = true,
       .may_be_empty = true},
      time_flag()};
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "collect encode",
       .group = "Collect from devices",
       .summary = "Disturb values as devices do, and write their reports",
       .description =
           "Every line, or with --column every row of a table, is a device: one report each, in their order, drawn by the encoder "
           "that runs on devices. What is out of the task's domain (an empty line, an unknown value, no number) is reported "
           "as the task says: as `other`, as a value drawn by chance, or clamped. No row keeps others from reporting: a table is "
           "read as `gauze release` reads it, so without a header --delimiter must be given. Nobody's ledger is charged.\n\n"
           "With --device one value is encoded as a whole device would: its ledger is charged first (exit 3 when a limit does not "
           "allow it), and without consent there is no report (exit 4).\n\n"
           "Records of a central task are not disturbed: they are private as they are, labelled INTERNAL, and cost the device "
           "nothing. Numbers are clamped; an unknown category is `other`, or drawn where there is none.\n\n"
           "With --json: reports, bytes, label; with --device also ledger.",
       .examples = {{"gauze collect encode answers.txt --task home-page.json -o reports.bin", "a line a device"},
                    {"gauze collect encode people.csv --column education --task education.json -o reports.bin",
                     "a row a device"},
                    {"gauze collect encode people.csv --columns age,city --task ages.json -o records.bin",
                     "records of a central task"},
                    {"gauze collect encode --device phone --task battery.json --value 87 -o report.bin",
                     "one device"}},
       .positionals =
           {{.name = "file", .help = "text or a table; - for the standard input", .optional = true, .is_file = true}},
       .flags = std::move(flags),
       .run = run_encode});
}

}  // namespace gauze::cli
