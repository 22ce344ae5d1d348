#include "gauze/collect/task/internal/statement_words.h"

#include <algorithm>

#include "gauze/base/joined.h"

namespace gauze::collect::internal {
namespace {

struct Duration {
  std::int64_t count = 0;
  std::string_view en;
  std::string_view zh;
};

Duration duration_of(std::int64_t seconds) {
  constexpr std::pair<std::int64_t, std::pair<std::string_view, std::string_view>> kUnits[] = {
      {86'400, {"day", "天"}}, {3'600, {"hour", "小时"}}, {60, {"minute", "分钟"}}};
  for (const auto& [unit, names] : kUnits)
    if (seconds % unit == 0) return {seconds / unit, names.first, names.second};
  return {seconds, "second", "秒"};
}

}  // namespace

std::string in_english(std::int64_t seconds) {
  const Duration duration = duration_of(seconds);
  return counted(static_cast<std::uint64_t>(duration.count), duration.en);
}

std::string in_chinese(std::int64_t seconds) {
  const Duration duration = duration_of(seconds);
  return fmt::format("{} {}", duration.count, duration.zh);
}

std::string some_values(const ValueList& values, std::string_view separator, std::string_view more) {
  constexpr std::uint32_t kShown = 8;
  std::string text;
  for (std::uint32_t i = 0; i < std::min(kShown, values.size()); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : separator, values.text(i));
  if (values.size() > kShown) text += fmt::format(fmt::runtime(more), values.size() - kShown);
  return text;
}

std::string sentence_en(const std::string& text) { return text.empty() ? "not stated" : text; }
std::string sentence_zh(const std::string& text) { return text.empty() ? "未说明" : text; }

}  // namespace gauze::collect::internal
