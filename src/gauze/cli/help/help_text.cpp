#include "gauze/cli/help/help_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "gauze/base/joined.h"
#include "gauze/label/printable_text.h"

namespace gauze::cli {
namespace {

constexpr int kWidestTerm = 28;

/// Two columns: terms, and what they mean, aligned and wrapped.
class DefinitionList {
 public:
  void add(std::string term, std::string meaning) { rows_.emplace_back(std::move(term), std::move(meaning)); }

  /// `term_width` aligns several lists with each other; 0 takes the widest term of this one.
  [[nodiscard]] std::string text(const HelpLayout& layout, int term_width = 0) const {
    const int width = std::min(kWidestTerm, std::max(term_width, widest_term()));
    const int column = 2 + width + 2;
    std::string out;
    for (const auto& [term, meaning] : rows_) {
      out += "  " + layout.style.bold(term);
      const int used = text_width(term);
      if (used > width) {
        out += "\n" + std::string(static_cast<std::size_t>(column), ' ');
      } else {
        out.append(static_cast<std::size_t>(width - used + 2), ' ');
      }
      out += wrap_text(meaning, layout.columns, column, column) + "\n";
    }
    return out;
  }

  [[nodiscard]] int widest_term() const {
    int width = 0;
    for (const auto& row : rows_) width = std::max(width, text_width(row.first));
    return width;
  }

  [[nodiscard]] bool empty() const { return rows_.empty(); }

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

std::string heading(std::string_view text, const HelpLayout& layout) { return layout.style.bold(text) + "\n"; }

/// Paragraphs are wrapped; lines that begin with a blank are kept.
std::string flowing_text(std::string_view text, int columns) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    out += line.starts_with(' ') ? std::string(line) : wrap_text(line, columns);
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

DefinitionList flag_list(const std::vector<Flag>& flags) {
  DefinitionList list;
  for (const Flag& flag : flags) {
    if (!flag.hidden) list.add(display_name(flag), flag_sentence(flag));
  }
  return list;
}

}  // namespace

std::string flag_sentence(const Flag& flag) {
  std::string text = flag.help;
  if (!flag.choices.empty()) text += ": " + joined(flag.choices);
  if (flag.takes_rest) {
    text += "; takes all words to the end of the line";
  } else if (flag.repeatable) {
    text += "; may be repeated";
  }
  if (!flag.default_text.empty()) text += fmt::format(" (default: {})", flag.default_text);
  if (flag.required) text += " (required)";
  return text;
}

std::string positional_sentence(const Positional& positional) {
  return positional.choices.empty() ? positional.help : positional.help + ": " + joined(positional.choices);
}

std::string overview_text(const Registry& registry, const HelpLayout& layout) {
  std::string out = layout.style.bold("Gauze: see the pattern, not the person.") + "\n";
  out += wrap_text("Release, query, collect and learn from personal data, and defend every number that leaves.",
                   layout.columns);
  out += "\n\nUsage: gauze COMMAND [arguments] [flags]\n";
  int width = 0;
  for (const Command& command : registry.commands()) {
    if (!command.hidden) width = std::max(width, text_width(command.name));
  }
  for (const Topic& topic : registry.topics()) width = std::max(width, text_width(topic.name));
  for (const std::string& group : registry.groups()) {
    DefinitionList list;
    for (const Command& command : registry.commands()) {
      if (command.group == group && !command.hidden) list.add(command.name, command.summary);
    }
    out += "\n" + heading(group, layout) + list.text(layout, width);
  }
  DefinitionList topics;
  for (const Topic& topic : registry.topics()) topics.add(topic.name, topic.summary);
  if (!topics.empty()) out += "\n" + heading("Topics (gauze help TOPIC)", layout) + topics.text(layout, width);
  out += "\n" + wrap_text("Next: 'gauze help COMMAND' shows examples and flags; every command takes --json.",
                          layout.columns);
  return out + "\n";
}

std::string command_text(const Command& command, const HelpLayout& layout) {
  std::string out = wrap_text(fmt::format("gauze {}: {}.", command.name, command.summary), layout.columns);
  out += "\n\n" + heading("Examples", layout);
  for (const Example& example : command.examples) {
    out += "  " + wrap_text("# " + example.shows, layout.columns, 4, 2) + "\n  " + example.command_line + "\n";
  }
  out += "\n" + heading("Usage", layout) + "  " + synopsis(command) + "\n";
  if (!command.description.empty()) out += "\n" + flowing_text(command.description, layout.columns);
  DefinitionList positionals;
  for (const Positional& positional : command.positionals) {
    positionals.add(display_name(positional), positional_sentence(positional));
  }
  const DefinitionList flags = flag_list(command.flags);
  const DefinitionList globals = flag_list(Registry::global_flags());
  const int width = std::max({positionals.widest_term(), flags.widest_term(), globals.widest_term()});
  if (!positionals.empty()) out += "\n" + heading("Arguments", layout) + positionals.text(layout, width);
  if (!flags.empty()) out += "\n" + heading("Flags", layout) + flags.text(layout, width);
  return out + "\n" + heading("Flags of every command", layout) + globals.text(layout, width);
}

std::string family_text(std::string_view word, const std::vector<const Command*>& family, const HelpLayout& layout) {
  std::string out = fmt::format("Usage: gauze {} VERB [arguments] [flags]\n\n", word);
  DefinitionList list;
  for (const Command* command : family) list.add("gauze " + command->name, command->summary);
  return out + list.text(layout) +
         fmt::format("\nNext: 'gauze help {}' shows examples and flags.\n", family.front()->name);
}

std::string topic_text(const Topic& topic, const HelpLayout& layout) {
  return heading(topic.summary, layout) + "\n" + flowing_text(topic.text, layout.columns);
}

}  // namespace gauze::cli
