#include "gauze/cli/help/man_page.h"

#include <fmt/core.h>

#include <algorithm>

#include "gauze/cli/help/help_text.h"
#include "gauze/label/version.h"

namespace gauze::cli {
namespace {

/// Plain text inside roff: backslashes, dashes, quotes and a dot at the beginning of a line mean something there.
std::string escaped(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '~') {
      out += "\\(ti";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '`') {
      out += "\\(ga";
    } else {
      out += c;
    }
  }
  return out;
}

/// An argument of a macro, which may hold blanks.
std::string argument(std::string_view text) {
  std::string out = "\"";
  for (const char c : escaped(text)) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
  return out + "\"";
}

std::string sentence(std::string_view text) { return escaped(text) + (text.ends_with('.') ? "\n" : ".\n"); }

std::string term(std::string_view name, std::string_view meaning) {
  return fmt::format(".TP\n.B {}\n{}", argument(name), sentence(meaning));
}

/// Paragraphs as they are; lines that begin with a blank go between .EX and .EE, which keep them.
std::string flowing(std::string_view text) {
  std::string out;
  bool verbatim = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool keep = line.starts_with(' ');
    if (keep != verbatim) out += keep ? ".PP\n.EX\n" : ".EE\n";
    verbatim = keep;
    if (keep) {
      out += escaped(line) + "\n";
    } else if (!line.empty()) {
      out += ".PP\n" + escaped(line) + "\n";
    }
  }
  return verbatim ? out + ".EE\n" : out;
}

std::string flag_terms(const std::vector<Flag>& flags) {
  std::string out;
  for (const Flag& flag : flags) {
    if (!flag.hidden) out += term(display_name(flag), flag_sentence(flag));
  }
  return out;
}

std::string command_section(const Command& command) {
  std::string out = fmt::format(".SS {}\n", argument(synopsis(command)));
  out += sentence(command.summary);
  for (const Example& example : command.examples) {
    out += fmt::format(".PP\n{}:\n.PP\n.RS 4\n.EX\n{}\n.EE\n.RE\n", escaped(example.shows),
                       escaped(example.command_line));
  }
  if (!command.description.empty()) out += flowing(command.description);
  for (const Positional& positional : command.positionals) {
    out += term(display_name(positional), positional_sentence(positional));
  }
  return out + flag_terms(command.flags);
}

std::string in_capitals(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return out;
}

}  // namespace

std::string man_page(const Registry& registry) {
  std::string out =
      fmt::format(".TH GAUZE 1 \"\" {} \"User commands\"\n", argument(fmt::format("gauze {}", version())));
  out += ".SH NAME\ngauze \\- release, query, collect and learn from personal data\n";
  out += ".SH SYNOPSIS\n.B gauze\n.I command\n[arguments] [flags]\n";
  out +=
      ".SH DESCRIPTION\nSee the pattern, not the person. Gauze releases, queries, collects and learns from personal "
      "data, and gives every number that leaves a privacy label: what was released, under which guarantee, what it "
      "covers and what it cost.\n";
  out += ".SH COMMANDS\n";
  for (const std::string& group : registry.groups()) {
    for (const Command& command : registry.commands()) {
      if (command.group == group && !command.hidden) out += command_section(command);
    }
  }
  out += ".SH OPTIONS\nEvery command takes these.\n" + flag_terms(Registry::global_flags());
  out += term("--version", "print the version");
  for (const Topic& topic : registry.topics()) {
    out += fmt::format(".SH {}\n{}", argument(in_capitals(topic.summary)), flowing(topic.text));
  }
  out += ".SH ENVIRONMENT\n" + term("NO_COLOR", "no colour, unless --color says otherwise");
  return out;
}

}  // namespace gauze::cli
