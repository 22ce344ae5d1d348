#include "gauze/collect/task/central_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gauze/collect/job/collected_result.h"
#include "gauze/collect/task/any_task.h"
#include "gauze/encoder/task_block.h"
#include "gauze/files/base64.h"
#include "gauze/files/json_reader.h"

namespace gauze::collect::central_task_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::string_view kSpec =
    "version: 1\nname: survey\nmode: central\n"
    "fields: {age: {type: integer, low: 0, high: 120}, city: {type: category, values: [Oslo, 北京], other: true}, price: {type: decimal, low: -1.5, "
    "high: 20.25, places: 2}}\nepsilon: 0.5\nlimits: {reports_per_period: 3}\n"
    "purpose: prices\nlegal_basis: consent\n"
    "collection: {period: 1h, validity: 2027-12-31, detection: intake, entry: 'https://example.org', depth: value}\nretention: 90d\n"
    "classification: {source: device, type: usage, importance: low}\nprofile: medical\njustification: small\ncontact: someone@example.org\n";

Result<CentralSpec> spec_of(std::string_view yaml) {
  auto any = parse_any_task_spec(yaml);
  if (!any) return tl::unexpected(any.error());
  return std::get<CentralSpec>(std::move(*any));
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string changed(text);
  const std::size_t at = changed.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return changed.replace(at, from.size(), to);
}

CentralTask some_task() { return CentralTask::make(spec_of(kSpec).value()).value(); }

TEST(CentralTasks, AreReadInTheOrderOfTheirFields) {
  const CentralSpec spec = spec_of(kSpec).value();
  ASSERT_EQ(spec.fields.size(), 3U);
  EXPECT_EQ(spec.fields[0].name, "age");
  EXPECT_EQ(spec.fields[0].high(), 120);
  EXPECT_EQ(spec.fields[1].name, "city");
  EXPECT_TRUE(spec.fields[1].is_category());
  EXPECT_EQ(spec.fields[1].values.text(2), "other");
  EXPECT_EQ(spec.fields[2].low(), -150);
  EXPECT_EQ(spec.fields[2].high(), 2'025);
  EXPECT_EQ(spec.reports_per_period, 3U);
  EXPECT_EQ(spec.epsilon_nano, 500'000'000U);
  EXPECT_EQ(spec.period(), 3'600);
  EXPECT_TRUE(spec.missing().empty());
}

TEST(CentralTasks, TakeOneRecordAPeriodWhereNothingIsSaid) {
  EXPECT_EQ(spec_of(replaced(kSpec, "limits: {reports_per_period: 3}\n", ""))->reports_per_period, 1U);
}

TEST(CentralTasks, HaveNothingThatDisturbsAndSayWhere) {
  const struct {
    const char* from;
    const char* to;
    const char* says;
  } cases[] = {{"epsilon", "question: frequency\nepsilon", "line 5: a central task has no question"},
               {"epsilon", "mechanism: auto\nepsilon", "line 5: a central task has no mechanism"},
               {"epsilon", "memoise: none\nepsilon", "line 5: a central task has no memoise"},
               {"epsilon", "field: {type: integer, low: 0, high: 1}\nepsilon", "line 5: a central task has no field"},
               {"epsilon", "variance: false\nepsilon", "line 5: the central task has an unknown key 'variance'"},
               {"reports_per_period: 3", "window: 30d, epsilon_window: 4", "line 6"},
               {"reports_per_period: 3", "epsilon_lifetime: 4", "line 6"},
               {"reports_per_period: 3", "reports_per_period: 0", "line 6"},
               {"low: 0, high: 120", "low: 0, high: 0", "the field 'age': low must be below high"},
               {"type: integer", "type: text", "text"},
               {"type: integer", "type: date", "category, integer or decimal"},
               {"low: 0, high: 120", "low: 0", "the field 'age'"},
               {"low: 0, high: 120", "low: 0, high: 120, values: [a]", "the field 'age'"},
               {"[Oslo, 北京]", "[Oslo, Oslo]", "the field 'city'"},
               {"[Oslo, 北京], other: true", "[Oslo]", "the field 'city'"},
               {"age:", "'a=b':", "no ="},
               {"epsilon: 0.5", "epsilon: 0", "epsilon"},
               {"epsilon: 0.5", "epsilon: 1e-10", "epsilon"},
               {"epsilon: 0.5\n", "", "epsilon"},
               {"mode: central", "mode: centrally", "local or central"}};
  for (const auto& one : cases) {
    const auto spec = parse_any_task_spec(replaced(kSpec, one.from, one.to));
    ASSERT_FALSE(spec) << one.to;
    EXPECT_EQ(spec.error().code, ErrorCode::invalid_parameter) << one.to;
    EXPECT_THAT(spec.error().message, HasSubstr(one.says)) << one.to;
  }
}

TEST(CentralTasks, KeepTheCeilingForATrustedCurator) {
  const std::string above = replaced(kSpec, "epsilon: 0.5", "epsilon: 0.500000001");
  EXPECT_EQ(spec_of(above).error().code, ErrorCode::not_private);
  EXPECT_THAT(spec_of(above).error().message, HasSubstr("trusted curator"));
  const auto excused = spec_of(above + "deviation: a pilot\n");
  ASSERT_TRUE(excused);
  EXPECT_EQ(CentralTask::make(*excused)->label().parameters.find("deviation")->text(), "a pilot");
}

TEST(CentralTasks, HoldUpToSixteenFields) {
  CentralSpec spec = spec_of(kSpec).value();
  while (spec.fields.size() < 16)
    spec.fields.push_back({.name = fmt::format("f{}", spec.fields.size()), .number = {0, 1, 0}});
  const auto task = CentralTask::make(spec);
  ASSERT_TRUE(task) << task.error().message;
  EXPECT_EQ(task->loaded().field_count, 16);
  spec.fields.push_back({.name = "one more", .number = {0, 1, 0}});
  EXPECT_EQ(CentralTask::make(spec).error().code, ErrorCode::invalid_parameter);
  spec.fields.resize(2);
  spec.fields[1].name = spec.fields[0].name;
  EXPECT_EQ(CentralTask::make(spec).error().code, ErrorCode::invalid_parameter);
}

TEST(CentralTasks, GiveDevicesABlockOfTheirFields) {
  const CentralTask task = some_task();
  EXPECT_EQ(task.block().size(), 512U);
  EXPECT_EQ(task.payload_bytes(), 8U + 1 + 8);
  EXPECT_EQ(task.cost_nano(), 0U);
  const gauze_task& loaded = task.loaded();
  ASSERT_EQ(loaded.field_count, 3);
  EXPECT_EQ(loaded.fields[0].range, 120U);
  EXPECT_EQ(loaded.fields[1].kind, GAUZE_FIELD_OTHER);
  EXPECT_EQ(loaded.fields[1].range, 2U);
  EXPECT_EQ(loaded.fields[2].low, -150);
  EXPECT_EQ(loaded.claimed_nano, 500'000'000U);
  EXPECT_EQ(loaded.reports_per_period, 3U);
  EXPECT_EQ(loaded.period_seconds, 3'600U);
}

TEST(CentralTasks, ReadBackWhatTheyWrite) {
  const CentralTask task = some_task();
  const std::string text = task.to_json().dump(2);
  const auto again = CentralTask::parse(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->hash(), task.hash());
  EXPECT_EQ(again->to_json().dump(2), text);
  EXPECT_TRUE(again->check());
  EXPECT_TRUE(std::holds_alternative<CentralTask>(parse_any_task(text).value()));
  const Json document = task.to_json();
  EXPECT_EQ(document.find("mode")->text(), "central");
  EXPECT_EQ(document.find("epsilon")->find("lifetime")->text(), "0.5");
  EXPECT_EQ(document.find("fields")->members()->size(), 3U);
  EXPECT_EQ(document.find("limits")->dump(), R"({"reports_per_period":3})");
  EXPECT_EQ(document.find("question"), nullptr);
  EXPECT_EQ(document.find("state")->text(), "complete");
}

TEST(CentralTasks, NoticeWhateverIsChanged) {
  const std::string text = some_task().to_json().dump();
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"high\":120", "\"high\":121"},
                                                        {"Oslo", "Olso"},
                                                        {"\"lifetime\":0.5", "\"lifetime\":0.4"},
                                                        {"\"reports_per_period\":3", "\"reports_per_period\":2"},
                                                        {"\"other\":true", "\"other\":false"},
                                                        {"\"places\":2", "\"places\":3"},
                                                        {"\"city\":", "\"town\":"},
                                                        {"prices", "prizes"},
                                                        {"\"period_seconds\":3600", "\"period_seconds\":3601"},
                                                        {"\"cost\":0", "\"cost\":1"},
                                                        {"What leaves", "What never leaves"}}) {
    const auto read = CentralTask::parse(replaced(text, from, to));
    ASSERT_FALSE(read) << to;
    EXPECT_EQ(read.error().code, ErrorCode::bad_data) << to;
  }
}

TEST(CentralTasks, TellUsersThatTheCuratorIsTrusted) {
  const Statement statement = some_task().statement();
  EXPECT_THAT(statement.en, AllOf(HasSubstr("age (a number between 0 and 120)"),
                                  HasSubstr("city (one of 3 values: Oslo, 北京, other)"),
                                  HasSubstr("these values as they are"), HasSubstr("you trust it with them"),
                                  HasSubstr("noise was added"), HasSubstr("at most 3 records in 1 hour"),
                                  HasSubstr("at most epsilon 0.5 for life"), HasSubstr("for 90 days")));
  EXPECT_THAT(statement.zh,
              AllOf(HasSubstr("原始值"), HasSubstr("信任数据管理方"), HasSubstr("噪声"), HasSubstr("0.5")));
}

TEST(CentralTasks, AreNotTakenForLocalOnes) {
  const std::string central = some_task().to_json().dump();
  EXPECT_EQ(Task::parse(central).error().code, ErrorCode::invalid_parameter);
  EXPECT_THAT(Task::parse(central).error().message, HasSubstr("central"));
  EXPECT_EQ(parse_task_spec(kSpec).error().code, ErrorCode::invalid_parameter);
  TaskSpec local;
  local.name = "local";
  local.epsilon_nano = 1'000'000'000;
  local.values = ValueList::numbered(4).value();
  const std::string text = Task::make(local)->to_json().dump();
  EXPECT_EQ(CentralTask::parse(text).error().code, ErrorCode::invalid_parameter);
  EXPECT_TRUE(std::holds_alternative<Task>(parse_any_task(text).value()));
}

TEST(CentralTasks, LabelRecordsAsInternal) {
  const CentralTask task = some_task();
  EXPECT_EQ(task.label_of_records("records").definition, Definition::internal);
  EXPECT_TRUE(task.label_of_records("records").check_rules());
  EXPECT_EQ(task.label().definition, Definition::pure);
  EXPECT_EQ(task.label().privacy_unit, "one enrolment");
  EXPECT_TRUE(task.label().check_rules());
}

TEST(CentralReports, AreOutOfRangeWhereANumberIsNoneOfItsField) {
  const CentralTask task = some_task();
  const ReportTask about = report_task(task);
  EXPECT_EQ(about.cells, 0U);
  EXPECT_EQ(about.report_bytes(), task.payload_bytes());
  EXPECT_EQ(about.hash, task.hash_bytes());
  const auto wrong = [&](std::int64_t age, unsigned city, std::int64_t price) {
    std::string record(17, '\0');
    for (std::size_t i = 0; i < 8; ++i) record[i] = static_cast<char>(static_cast<std::uint64_t>(age) >> (8 * i));
    record[8] = static_cast<char>(city);
    for (std::size_t i = 0; i < 8; ++i)
      record[9 + i] = static_cast<char>(static_cast<std::uint64_t>(price) >> (8 * i));
    return about.count(about.shape, reinterpret_cast<const unsigned char*>(record.data()), 17, 1, {});
  };
  EXPECT_EQ(wrong(0, 0, -150), 0U);
  EXPECT_EQ(wrong(120, 2, 2'025), 0U);
  EXPECT_EQ(wrong(-1, 0, 0), 1U);
  EXPECT_EQ(wrong(121, 0, 0), 1U);
  EXPECT_EQ(wrong(0, 3, 0), 1U);
  EXPECT_EQ(wrong(0, 255, 0), 1U);
  EXPECT_EQ(wrong(0, 0, -151), 1U);
  EXPECT_EQ(wrong(0, 0, 2'026), 1U);
  EXPECT_EQ(wrong(-1, 200, INT64_MAX), 1U) << "a record is wrong once";
}

}  // namespace
}  // namespace gauze::collect::central_task_test
