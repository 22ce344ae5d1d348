#include "gauze/files/yaml_reader.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>

#include "gauze/base/did_you_mean.h"
#include "gauze/base/utf8.h"

namespace gauze {
namespace {

constexpr std::string_view kNull = "null";

/// Thrown through yaml-cpp, which knows no other way to stop, and caught in parse_yaml.
struct Refusal {
  std::size_t line;
  std::string message;
};

std::size_t line_of(const YAML::Mark& mark) { return mark.line < 0 ? 1 : static_cast<std::size_t>(mark.line) + 1; }

std::size_t node_count(const YamlNode& node) {
  std::size_t count = 1;
  for (const YamlNode& item : node.items) count += node_count(item);
  return count;
}

/// Builds the tree from yaml-cpp's events, and stops at the first thing that is not allowed.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, std::shared_ptr<const std::string> source, const YamlLimits& limits)
      : text_(text), source_(std::move(source)), limits_(limits) {}

  [[nodiscard]] YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    YamlNode nothing = node(YamlNode::Kind::null, mark);
    // As a key `null` is a word like any other: the list of tokens for "missing" is called so.
    const auto place = static_cast<std::size_t>(std::max(0, mark.pos));
    if (expects_key() && place < text_.size() && text_.substr(place).starts_with(kNull)) {
      nothing.kind = YamlNode::Kind::scalar;
      nothing.text = kNull;
    }
    add(std::move(nothing), anchor, 1);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw Refusal{line_of(mark), "an alias must not stand inside what it repeats"};
    const std::size_t size = node_count(found->second);
    count(size, mark);
    // The copy keeps the lines of the original: that is where a mistake has to be mended.
    add(found->second, 0, 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode scalar = node(YamlNode::Kind::scalar, mark);
    scalar.text = value;
    scalar.quoted = tag == "!";
    if (tag != "!") check_tag(tag, mark);
    add(std::move(scalar), anchor, 1);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(YamlNode::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(YamlNode::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    std::unordered_map<std::string, std::size_t> seen;  // keys and their lines
  };

  [[nodiscard]] YamlNode node(YamlNode::Kind kind, const YAML::Mark& mark) const {
    YamlNode result;
    result.kind = kind;
    result.line = line_of(mark);
    result.source = source_;
    return result;
  }

  static void check_tag(const std::string& tag, const YAML::Mark& mark) {
    if (!tag.empty() && tag != "?") throw Refusal{line_of(mark), "tags (!) are not allowed"};
  }

  void count(std::size_t more, const YAML::Mark& mark) {
    nodes_ += more;
    if (nodes_ > limits_.nodes) {
      throw Refusal{line_of(mark), fmt::format("the file has more than {} values", limits_.nodes)};
    }
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    check_tag(tag, mark);
    count(1, mark);
    if (expects_key()) throw Refusal{line_of(mark), "a key must be a plain text"};
    if (frames_.size() >= limits_.depth) {
      throw Refusal{line_of(mark), fmt::format("values are nested more than {} deep", limits_.depth)};
    }
    frames_.push_back(Frame{node(kind, mark), anchor, {}});
  }

  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    add(std::move(frame.node), frame.anchor, 0);
  }

  [[nodiscard]] bool expects_key() const {
    return !frames_.empty() && frames_.back().node.is_map() &&
           frames_.back().node.keys.size() == frames_.back().node.items.size();
  }

  void add(YamlNode value, YAML::anchor_t anchor, std::size_t new_nodes) {
    YAML::Mark mark;
    mark.line = static_cast<int>(value.line) - 1;
    count(new_nodes, mark);
    if (anchor != 0) {
      count(node_count(value), mark);
      anchors_[anchor] = value;
    }
    if (frames_.empty()) {
      root_ = std::move(value);
    } else if (expects_key()) {
      add_key(value);
    } else {
      frames_.back().node.items.push_back(std::move(value));
    }
  }

  void add_key(const YamlNode& key) {
    if (!key.is_scalar()) throw Refusal{key.line, "a key must be a plain text"};
    Frame& frame = frames_.back();
    const auto [before, is_new] = frame.seen.emplace(key.text, key.line);
    if (!is_new) {
      throw Refusal{key.line, fmt::format("the key '{}' is there twice, first on line {}", key.text, before->second)};
    }
    frame.node.keys.push_back({key.text, key.line});
  }

  std::string_view text_;
  std::shared_ptr<const std::string> source_;
  YamlLimits limits_;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::size_t nodes_ = 0;
  YamlNode root_;
};

/// The place of the first character that no YAML file has: yaml-cpp takes some of them for the end of the file.
std::optional<std::size_t> find_control_character(std::string_view text) {
  const auto found = std::find_if(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
  });
  return found == text.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - text.begin()));
}

std::size_t line_at(std::string_view text, std::size_t place) {
  return 1 +
         static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

tl::unexpected<Error> not_a_text(const YamlNode& node, std::string_view what, std::string_view form) {
  const bool nothing = node.kind == YamlNode::Kind::null;
  return yaml_error(node, "{} must be {}{}", what, form,
                    nothing ? "; null and ~ mean nothing, in quotes they are texts" : "");
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

std::string YamlNode::place_of_line(std::size_t number) const {
  return source && !source->empty() ? fmt::format("{}:{}", *source, number) : fmt::format("line {}", number);
}

Result<YamlNode> parse_yaml(std::string_view text, std::string_view name, const YamlLimits& limits) {
  YamlNode anywhere;
  anywhere.source = std::make_shared<const std::string>(name);
  const auto refused = [&](std::size_t line, std::string_view message) {
    anywhere.line = line;
    return yaml_error(anywhere, "{}", message);
  };
  if (text.size() > limits.bytes) {
    return refused(1, fmt::format("the file is larger than {} bytes, which is the limit", limits.bytes));
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const auto bad = find_invalid_utf8(text)) return refused(line_at(text, *bad), "the text is not UTF-8");
  if (const auto bad = find_control_character(text)) {
    return refused(line_at(text, *bad), "the text has a control character");
  }
  try {
    // yaml-cpp takes a quote without an end for complete when the file ends with a line break: everything after the quote
    // would be read as one text. A last line without a break makes it see the mistake.
    std::istringstream stream{std::string(text) + "\n#"};
    YAML::Parser parser(stream);
    TreeBuilder builder(text, anywhere.source, limits);
    if (!parser.HandleNextDocument(builder)) return anywhere;
    YamlNode root = builder.take();
    TreeBuilder second(text, anywhere.source, limits);
    if (parser.HandleNextDocument(second)) return refused(1, "there is more than one document in the file");
    return root;
  } catch (const Refusal& refusal) {
    return refused(refusal.line, refusal.message);
  } catch (const YAML::Exception& error) {
    return refused(line_of(error.mark), "this is not YAML");
  }
}

Result<void> check_keys(const YamlNode& node, const std::vector<std::string>& known, std::string_view what) {
  if (!node.is_map()) return yaml_error(node, "{} must be a map of keys and values", what);
  for (const YamlNode::Key& key : node.keys) {
    if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
    return invalid_parameter("{}: {} has an unknown key{}{}", node.place_of_line(key.line), what,
                             quoted_name(key.text), did_you_mean(key.text, known));
  }
  return {};
}

Result<std::string> read_text(const YamlNode& node, std::string_view what) {
  if (!node.is_scalar()) return not_a_text(node, what, "a text");
  return node.text;
}

Result<std::vector<std::string>> read_texts(const YamlNode& node, std::string_view what) {
  if (node.is_scalar()) return std::vector<std::string>{node.text};
  if (!node.is_list()) return not_a_text(node, what, "a list of texts");
  std::vector<std::string> result;
  for (const YamlNode& item : node.items) {
    if (!item.is_scalar()) return not_a_text(item, what, "a list of texts");
    result.push_back(item.text);
  }
  return result;
}

Result<bool> read_bool(const YamlNode& node, std::string_view what) {
  if (node.is_scalar() && !node.quoted && (node.text == "true" || node.text == "false")) return node.text == "true";
  return yaml_error(node, "{} must be true or false", what);
}

Result<Rational> read_number(const YamlNode& node, std::string_view what) {
  if (!node.is_scalar()) return yaml_error(node, "{} must be a number", what);
  auto number = Rational::parse(node.text);
  if (!number) return yaml_error(node, "{}: {}", what, number.error().message);
  return number;
}

Result<std::uint64_t> read_count(const YamlNode& node, std::string_view what, std::uint64_t smallest,
                                 std::uint64_t largest) {
  GAUZE_TRY(const Rational number, read_number(node, what));
  const auto integer = number.to_int64();
  if (!integer || *integer < 0 || static_cast<std::uint64_t>(*integer) < smallest ||
      static_cast<std::uint64_t>(*integer) > largest) {
    return yaml_error(node, "{} must be a whole number between {} and {}, but is {}", what, smallest, largest,
                      number.to_decimal());
  }
  return static_cast<std::uint64_t>(*integer);
}

tl::unexpected<Error> wrong_word_at(const YamlNode& node, std::string_view what,
                                    const std::vector<std::string>& words) {
  return yaml_error(node, "{}", wrong_word(what, words, node.is_scalar() ? node.text : std::string()).message);
}

std::string yaml_scalar(std::string_view text) {
  static constexpr std::string_view kReserved[] = {"null", "Null", "NULL", "true", "false", "yes", "no", "on", "off"};
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == '/' || static_cast<unsigned char>(c) >= 0xC4;
  };
  // Above U+00FF only the leading byte is looked at; marks of order and separators of lines stand in quotes.
  const bool odd =
      text.find("\xE2\x80") != std::string_view::npos || text.find("\xEF\xBB\xBF") != std::string_view::npos;
  bool plain = !text.empty() && text.front() != '-' && text.front() != '.' && !odd &&
               std::find(std::begin(kReserved), std::end(kReserved), text) == std::end(kReserved);
  for (std::size_t i = 0; plain && i < text.size(); i += std::max<std::size_t>(1, utf8_length(text.substr(i)))) {
    plain = is_plain(text[i]);
  }
  if (plain) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace gauze
