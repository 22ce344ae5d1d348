#include "gauze/server/query/central_answers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "gauze/server/testing/curator_testing.h"

namespace gauze::server {
namespace central_answers_test {

using ::testing::HasSubstr;

class CentralAnswersTest : public CuratorTest {
 protected:
  std::string left() {
    const Json budgets = json_of(ask(Listener::analyst, "GET", "/v1/budget", tokens_["analyst"]));
    return text((*budgets.find("budgets")->elements())[0], {"left", "epsilon"});
  }
  static constexpr const char* kCount = R"("kind":"count","epsilon":"0.5")";
};

TEST_F(CentralAnswersTest, AnAnswerIsChargedAndLabelled) {
  const auto task = open_task(central_task());
  for (int i = 0; i < 40; ++i) send(enrol(), block(task, record(i, 1)));
  const HttpResponse answer = query("visits", R"("kind":"count","epsilon":"1","where":{"city":"北京"})", uuid(1));
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json object = json_of(answer);
  // Two-sided geometric noise of scale 2: beyond 60 with probability below 1e-12.
  EXPECT_NEAR(std::stod(text(object, {"value"})), 40, 60);
  EXPECT_EQ(text(object, {"cost", "epsilon"}), "1");
  EXPECT_EQ(text(object, {"left", "epsilon"}), "1");
  EXPECT_EQ(text(object, {"label", "privacy_unit"}), "one enrolment");
  EXPECT_EQ(text(object, {"label", "parameters", "sensitivity"}), "2");
  EXPECT_EQ(left(), "1");
}

TEST_F(CentralAnswersTest, TheSameRequestGetsTheSameAnswerAndIsChargedOnce) {
  open_task(central_task());
  const HttpResponse first = query("visits", kCount, uuid(1));
  ASSERT_EQ(first.status, 200);
  EXPECT_EQ(query("visits", R"("epsilon":0.50,"kind":"count")", uuid(1)).body, first.body)
      << "order of keys and form of amounts do not matter";
  EXPECT_EQ(left(), "1.5");
  open();
  EXPECT_EQ(query("visits", kCount, uuid(1)).body, first.body) << "after a restart";
  const HttpResponse other = query("visits", R"("kind":"count","epsilon":"0.25")", uuid(1));
  EXPECT_EQ(other.status, 409);
  EXPECT_EQ(code_of(other), "request_reused");
  EXPECT_EQ(left(), "1.5");
}

TEST_F(CentralAnswersTest, AHundredAtOnceAreOneChargeAndOneAnswer) {
  const auto task = open_task(central_task());
  send(enrol(), block(task, record(5, 0)));
  std::vector<std::string> answers(100);
  std::vector<std::thread> threads;
  for (std::string& answer : answers) threads.emplace_back([&] { answer = query("visits", kCount, uuid(7)).body; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set<std::string>(answers.begin(), answers.end()).size(), 1U);
  EXPECT_EQ(left(), "1.5");
}

TEST_F(CentralAnswersTest, ConcurrentAnalystsAreNeverOverGranted) {
  open_task(central_task("visits", "2"));
  std::atomic<int> granted{0};
  std::atomic<int> refused{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int j = 0; j < 5; ++j) {
        const HttpResponse answer = query("visits", R"("kind":"count","epsilon":"0.1")", uuid(100 * i + j));
        if (answer.status == 200) ++granted;
        if (answer.status == 409 && code_of(answer) == "budget_exhausted") ++refused;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(granted, 20);
  EXPECT_EQ(refused, 20);
  EXPECT_EQ(left(), "0");
}

TEST_F(CentralAnswersTest, ARefusalTellsWhatIsLeftAndReadsNothing) {
  open_task(central_task());
  const HttpResponse answer = query("visits", R"("kind":"count","epsilon":"3")", uuid(1));
  EXPECT_EQ(answer.status, 409);
  const Json object = json_of(answer);
  EXPECT_EQ(text(object, {"error", "code"}), "budget_exhausted");
  EXPECT_EQ(text(object, {"left", "epsilon"}), "2");
  EXPECT_EQ(text(object, {"allowed", "epsilon"}), "2");
}

TEST_F(CentralAnswersTest, AnswersHaveOneShapeForNoneForOneAndForManyRecords) {
  const auto task = open_task(central_task("visits", "1000"));
  const auto shape = [&](int number) {
    std::string all;
    for (const char* question :
         {R"("kind":"count")", R"("kind":"histogram","field":"city")", R"("kind":"sum","field":"age")",
          R"("kind":"mean","field":"age")", R"("kind":"quantile","field":"age","tau":"0.5")"}) {
      const HttpResponse answer = query("visits", std::string(question) + R"(,"epsilon":"1")", uuid(number++));
      EXPECT_EQ(answer.status, 200) << answer.body;
      const Json object = json_of(answer);
      for (const auto& [key, value] : *object.members())
        all += key + (value.elements() != nullptr ? std::to_string(value.elements()->size()) : "") + " ";
    }
    return all;
  };
  const std::string none = shape(1);
  send(enrol(), block(task, record(50, 1)));
  EXPECT_EQ(shape(100), none);
  for (int i = 0; i < 30; ++i) send(enrol(), block(task, record(i, 0)));
  EXPECT_EQ(shape(200), none);
}

TEST_F(CentralAnswersTest, PeriodsWithoutDataCount) {
  open_task(central_task("visits", "1000", 3));
  now_ += 9 * 86'400;
  const Json answer = json_of(query("visits", kCount, uuid(1)));
  EXPECT_EQ(text(answer, {"label", "parameters", "periods"}), "10") << "from the approval to now";
  EXPECT_EQ(text(answer, {"label", "parameters", "sensitivity"}), "30");
  const Json one =
      json_of(query("visits", fmt::format(R"("kind":"count","epsilon":"1","from":{0},"to":{0})", period()), uuid(2)));
  EXPECT_EQ(text(one, {"label", "parameters", "sensitivity"}), "3");
}

TEST_F(CentralAnswersTest, AQueryReadsOneVersionOfATask) {
  const auto first = open_task(central_task("visits", "1000", 2));
  for (int i = 0; i < 200; ++i) send(enrol(), block(first, record(i % 100, 1)));
  const auto second = open_task(central_task("visits", "1000", 4));
  const auto count = [&](const std::string& version, int number) {
    return std::stod(
        text(json_of(query("visits", R"("kind":"count","epsilon":"10")" + version, uuid(number))), {"value"}));
  };
  EXPECT_NEAR(count("", 1), 0, 20) << "the present one has no records yet";
  EXPECT_NEAR(count(R"(,"version":")" + collect::device_task(first).hash() + "\"", 2), 200, 20);
  EXPECT_EQ(query("visits", R"("kind":"count","epsilon":"1","version":"00")", uuid(3)).status, 404);
  EXPECT_EQ(left(), "980") << "one budget for all versions";
}

TEST_F(CentralAnswersTest, BadBodiesAreRefusedBeforeAnythingIsCharged) {
  open_task(central_task());
  open_task(local_task());
  for (const char* odd :
       {R"("kind":"count")", R"("kind":"count","epsilon":"0")", R"("kind":"count","epsilon":"-1")",
        R"("kind":"count","epsilon":"nan")", R"("kind":"count","epsilon":"1e-12")",
        R"("kind":"everything","epsilon":"1")", R"("kind":"sum","epsilon":"1")",
        R"("kind":"sum","field":"city","epsilon":"1")", R"("kind":"histogram","field":"nothing","epsilon":"1")",
        R"("kind":"quantile","field":"age","epsilon":"1")",
        R"("kind":"quantile","field":"age","tau":"2","epsilon":"1")",
        R"("kind":"count","epsilon":"1","from":5,"to":4)",
        R"("kind":"count","epsilon":"1","where":{"city":"Atlantis"})",
        R"("kind":"count","epsilon":"1","where":{"age":"5"})", R"("kind":"count","epsilon":"1","extra":1)"})
    EXPECT_EQ(query("visits", odd, uuid(1)).status, 400) << odd;
  EXPECT_EQ(query("visits", kCount, "not-a-uuid").status, 400);
  EXPECT_EQ(ask(Listener::analyst, "POST", "/v1/tasks/visits/query", tokens_["analyst"],
                R"({"kind":"count","epsilon":"1"})")
                .status,
            400);
  EXPECT_EQ(query("nothing", kCount, uuid(1)).status, 404);
  EXPECT_EQ(query("pages", kCount, uuid(1)).status, 400) << "a local task";
  EXPECT_EQ(left(), "2");
}

TEST_F(CentralAnswersTest, TheCeilingOfAProfileHolds) {
  std::string yaml = *read_file(files_.config);
  yaml.replace(yaml.find("profile: \"\""), 11, "profile: medical");
  ASSERT_TRUE(write_file(files_.config, yaml));
  open();
  open_task(central_task());
  EXPECT_EQ(query("visits", R"("kind":"count","epsilon":"0.5")", uuid(1)).status, 200);
  const HttpResponse answer = query("visits", R"("kind":"count","epsilon":"0.6")", uuid(2));
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(code_of(answer), "not_private");
}

TEST_F(CentralAnswersTest, AnAnswerIsSentAtAMultipleOfTheStep) {
  open_task(central_task());
  const auto before = std::chrono::steady_clock::now();
  const HttpResponse answer = query("visits", kCount, uuid(1));
  ASSERT_TRUE(answer.not_before.has_value());
  EXPECT_GE(*answer.not_before, before + std::chrono::milliseconds(250));
  const HttpResponse refused = query("visits", R"("kind":"count","epsilon":"9")", uuid(2));
  EXPECT_TRUE(refused.not_before.has_value()) << "a refusal takes as long";
}

}  // namespace central_answers_test
}  // namespace gauze::server
