#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/base/rational.h"
#include "gauze/base/words.h"
#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/output_writer.h"
#include "gauze/cli/core/streams.h"
#include "gauze/files/json.h"
#include "gauze/label/warning.h"

namespace gauze::cli {

/// The arguments of one command line, by the name of flag or positional.
struct Arguments {
  std::vector<std::pair<std::string, std::string>> values;  ///< as given, in order; switches have an empty value
};

/// One run of a command: its arguments by name and type, and where its results go.
///
/// Names are those of flags and positionals alike. Reading a name the command does not have is a mistake in the
/// program. An error names the flag; it quotes the value only where the flag does not carry data.
class Invocation {
 public:
  Invocation(const Registry& registry, const Command& command, Arguments arguments, Streams& streams,
             OutputWriter& out, OutputWriter& err);

  // --- arguments ---------------------------------------------------------------------------------------------------

  /// Whether it was given; defaults do not count.
  [[nodiscard]] bool has(std::string_view name) const;
  /// The value given, or the default; a `usage` error when there is neither.
  [[nodiscard]] Result<std::string> text(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> optional_text(std::string_view name) const;
  /// The value of an enumeration by its word.
  template <class Value, std::size_t N>
  [[nodiscard]] Result<Value> value(std::string_view name, const Words<Value, N>& words) const {
    GAUZE_TRY(const std::string word, text(name));
    if (const auto value = value_of(words, word)) return *value;
    return tl::unexpected(wrong_word(quote(name, word), all_words(words), word));
  }
  /// All values of a repeatable argument.
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
  /// The value split at commas; an empty piece is an error.
  [[nodiscard]] Result<std::vector<std::string>> list(std::string_view name) const;

  /// An exact decimal: 0.1 is one tenth.
  [[nodiscard]] Result<Rational> rational(std::string_view name) const;
  [[nodiscard]] Result<std::optional<Rational>> optional_rational(std::string_view name) const;
  [[nodiscard]] Result<std::vector<Rational>> rationals(std::string_view name) const;
  /// A whole number within [lowest, highest]; 1e3 is one.
  [[nodiscard]] Result<std::int64_t> integer(std::string_view name,
                                             std::int64_t lowest = std::numeric_limits<std::int64_t>::min(),
                                             std::int64_t highest = std::numeric_limits<std::int64_t>::max()) const;

  // --- output ------------------------------------------------------------------------------------------------------

  [[nodiscard]] OutputWriter& out() { return *out_; }
  [[nodiscard]] OutputWriter& err() { return *err_; }
  [[nodiscard]] bool json() const { return has("json"); }
  [[nodiscard]] bool quiet() const { return has("quiet"); }
  [[nodiscard]] Style out_style() const { return style(streams_->out_is_terminal); }
  [[nodiscard]] Style err_style() const { return style(streams_->err_is_terminal); }
  [[nodiscard]] bool out_is_terminal() const { return streams_->out_is_terminal; }
  [[nodiscard]] int columns() const { return streams_->columns; }
  /// Prints the object as the result, on one line (indented on a terminal), with what was warned of under "warnings".
  void print_json(Json json);
  /// A remark on stderr at the end, unless --quiet or the command fails.
  void note(std::string_view text);
  /// What the reader should know: on stderr at the end (unless --quiet or the command fails, where it does not concern
  /// privacy), and in the JSON of the result.
  void warn(Warning warning);
  void warn_all(const std::vector<Warning>& warnings);
  [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }
  /// A remark that belongs to the error that follows: below it.
  void explain_error(std::string_view text) { remarks_.push_back({.text = std::string(text), .stays = true}); }
  /// The same with its lines as they are: something points at a place in them.
  void show_with_error(std::string_view lines) {
    remarks_.push_back({.text = std::string(lines), .stays = true, .as_it_is = true});
  }
  /// Puts the remarks so far on stderr; of a command that failed only those that concern privacy or explain
  /// its error, below it.
  void tell_remarks(bool failed);
  /// A key that goes beside "error" when this run ends in a refusal under --json.
  void attach_to_error(std::string_view key, Json value) { error_extras_.set(key, std::move(value)); }
  [[nodiscard]] const Json& error_extras() const { return error_extras_; }
  /// What the message of any failure from now on ends with: what the command has done that stays done.
  void set_aftermath(std::string text) { aftermath_ = std::move(text); }
  [[nodiscard]] const std::string& aftermath() const { return aftermath_; }

  // --- surroundings ------------------------------------------------------------------------------------------------

  [[nodiscard]] const Registry& registry() const { return *registry_; }
  [[nodiscard]] const Command& command() const { return *command_; }
  /// The bytes of a file, or of stdin for "-".
  [[nodiscard]] Result<std::string> read_input(const std::string& path, std::size_t limit) const;
  /// What long work reports to: drawn on a terminal, stopped by Ctrl-C.
  [[nodiscard]] Progress& progress() { return *progress_; }
  void set_progress(Progress& progress) { progress_ = &progress; }
  void end_progress() {
    progress_ = &silent_;
    out_->stop_with(silent_);
  }

 private:
  struct Remark {
    std::string text;
    bool stays = false;     ///< below an error, too
    bool as_it_is = false;  ///< its lines are not filled anew
  };
  [[nodiscard]] Style style(bool is_terminal) const;
  [[nodiscard]] const Flag* find_flag(std::string_view name) const;
  /// "--epsilon '1x'" or, for data, "--value".
  [[nodiscard]] std::string quote(std::string_view name, std::string_view value) const;
  [[nodiscard]] Result<Rational> parse_rational(std::string_view name, std::string_view value) const;

  const Registry* registry_;
  const Command* command_;
  Arguments arguments_;
  Streams* streams_;
  OutputWriter* out_;
  OutputWriter* err_;
  Progress silent_;
  Progress* progress_ = &silent_;
  std::vector<Warning> warnings_;
  std::vector<Remark> remarks_;
  Json error_extras_ = Json::object();
  std::string aftermath_;
};

}  // namespace gauze::cli
