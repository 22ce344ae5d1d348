#pragma once
// Runs command lines in the test's own process, with strings in place of the streams.

#include <string>
#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/core/run_command_line.h"
#include "gauze/cli/core/streams.h"

namespace gauze::cli {

inline Sink string_sink(std::string& target) {
  return {[&target](std::string_view bytes) {
    target += bytes;
    return Sink::Outcome{};
  }};
}

inline Sink failing_sink(bool reader_gone = false) {
  return {[reader_gone](std::string_view) {
    return Sink::Outcome{.written = false, .reader_gone = reader_gone, .reason = "No space left on device"};
  }};
}

/// What a command line did.
struct Ran {
  int status = -1;
  std::string out;
  std::string err;
};

/// Streams that end in the strings of `ran`.
inline Streams string_streams(Ran& ran, std::string in = "") {
  Streams streams;
  streams.out = string_sink(ran.out);
  streams.err = string_sink(ran.err);
  streams.read_in = [in = std::move(in)](std::size_t) -> Result<std::string> { return in; };
  streams.columns = 80;
  return streams;
}

inline Ran run(const Registry& registry, const std::vector<std::string>& args, std::string in = "") {
  Ran ran;
  Streams streams = string_streams(ran, std::move(in));
  ran.status = run_command_line(registry, args, streams);
  return ran;
}

/// With all commands of Gauze.
inline Ran run(const std::vector<std::string>& args, std::string in = "") {
  return run(make_registry(), args, std::move(in));
}

/// A registry with help and one command `probe`, which takes one of everything and does what the test says.
inline Registry probe_registry(std::function<Result<int>(Invocation&)> action) {
  Registry registry;
  registry.add(
      {.name = "probe",
       .group = "Probes",
       .summary = "Try things out",
       .description = "Only in tests.",
       .examples = {{"gauze probe alpha --amount 1", "an example"}},
       .positionals = {{.name = "kind", .help = "which one", .choices = {"alpha", "beta", "gamma"}},
                       {.name = "extra", .help = "more", .optional = true, .repeatable = true}},
       .flags = {{.name = "amount", .placeholder = "A", .help = "how much"},
                 {.name = "value", .placeholder = "X", .help = "private", .carries_data = true},
                 {.name = "scores", .placeholder = "LIST", .help = "private too", .carries_data = true},
                 {.name = "size", .placeholder = "N", .help = "how many", .default_text = "7"},
                 {.name = "mode", .placeholder = "MODE", .help = "how", .choices = {"slow", "fast"}},
                 {.name = "null", .placeholder = "TOKEN", .help = "tokens", .repeatable = true},
                 {.name = "output", .short_name = 'o', .placeholder = "OUT", .help = "where", .is_file = true},
                 {.name = "monotone", .help = "a switch"},
                 {.name = "secret", .help = "not shown", .hidden = true}},
       .run = std::move(action)});
  registry.add({.name = "twin one",
                .group = "Probes",
                .summary = "The first of a pair",
                .examples = {{"gauze twin one --must 1", "an example"}},
                .flags = {{.name = "must", .placeholder = "M", .help = "needed", .required = true}},
                .run = [](Invocation&) -> Result<int> { return 0; }});
  registry.add({.name = "twin two",
                .group = "Probes",
                .summary = "The second of a pair",
                .examples = {{"gauze twin two", "an example"}},
                .run = [](Invocation&) -> Result<int> { return 5; }});
  register_help_commands(registry);
  register_help_topics(registry);
  return registry;
}

}  // namespace gauze::cli
