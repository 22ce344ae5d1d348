#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::cli {

class Invocation;

// Every member has an initialiser, so that a command may be declared by the members it needs.

/// What a command makes of the file that a flag names: nothing (it is read), a file, or one with OUT.label.json beside it.
enum class Makes { nothing, file, labelled_file };

/// A named argument: `--epsilon E`, `-o OUT`, or a switch such as `--monotone`.
struct Flag {
  std::string name = {};                  ///< without dashes: "epsilon"
  char short_name = '\0';                 ///< 'o' for -o; none when zero
  std::string placeholder = {};           ///< what stands for the value in help: "E"; empty for a switch
  std::string help = {};                  ///< one sentence, no full stop at its end
  std::string default_text = {};          ///< the value when the flag is not given; shown in help
  std::vector<std::string> choices = {};  ///< the only values allowed; empty when free
  bool required = false;
  bool repeatable = false;
  bool takes_rest = false;       ///< repeatable, and every word after its value is one more, to the end of the line
  bool carries_data = false;     ///< the value may be private: messages never quote it
  bool may_be_empty = false;     ///< the empty text is a value too
  bool is_file = false;          ///< completions offer files
  Makes makes = Makes::nothing;  ///< a file that is made replaces nothing that is read or kept: output_places.h
  bool or_stdout = false;        ///< a file that is made may be `-`, or /dev/stdout: the standard output
  bool hidden = false;           ///< works, but is not shown

  [[nodiscard]] bool is_switch() const { return placeholder.empty(); }
};

/// An argument by its place: MECHANISM, FILE.
struct Positional {
  std::string name = {};  ///< lower case: "mechanism"; help shows it in capitals
  std::string help = {};
  std::vector<std::string> choices = {};
  bool optional = false;    ///< only the last ones may be
  bool repeatable = false;  ///< only the last one may be
  bool is_file = false;
  bool after_dashes = false;  ///< a word of another program's command line: it stands after `--`, and may be empty
};

struct Example {
  std::string command_line = {};  ///< "gauze noise laplace --epsilon 1"
  std::string shows = {};         ///< what it does, in a few words
};

/// One command. `run` returns the exit status; an error is printed and gives the status of its code.
struct Command {
  std::string name = {};     ///< "noise", or two or three words: "label show", "collect task check"
  std::string group = {};    ///< the heading it is listed under
  std::string summary = {};  ///< one line
  std::string description = {};
  std::vector<Example> examples = {};  ///< at least one
  std::vector<Positional> positionals = {};
  std::vector<Flag> flags = {};
  std::function<Result<int>(Invocation&)> run = {};
  bool hidden = false;

  [[nodiscard]] const Flag* find_flag(std::string_view flag_name) const;
  [[nodiscard]] const Positional* find_positional(std::string_view positional_name) const;
  /// Whether it takes the command line of another program, after `--`.
  [[nodiscard]] bool takes_program() const { return !positionals.empty() && positionals.back().after_dashes; }
};

/// A page of explanation: `gauze help exit-codes`.
struct Topic {
  std::string name = {};
  std::string summary = {};
  std::string text = {};  ///< paragraphs; lines that begin with a blank are kept as they are
};

/// All commands, flags and topics: the one source of parsing, help, completions and the man page.
class Registry {
 public:
  /// A name twice, a command without an example or a flag that hides a global one is a mistake in the program.
  void add(Command command);
  void add(Topic topic);

  [[nodiscard]] const std::vector<Command>& commands() const { return commands_; }
  [[nodiscard]] const std::vector<Topic>& topics() const { return topics_; }
  /// --json, --quiet, --threads, --color, --allow-core-dumps, --help: they stand before or after any command.
  [[nodiscard]] static const std::vector<Flag>& global_flags();

  [[nodiscard]] const Command* find(std::string_view name) const;
  [[nodiscard]] const Topic* find_topic(std::string_view name) const;
  /// The commands that begin with this word: "label" -> "label show", "label check".
  [[nodiscard]] std::vector<const Command*> family(std::string_view word) const;
  /// The headings, in the order they were first used by a command that is shown.
  [[nodiscard]] std::vector<std::string> groups() const;

 private:
  std::vector<Command> commands_;
  std::vector<Topic> topics_;
};

/// Names as people see them: "FILE", "-o, --output OUT".
[[nodiscard]] std::string display_name(const Positional& positional);
[[nodiscard]] std::string display_name(const Flag& flag);
/// "gauze noise MECHANISM [flags]"; "gauze audit program [flags] -- PROGRAM [ARGS...]".
[[nodiscard]] std::string synopsis(const Command& command);

}  // namespace gauze::cli
