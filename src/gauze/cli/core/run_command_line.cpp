#include "gauze/cli/core/run_command_line.h"

#include <new>

#include "gauze/base/parallel.h"
#include "gauze/cli/core/command_line_parser.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/core/terminal_progress.h"
#include "gauze/label/printable_text.h"

namespace gauze::cli {
namespace {

Result<int> run_guarded(Invocation& invocation) {
  try {
    GAUZE_TRY_VOID(check_output_places(invocation));
    return invocation.command().run(invocation);
  } catch (const std::bad_alloc&) {
    return make_error(ErrorCode::internal, "there is not enough memory for this");
  } catch (...) {
    return make_error(ErrorCode::internal,
                      "a library failed unexpectedly; its message is withheld, it may quote data");
  }
}

Result<int> run_and_flush(Invocation& invocation, TerminalProgress& terminal) {
  auto ran = run_guarded(invocation);
  terminal.erase();  // the bar goes before the results come
  GAUZE_TRY(const int status, std::move(ran));
  GAUZE_TRY_VOID(invocation.out().flush());
  return status;
}

Result<int> run_with_progress(Invocation& invocation, Streams& streams) {
  if (invocation.has("threads")) {
    GAUZE_TRY(const std::int64_t threads, invocation.integer("threads", 1, 1024));
    set_thread_count(static_cast<int>(threads));
  }
  const bool drawn =
      streams.err_is_terminal && !invocation.quiet() && !(invocation.json() && !streams.out_is_terminal);
  TerminalProgress terminal(streams.err, drawn);
  invocation.set_progress(terminal.progress());
  invocation.out().stop_with(terminal.progress());
  if (streams.on_progress) streams.on_progress(&terminal.progress());
  auto result = run_and_flush(invocation, terminal);
  if (streams.on_progress) streams.on_progress(nullptr);
  invocation.end_progress();
  const bool stopped = terminal.progress().stop_requested();
  // Ctrl-C makes waiting calls fail in many ways; the cause is one.
  if (!result && stopped && result.error().code != ErrorCode::interrupted) {
    return make_error(ErrorCode::interrupted, "interrupted");
  }
  return result;
}

/// `must_be_told`: something was done that stays done.
int report(const Error& error, const Json& extras, bool json, bool must_be_told, Style style, OutputWriter& out,
           OutputWriter& err) {
  const std::string message = printable(error.message);
  // A reader that went away, as head does, wants no complaint.
  const auto is_wanted = [&] { return must_be_told || !out.reader_gone(); };
  // Behind half of a result an object with the error would look like a part of it.
  if (json && !out.begun()) {
    Json document = Json::object({{"error", Json::object({{"code", to_string(error.code)}, {"message", message}})}});
    for (const auto& [key, value] : *extras.members()) document.set(key, value);
    out.discard();
    out.write(document.dump() + "\n");
    if (!out.flush() && is_wanted()) err.write(fmt::format("gauze: {}\n", message));
  } else if (is_wanted()) {
    err.write(fmt::format("{} {}\n", style.red("gauze:"), message));
  }
  static_cast<void>(err.flush());
  return exit_status(error.code);
}

}  // namespace

int run_command_line(const Registry& registry, std::span<const std::string> args, Streams& streams) {
  OutputWriter out(streams.out);
  OutputWriter err(streams.err);
  const bool json = wants_json(args);
  auto line = parse_command_line(registry, args);
  if (!line) {
    const Style style{.enabled = streams.err_is_terminal && !streams.no_color};
    return report(line.error(), Json::object(), json, false, style, out, err);
  }
  Invocation invocation(registry, *line->command, std::move(line->arguments), streams, out, err);
  if (streams.hide_memory && !invocation.has("allow-core-dumps")) streams.hide_memory();
  const auto status = run_with_progress(invocation, streams);
  if (status) invocation.tell_remarks(false);
  static_cast<void>(err.flush());
  if (status) return *status;
  Error error = status.error();
  // Of a parameter that a library asks for.
  if (!error.parameter.empty() && invocation.command().find_flag(error.parameter) != nullptr)
    error.message += fmt::format(" (--{})", error.parameter);
  if (!invocation.aftermath().empty()) error.message += "; " + invocation.aftermath();
  Json extras = invocation.error_extras();
  if (!invocation.warnings().empty()) extras.set("warnings", to_json(invocation.warnings()));
  const int code = report(error, extras, json, !invocation.aftermath().empty(), invocation.err_style(), out, err);
  invocation.tell_remarks(true);
  static_cast<void>(err.flush());
  return code;
}

int run_command_line(std::span<const std::string> args, Streams& streams) {
  const Registry registry = make_registry();
  return run_command_line(registry, args, streams);
}

}  // namespace gauze::cli
