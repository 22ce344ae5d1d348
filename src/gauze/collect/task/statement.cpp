#include "gauze/collect/task/statement.h"

#include <cmath>

#include "gauze/base/joined.h"
#include "gauze/collect/plan/planner.h"
#include "gauze/collect/task/internal/statement_words.h"

namespace gauze::collect {
namespace {

using internal::in_chinese;
using internal::in_english;
using internal::sentence_en;
using internal::sentence_zh;
using internal::some_values;

/// How much likelier a report can be with one value than with another, rounded up.
std::string odds(std::uint64_t nano) {
  const double factor = std::exp(static_cast<double>(nano) * 1e-9);
  return factor < 100 ? fmt::format("{:.2f}", std::ceil(factor * 100) / 100)
                      : fmt::format("{:.0f}", std::ceil(factor));
}

std::string english(const TaskSpec& spec, const LocalMechanism& mechanism, std::uint64_t cost_nano) {
  std::string text = fmt::format("Purpose: {}.\n", sentence_en(spec.purpose));
  if (spec.question == Question::frequency)
    text += fmt::format("Asked: which of {} values is yours ({}).\n", spec.values.size(),
                        some_values(spec.values, ", ", " and {} more"));
  else
    text += fmt::format("Asked: a number between {} and {}{}.\n", spec.number.text(spec.number.low),
                        spec.number.text(spec.number.high),
                        spec.variance ? ", or for half of the devices, drawn by chance, its square" : "");
  text += fmt::format(
      "Disturbed: on this device, before anything is sent, the answer is changed by chance ({}). Whoever reads the report cannot be sure of "
      "your answer: no report is more than {} times as likely with one answer as with another.\n",
      mechanism.name, odds(cost_nano));
  text += spec.limits.reports_per_period
              ? fmt::format("How often: at most {} in {}.\n", counted(*spec.limits.reports_per_period, "report"),
                            in_english(spec.period()))
              : std::string("How often: the number of reports is not limited by this task.\n");
  text += fmt::format("Cost: epsilon {} for a report", nano_text(cost_nano));
  if (spec.limits.window_nano)
    text += fmt::format(", at most {} in {}", nano_text(*spec.limits.window_nano),
                        in_english(*spec.limits.window_seconds));
  if (spec.limits.lifetime_nano) text += fmt::format(", at most {} for life", nano_text(*spec.limits.lifetime_nano));
  text += ". Costs of several reports add up.\n";
  text += fmt::format("Kept: {}.\n",
                      spec.retention_seconds ? "for " + in_english(*spec.retention_seconds) : "not stated how long");
  text += "Not hidden: that you take part, and when.\n";
  text += fmt::format("You may refuse, and withdraw at any time: then nothing more is sent. Contact: {}.\n",
                      sentence_en(spec.contact));
  return text;
}

std::string chinese(const TaskSpec& spec, const LocalMechanism& mechanism, std::uint64_t cost_nano) {
  std::string text = fmt::format("目的：{}。\n", sentence_zh(spec.purpose));
  if (spec.question == Question::frequency)
    text += fmt::format("收集内容：您的取值是以下 {} 项中的哪一项（{}）。\n", spec.values.size(),
                        some_values(spec.values, "、", "等，另有 {} 项"));
  else
    text += fmt::format("收集内容：{} 到 {} 之间的一个数值{}。\n", spec.number.text(spec.number.low),
                        spec.number.text(spec.number.high), spec.variance ? "；随机抽取的一半设备上报其平方" : "");
  text += fmt::format(
      "扰动方式：答案在发送之前先在本设备上被随机改变（{}）。看到上报内容的人无法确定您的答案：任何一份上报在一种答案下出现的可能性，至多是"
      "在另一种答案下的 {} 倍。\n",
      mechanism.name, odds(cost_nano));
  text += spec.limits.reports_per_period
              ? fmt::format("频率：每 {} 至多 {} 次。\n", in_chinese(spec.period()), *spec.limits.reports_per_period)
              : std::string("频率：本任务不限制上报次数。\n");
  text += fmt::format("隐私开销：每次上报 epsilon 为 {}", nano_text(cost_nano));
  if (spec.limits.window_nano)
    text +=
        fmt::format("，每 {} 至多 {}", in_chinese(*spec.limits.window_seconds), nano_text(*spec.limits.window_nano));
  if (spec.limits.lifetime_nano) text += fmt::format("，终身至多 {}", nano_text(*spec.limits.lifetime_nano));
  text += "。多次上报的开销相加。\n";
  text += fmt::format("保存期限：{}。\n", spec.retention_seconds ? in_chinese(*spec.retention_seconds) : "未说明");
  text += "不被隐藏的信息：您是否参与，以及参与的时间。\n";
  text += fmt::format("您可以拒绝，也可以随时撤回同意；撤回后不再发送任何内容。联系方式：{}。\n",
                      sentence_zh(spec.contact));
  return text;
}

}  // namespace

Statement make_statement(const TaskSpec& spec, const LocalMechanism& mechanism, std::uint64_t cost_nano) {
  return {english(spec, mechanism, cost_nano), chinese(spec, mechanism, cost_nano)};
}

}  // namespace gauze::collect
