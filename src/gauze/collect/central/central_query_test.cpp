#include "gauze/collect/central/central_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gauze/collect/central/testing/stored_records.h"

namespace gauze::collect::central_query_test {
namespace {

using namespace central_testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Epsilon so large that noise is nearly always 0: what is left is the exact figure.
constexpr std::string_view kNoNoise = R"("epsilon":"1000000")";

class CentralQueries : public ::testing::Test {
 protected:
  void add(std::uint32_t period, std::vector<std::int64_t> numbers) {
    records_.add(period, record_of(task_, numbers));
  }
  Result<CentralAnswer> ask(std::string_view body) {
    const auto query = query_of(task_, body);
    if (!query) return tl::unexpected(query.error());
    return query->answer(records_, random_);
  }
  CentralAnswer exact(std::string_view members) {
    auto answer = ask(fmt::format("{{{},{}}}", members, kNoNoise));
    EXPECT_TRUE(answer) << (answer ? "" : answer.error().message);
    return answer.value();
  }
  double figure(std::string_view members) { return exact(members).values.at(0).to_double(); }

  CentralTask task_ = some_task();
  StoredRecords records_;
  SecureRandom random_;
};

TEST_F(CentralQueries, CountTheRecordsOfTheirPeriods) {
  for (const std::uint32_t period : {9U, 10U, 11U, 12U, 12U, 13U}) add(period, {30, 0, 0, 0});
  EXPECT_EQ(figure(R"("kind":"count")"), 4);
  EXPECT_EQ(records_.asked, std::pair(10U, 12U)) << "left out, periods are those of the task";
  EXPECT_EQ(figure(R"("kind":"count","from":12,"to":13)"), 3);
  EXPECT_EQ(figure(R"("kind":"count","from":0,"to":20000)"), 6);
  EXPECT_EQ(figure(R"("kind":"count","from":14,"to":20)"), 0);
  EXPECT_EQ(records_.reads, 4);
}

TEST_F(CentralQueries, CountWhatHasTheValuesThatAreAskedFor) {
  for (const std::int64_t city : {0, 0, 1, 3, 3, 3}) add(10, {30, city, 0, 0});
  EXPECT_EQ(figure(R"("kind":"count","where":{"city":"Oslo"})"), 2);
  EXPECT_EQ(figure(R"("kind":"count","where":{"city":"other"})"), 3);
  EXPECT_EQ(figure(R"("kind":"count","where":{"city":"Bern"})"), 0);
  EXPECT_EQ(figure(R"("kind":"count","where":{})"), 6);
}

TEST_F(CentralQueries, CountEveryValueOfADomain) {
  for (const std::int64_t city : {0, 0, 1, 3}) add(11, {30, city, 0, -3 + city});
  const CentralAnswer cities = exact(R"("kind":"histogram","field":"city")");
  EXPECT_THAT(cities.values, ElementsAre(Rational(2), Rational(1), Rational(0), Rational(1)));
  EXPECT_EQ(cities.interval95.size(), 4U);
  const CentralAnswer steps = exact(R"("kind":"histogram","field":"step")");
  EXPECT_THAT(steps.values, ElementsAre(Rational(2), Rational(1), Rational(0), Rational(1), Rational(0), Rational(0),
                                        Rational(0), Rational(0)));
  EXPECT_EQ(exact(R"("kind":"histogram","field":"age")").values.size(), 121U);
}

TEST_F(CentralQueries, GiveSumsMeansAndQuantilesInTheUnitsOfTheirField) {
  for (const std::int64_t price : {-150, 0, 100, 2'025}) add(10, {1, 0, price, 0});
  EXPECT_EQ(exact(R"("kind":"sum","field":"price")").values.at(0), Rational::parse("19.75").value());
  EXPECT_EQ(exact(R"("kind":"mean","field":"price")").values.at(0), Rational::parse("4.9375").value());
  EXPECT_EQ(figure(R"("kind":"sum","field":"age")"), 4);
  EXPECT_EQ(figure(R"("kind":"mean","field":"age")"), 1);
}

TEST_F(CentralQueries, FindTheCandidateWithTauBelowIt) {
  for (int age = 20; age < 60; ++age) add(10, {age, 0, 0, 0});
  EXPECT_EQ(figure(R"("kind":"quantile","field":"age","tau":"0.5")"), 40);
  EXPECT_EQ(figure(R"("kind":"quantile","field":"age","tau":0.25)"), 30);
  EXPECT_GE(figure(R"("kind":"quantile","field":"age","tau":1)"), 60);
  EXPECT_LE(figure(R"("kind":"quantile","field":"age","tau":0)"), 20);
  EXPECT_TRUE(exact(R"("kind":"quantile","field":"age","tau":"0.5")").interval95.empty());
}

// 2,176 values are each a candidate; of a wide field there are 1,024 upper edges.
TEST_F(CentralQueries, TakeCellsOfAWideFieldByTheirUpperEdge) {
  CentralSpec spec;
  spec.name = "wide";
  spec.epsilon_nano = 1'000'000'000;
  spec.fields = {{.name = "income", .number = {0, 1'024'000, 0}}, {.name = "fit", .number = {0, 4'095, 0}}};
  const CentralTask task = CentralTask::make(spec).value();
  StoredRecords records;
  for (int i = 0; i < 100; ++i) records.add(10, record_of(task, {500'500 + i, 4'000}));
  const auto ask_wide = [&](std::string_view body) {
    return query_of(task, body)->answer(records, random_)->values.at(0);
  };
  EXPECT_EQ(ask_wide(R"({"kind":"quantile","field":"income","tau":1,"epsilon":1000000,"from":10,"to":10})") >=
                Rational(501'000),
            true);
  const Rational fit = ask_wide(R"({"kind":"quantile","field":"fit","tau":"0.5","epsilon":1000000})");
  EXPECT_TRUE(fit.is_integer());
  EXPECT_EQ(query_of(task, R"({"kind":"quantile","field":"income","tau":1,"epsilon":1})")
                ->label()
                .parameters.find("candidates")
                ->text(),
            "1024");
  EXPECT_EQ(query_of(task, R"({"kind":"quantile","field":"fit","tau":1,"epsilon":1})")
                ->label()
                .parameters.find("candidates")
                ->text(),
            "4096");
}

TEST_F(CentralQueries, ClampWhatLiesOutsideItsField) {
  add(10, {1'000, 200, std::numeric_limits<std::int64_t>::max(), 100});
  add(10, {-1'000, 255, std::numeric_limits<std::int64_t>::min(), -100});
  EXPECT_EQ(figure(R"("kind":"sum","field":"age")"), 120);
  EXPECT_EQ(exact(R"("kind":"sum","field":"price")").values.at(0), Rational::parse("18.75").value());
  EXPECT_THAT(exact(R"("kind":"histogram","field":"city")").values,
              ElementsAre(Rational(0), Rational(0), Rational(0), Rational(2)));
  EXPECT_EQ(exact(R"("kind":"histogram","field":"step")").values.front(), Rational(1));
  EXPECT_EQ(exact(R"("kind":"histogram","field":"step")").values.back(), Rational(1));
}

TEST_F(CentralQueries, AnswerNoRecordsAndOneLikeAnyOthers) {
  const char* bodies[] = {R"({"kind":"count","epsilon":1})", R"({"kind":"histogram","field":"city","epsilon":1})",
                          R"({"kind":"sum","field":"price","epsilon":1})",
                          R"({"kind":"mean","field":"age","epsilon":1})",
                          R"({"kind":"quantile","field":"age","tau":"0.5","epsilon":1})"};
  const auto shape = [](const Json& answer) {
    std::string names;
    for (const auto& [name, value] : *answer.members())
      names += fmt::format("{}:{}[{}] ", name, to_string(kind_of(value)),
                           value.elements() == nullptr ? 0 : value.elements()->size());
    return names;
  };
  for (const char* body : bodies) {
    StoredRecords none;
    StoredRecords one;
    one.add(11, record_of(task_, {40, 1, 5, 2}));
    StoredRecords outside;
    outside.add(11, record_of(task_, {-40, 99, 5'000'000, 200}));
    const auto query = query_of(task_, body);
    const std::string empty = shape(query->answer(none, random_)->to_json());
    EXPECT_EQ(shape(query->answer(one, random_)->to_json()), empty) << body;
    EXPECT_EQ(shape(query->answer(outside, random_)->to_json()), empty) << body;
  }
  // Without noise to speak of, the mean of nothing is the middle.
  EXPECT_EQ(figure(R"("kind":"mean","field":"age")"), 60);
}

TEST_F(CentralQueries, WriteWhatTheInterfaceSays) {
  add(10, {40, 1, 5, 2});
  const Json count = exact(R"("kind":"count")").to_json();
  EXPECT_EQ(count.find("value")->dump(), "1");
  EXPECT_EQ(count.find("interval95")->elements()->size(), 2U);
  EXPECT_EQ(count.find("consistent")->dump(), "1");
  const Json histogram = exact(R"("kind":"histogram","field":"city")").to_json();
  EXPECT_EQ(histogram.find("values")->dump(), "[0,1,0,0]");
  EXPECT_EQ(histogram.find("interval95")->elements()->size(), 4U);
  EXPECT_EQ(histogram.find("consistent")->dump(), "[0,1,0,0]");
  const Json sum = exact(R"("kind":"sum","field":"price")").to_json();
  EXPECT_EQ(sum.find("value")->dump(), "0.05");
  EXPECT_EQ(sum.find("consistent"), nullptr);
  EXPECT_TRUE(exact(R"("kind":"quantile","field":"age","tau":1)").to_json().find("interval95")->is_null());
}

TEST_F(CentralQueries, ShowAsDrawnAndNotBelowZeroBeside) {
  int negative = 0;
  for (int i = 0; i < 200; ++i) {
    const CentralAnswer answer = ask(R"({"kind":"count","epsilon":"0.1"})").value();
    const Json json = answer.to_json();
    negative += answer.values[0].sign() < 0;
    EXPECT_EQ(json.find("value")->text(), answer.values[0].to_decimal());
    EXPECT_EQ(json.find("consistent")->text(), std::max(answer.values[0], Rational(0)).to_decimal());
  }
  EXPECT_GT(negative, 20) << "half of the noise is negative";
}

TEST_F(CentralQueries, CostWhatIsAskedForTheWholeAnswer) {
  for (const char* body : {R"({"kind":"count","epsilon":"0.1"})", R"({"kind":"mean","field":"age","epsilon":0.1})",
                           R"({"kind":"histogram","field":"city","epsilon":"1e-1"})"}) {
    const PrivacyCost cost = query_of(task_, body)->cost();
    EXPECT_EQ(cost.epsilon.value(), Rational(1, 10));
    EXPECT_EQ(cost.unit, "one enrolment");
    EXPECT_EQ(cost.neighbours, Neighbours::add_remove);
    EXPECT_TRUE(cost.is_chargeable());
  }
}

TEST_F(CentralQueries, LabelAnswersByPublicFactsAlone) {
  const auto label =
      query_of(some_task(3), R"({"kind":"sum","field":"price","epsilon":"0.5","from":5,"to":8})")->label();
  EXPECT_TRUE(label.check_rules()) << label.check_rules().error().message;
  EXPECT_EQ(label.parameters.find("sensitivity")->text(), "243") << "3 records in 4 periods, of 20.25 each";
  EXPECT_EQ(label.parameters.find("periods")->text(), "4");
  EXPECT_EQ(label.parameters.find("reports_per_period")->text(), "3");
  EXPECT_EQ(label.cost.epsilon, "0.5");
  const auto where = query_of(task_, R"({"kind":"count","where":{"city":"Lima"},"epsilon":1})")->label();
  EXPECT_EQ(where.parameters.find("where")->dump(), R"(["city=Lima"])");
  EXPECT_TRUE(where.check_rules());
  for (const char* body : {R"({"kind":"mean","field":"age","epsilon":1})",
                           R"({"kind":"quantile","field":"age","tau":"0.5","epsilon":1})"})
    EXPECT_TRUE(query_of(task_, body)->label().check_rules()) << body;
}

TEST_F(CentralQueries, FailOnlyAsTheirSourceDoes) {
  class Broken final : public RecordSource {
    Result<void> read(std::uint32_t, std::uint32_t, const RecordSink&) override {
      return make_error(ErrorCode::io, "the store cannot be read");
    }
  } broken;
  EXPECT_EQ(query_of(task_, R"({"kind":"count","epsilon":1})")->answer(broken, random_).error().code, ErrorCode::io);
}

TEST_F(CentralQueries, AnswerForTheWidestFieldsAndTheLongestTimes) {
  CentralSpec spec;
  spec.name = "wide";
  spec.epsilon_nano = 1'000'000'000;
  spec.reports_per_period = 1'000;
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  spec.fields = {
      {.name = "low", .number = {least, least + (std::int64_t{1} << 62) - 1, 0}},
      {.name = "high",
       .number = {std::numeric_limits<std::int64_t>::max() - 5, std::numeric_limits<std::int64_t>::max(), 18}}};
  const CentralTask task = CentralTask::make(spec).value();
  StoredRecords records;
  for (int i = 0; i < 10; ++i) records.add(10, record_of(task, {least, std::numeric_limits<std::int64_t>::max()}));
  for (const char* field : {"low", "high"})
    for (const char* kind : {"sum", "mean", "quantile"}) {
      const std::string body =
          fmt::format(R"({{"kind":"{}","field":"{}",{}"epsilon":"0.001","from":0,"to":1000}})", kind, field,
                      std::string_view(kind) == "quantile" ? R"("tau":"0.5",)" : "");
      const auto query = query_of(task, body);
      ASSERT_TRUE(query) << query.error().message;
      EXPECT_TRUE(query->answer(records, random_)) << body;
    }
}

struct BadBody {
  const char* body;
  const char* says;
};

TEST(CentralQueryBodies, AreRefusedByName) {
  const CentralTask task = some_task();
  const BadBody bodies[] = {
      {R"([])", "JSON object"},
      {R"("count")", "JSON object"},
      {R"({})", "kind"},
      {R"({"kind":"count"})", "epsilon"},
      {R"({"kind":"median","epsilon":1})", "kind"},
      {R"({"kind":1,"epsilon":1})", "kind"},
      {R"({"kind":"count","epsilon":"x"})", "epsilon"},
      {R"({"kind":"count","epsilon":0})", "epsilon"},
      {R"({"kind":"count","epsilon":"-1"})", "epsilon"},
      {R"({"kind":"count","epsilon":"1000001"})", "epsilon"},
      {R"({"kind":"count","epsilon":"0.0000000001"})", "epsilon"},
      {R"({"kind":"count","epsilon":[1]})", "epsilon"},
      {R"({"kind":"count","epsilon":null})", "epsilon"},
      {R"({"kind":"count","epsilon":1,"epsilom":1})", "unknown key"},
      {R"({"kind":"count","epsilon":1,"field":"age"})", "field"},
      {R"({"kind":"count","epsilon":1,"tau":"0.5"})", "tau"},
      {R"({"kind":"count","epsilon":1,"where":["city"]})", "where"},
      {R"({"kind":"count","epsilon":1,"where":{"city":1}})", "where"},
      {R"({"kind":"count","epsilon":1,"where":{"age":"30"}})", "category"},
      {R"({"kind":"count","epsilon":1,"where":{"town":"Oslo"}})", "field"},
      {R"({"kind":"count","epsilon":1,"where":{"city":"Rome"}})", "value"},
      {R"({"kind":"count","epsilon":1,"from":5,"to":4})", "from"},
      {R"({"kind":"count","epsilon":1,"from":-1})", "from"},
      {R"({"kind":"count","epsilon":1,"from":1.5})", "from"},
      {R"({"kind":"count","epsilon":1,"to":4294967296})", "to"},
      {R"({"kind":"count","epsilon":1,"to":"11"})", "to"},
      {R"({"kind":"histogram","epsilon":1})", "field"},
      {R"({"kind":"histogram","epsilon":1,"field":""})", "field"},
      {R"({"kind":"histogram","epsilon":1,"field":"town"})", "field"},
      {R"({"kind":"histogram","epsilon":1,"field":"price"})", "decimal"},
      {R"({"kind":"histogram","epsilon":1,"field":"city","where":{"city":"Oslo"}})", "where"},
      {R"({"kind":"sum","epsilon":1,"field":"city"})", "number"},
      {R"({"kind":"mean","epsilon":1,"field":"city"})", "number"},
      {R"({"kind":"mean","epsilon":1,"field":"age","tau":"0.5"})", "tau"},
      {R"({"kind":"quantile","epsilon":1,"field":"age"})", "tau"},
      {R"({"kind":"quantile","epsilon":1,"field":"city","tau":"0.5"})", "number"},
      {R"({"kind":"quantile","epsilon":1,"field":"age","tau":"1.01"})", "tau"},
      {R"({"kind":"quantile","epsilon":1,"field":"age","tau":-0.01})", "tau"},
  };
  for (const BadBody& bad : bodies) {
    const auto query = query_of(task, bad.body);
    ASSERT_FALSE(query) << bad.body;
    EXPECT_EQ(query.error().code, ErrorCode::invalid_parameter) << bad.body;
    EXPECT_THAT(query.error().message, HasSubstr(bad.says)) << bad.body;
    EXPECT_THAT(query.error().message, ::testing::Not(HasSubstr("Rome"))) << "messages do not quote what was sent";
  }
}

TEST(CentralQueryBodies, MayHoldWhatTheServerLooksAt) {
  const CentralTask task = some_task();
  EXPECT_TRUE(query_of(
      task, R"({"kind":"count","epsilon":"0.1","request":"8a2f","version":"00","where":null,"field":null})"));
  EXPECT_EQ(query_of(task, R"({"kind":"count","epsilon":"0.1","from":11})")->periods(), 2U);
  EXPECT_EQ(query_of(task, R"({"kind":"count","epsilon":"0.1","from":0,"to":4294967295})")->periods(),
            std::uint64_t{1} << 32);
}

TEST(CentralQueryBodies, ReadHistogramsOfUpToFourThousandAndNinetySixValues) {
  CentralSpec spec;
  spec.name = "wide";
  spec.epsilon_nano = 1'000'000'000;
  spec.fields = {
      {.name = "fits", .number = {-1, 4'094, 0}},
      {.name = "not", .number = {0, 4'096, 0}},
      {.name = "many", .values = ValueList::numbered(4'097).value()},
      {.name = "ends",
       .number = {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min() + 7, 0}}};
  const CentralTask task = CentralTask::make(spec).value();
  EXPECT_TRUE(query_of(task, R"({"kind":"histogram","field":"fits","epsilon":1})"));
  EXPECT_FALSE(query_of(task, R"({"kind":"histogram","field":"not","epsilon":1})"));
  EXPECT_FALSE(query_of(task, R"({"kind":"histogram","field":"many","epsilon":1})"));
  EXPECT_TRUE(query_of(task, R"({"kind":"histogram","field":"ends","epsilon":1})"));
}

}  // namespace
}  // namespace gauze::collect::central_query_test
