#include "gauze/collect/task/central_statement.h"

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

std::string asked_en(const RecordField& field) {
  if (field.is_category())
    return fmt::format("{} (one of {} values: {})", field.name, field.values.size(),
                       some_values(field.values, ", ", " and {} more"));
  return fmt::format("{} (a number between {} and {})", field.name, field.number.text(field.number.low),
                     field.number.text(field.number.high));
}

std::string asked_zh(const RecordField& field) {
  if (field.is_category())
    return fmt::format("{}（{} 项取值之一：{}）", field.name, field.values.size(),
                       some_values(field.values, "、", "等，另有 {} 项"));
  return fmt::format("{}（{} 到 {} 之间的数值）", field.name, field.number.text(field.number.low),
                     field.number.text(field.number.high));
}

template <class Words>
std::string all_fields(const CentralSpec& spec, std::string_view separator, const Words& words) {
  std::string text;
  for (const RecordField& field : spec.fields) text += (text.empty() ? "" : std::string(separator)) + words(field);
  return text;
}

std::string english(const CentralSpec& spec) {
  std::string text = fmt::format("Purpose: {}.\n", sentence_en(spec.purpose));
  text += fmt::format("Asked: {}.\n", all_fields(spec, "; ", asked_en));
  text +=
      "What leaves this device: these values as they are, sealed so that the curator alone can open them. Nothing is changed by chance "
      "here: the curator sees your values, and you trust it with them.\n"
      "Protected: whoever asks the curator gets answers to which noise was added by chance, and that depend little on whether you take part: how little, the cost says.\n";
  text += fmt::format("How often: at most {} in {}.\n", counted(spec.reports_per_period, "record"),
                      in_english(spec.period()));
  text += fmt::format("Cost: all answers together at most epsilon {} for life.\n", nano_text(spec.epsilon_nano));
  text += fmt::format("Kept: {}.\n",
                      spec.retention_seconds ? "for " + in_english(*spec.retention_seconds) : "not stated how long");
  text += "Not hidden: that you take part, and when; from the curator, your values.\n";
  text += fmt::format("You may refuse, and withdraw at any time: then nothing more is sent. Contact: {}.\n",
                      sentence_en(spec.contact));
  return text;
}

std::string chinese(const CentralSpec& spec) {
  std::string text = fmt::format("目的：{}。\n", sentence_zh(spec.purpose));
  text += fmt::format("收集内容：{}。\n", all_fields(spec, "；", asked_zh));
  text +=
      "离开本设备的内容：上述取值的原始值，经加密封装，只有数据管理方能够打开。本设备不对其做任何随机改变：数据管理方可以看到您的取值，"
      "您需要信任数据管理方。\n"
      "保护方式：向数据管理方查询的人只能得到添加了随机噪声的结果；您是否参与对结果的影响很小，其上限由下述隐私开销限定。\n";
  text += fmt::format("频率：每 {} 至多 {} 条记录。\n", in_chinese(spec.period()), spec.reports_per_period);
  text += fmt::format("隐私开销：所有查询结果合计，终身 epsilon 至多 {}。\n", nano_text(spec.epsilon_nano));
  text += fmt::format("保存期限：{}。\n", spec.retention_seconds ? in_chinese(*spec.retention_seconds) : "未说明");
  text += "不被隐藏的信息：您是否参与，以及参与的时间；对数据管理方而言，还包括您的取值。\n";
  text += fmt::format("您可以拒绝，也可以随时撤回同意；撤回后不再发送任何内容。联系方式：{}。\n",
                      sentence_zh(spec.contact));
  return text;
}

}  // namespace

Statement make_central_statement(const CentralSpec& spec) { return {english(spec), chinese(spec)}; }

}  // namespace gauze::collect
