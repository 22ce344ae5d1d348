#include "gauze/schema/hierarchies/hierarchy_builder.h"

#include <limits>

namespace gauze::schema {

HierarchyBuilder::HierarchyBuilder(std::string name) { hierarchy_.name_ = std::move(name); }

HierarchyBuilder::HierarchyBuilder(Hierarchy hierarchy) : hierarchy_(std::move(hierarchy)) {
  const std::size_t levels = hierarchy_.levels_.size();
  indexes_.resize(levels);
  for (std::size_t level = 0; level < levels; ++level) {
    const Hierarchy::Level& from = hierarchy_.levels_[level];
    Index& index = indexes_[level];
    index.lines.assign(from.texts.size(), 0);
    for (std::uint32_t code = 0; level > 0 && code < from.texts.size(); ++code) {
      index.codes.emplace(from.texts[code], code);
    }
    if (level + 1 == levels) break;
    index.parents.resize(from.texts.size());
    for (std::size_t row = 0; row < from.codes.size(); ++row) {
      index.lines[from.codes[row]] = row + 1;
      index.parents[from.codes[row]] = hierarchy_.levels_[level + 1].codes[row];
    }
  }
}

void HierarchyBuilder::reserve(std::size_t rows) { hierarchy_.ground_.reserve(rows); }

Result<void> HierarchyBuilder::add_ground_value(std::string_view text, std::size_t line) {
  Hierarchy::Level& level = hierarchy_.levels_.front();
  if (level.texts.size() >= std::numeric_limits<std::uint32_t>::max() - 1) {
    return make_error(ErrorCode::bad_data, "hierarchy '{}' has too many lines", hierarchy_.name_);
  }
  const auto row = static_cast<std::uint32_t>(level.texts.size());
  const auto [before, is_new] = hierarchy_.ground_.emplace(std::string(text), row);
  if (!is_new) {
    return make_error(ErrorCode::bad_data, "hierarchy '{}': line {}: the ground value of line {} is listed again",
                      hierarchy_.name_, line, indexes_.front().lines[before->second]);
  }
  level.codes.push_back(row);
  level.texts.emplace_back(text);
  level.rows_under.push_back(1);
  indexes_.front().lines.push_back(line);
  return {};
}

std::uint32_t HierarchyBuilder::code_of(std::size_t level, std::string_view text, std::uint32_t child,
                                        bool child_known, std::size_t line) {
  Hierarchy::Level& to = hierarchy_.levels_[level];
  Index& index = indexes_[level];
  // Neighbouring lines mostly share their parents; the two guesses save nearly all look-ups.
  if (child_known) {
    const std::uint32_t guess = indexes_[level - 1].parents[child];
    if (to.texts[guess] == text) return guess;
  } else if (!to.codes.empty() && to.texts[to.codes.back()] == text) {
    return to.codes.back();
  }
  if (const auto found = index.codes.find(text); found != index.codes.end()) return found->second;
  const auto code = static_cast<std::uint32_t>(to.texts.size());
  index.codes.emplace(std::string(text), code);
  index.lines.push_back(line);
  to.texts.emplace_back(text);
  to.rows_under.push_back(0);
  return code;
}

Result<void> HierarchyBuilder::add(std::span<const std::string_view> texts, std::size_t line) {
  const std::string& name = hierarchy_.name_;
  if (hierarchy_.levels_.empty()) {
    if (texts.empty()) return make_error(ErrorCode::bad_data, "hierarchy '{}': line {} is empty", name, line);
    if (texts.size() > kMostLevels) {
      return make_error(ErrorCode::bad_data, "hierarchy '{}': line {} has {} levels, at most {} are allowed", name,
                        line, texts.size(), kMostLevels);
    }
    hierarchy_.levels_.resize(texts.size());
    indexes_.resize(texts.size());
  }
  if (texts.size() != hierarchy_.levels_.size()) {
    return make_error(ErrorCode::bad_data, "hierarchy '{}': line {} has {} levels, the lines before it have {}", name,
                      line, texts.size(), hierarchy_.levels_.size());
  }
  GAUZE_TRY_VOID(add_ground_value(texts.front(), line));
  std::uint32_t child = hierarchy_.levels_.front().codes.back();
  bool child_known = false;  // a ground value is always new
  for (std::size_t level = 1; level < texts.size(); ++level) {
    const std::size_t known = hierarchy_.levels_[level].texts.size();
    const std::uint32_t code = code_of(level, texts[level], child, child_known, line);
    std::vector<std::uint32_t>& parents = indexes_[level - 1].parents;
    if (child_known && parents[child] != code) {
      return make_error(
          ErrorCode::bad_data,
          "hierarchy '{}': levels are not nested: a value of level {} has one parent at level {} on line "
          "{} and another on line {}",
          name, level - 1, level, indexes_[level - 1].lines[child], line);
    }
    if (!child_known) parents.push_back(code);
    hierarchy_.levels_[level].codes.push_back(code);
    ++hierarchy_.levels_[level].rows_under[code];
    child = code;
    child_known = code < known;
  }
  return {};
}

Result<Hierarchy> HierarchyBuilder::finish() {
  if (hierarchy_.levels_.empty()) {
    return make_error(ErrorCode::bad_data, "hierarchy '{}' has no lines", hierarchy_.name_);
  }
  return std::move(hierarchy_);
}

}  // namespace gauze::schema
