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
  set("profile: \"\"", "profile: medical");
  open();
  open_task(central_task());
  EXPECT_EQ(query("visits", R"("kind":"count","epsilon":"0.5")", uuid(1)).status, 200);
  const HttpResponse answer = query("visits", R"("kind":"count","epsilon":"0.6")", uuid(2));
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(code_of(answer), "not_private");
}

TEST_F(CentralAnswersTest, AnAnswerIsSentAtAMultipleOfTheStep) {
  set("answer_step: 0.01", "answer_step: 0.2");
  open();
  open_task(central_task());
  const auto took = [&](const char* question, int number) {
    const auto before = std::chrono::steady_clock::now();
    query("visits", question, uuid(number));
    return std::chrono::steady_clock::now() - before;
  };
  EXPECT_GE(took(kCount, 1), std::chrono::milliseconds(199));
  EXPECT_GE(took(R"("kind":"count","epsilon":"9")", 2), std::chrono::milliseconds(199)) << "a refusal takes as long";
  EXPECT_GE(took(kCount, 1), std::chrono::milliseconds(199)) << "and so does a stored answer";
}

TEST_F(CentralAnswersTest, NothingThatAnalystsSeeMovesWithTheRecordsOfACentralTask) {
  const auto local = open_task(local_task());
  const auto central = open_task(central_task());
  send(enrol(), block(local, std::string(1, '\0')));
  const auto seen = [&] {
    std::string all;
    for (const char* path : {"/v1/tasks", "/v1/tasks/pages/estimate", "/v1/tasks/pages/state", "/v1/budget"}) {
      const HttpResponse answer = ask(Listener::analyst, "GET", path, tokens_["analyst"]);
      all += answer.body;
      for (const auto& [name, value] : answer.headers) all += name + value;
    }
    return all;
  };
  const std::string before = seen();
  const collect::BlockId id = new_id();
  const std::string device = enrol();
  EXPECT_THAT(send(device, block(central, record(5, 1), id)).body, HasSubstr("\"accepted\":1"));
  EXPECT_EQ(seen(), before);
  ask(Listener::device, "DELETE", "/v1/reports/" + to_hex({reinterpret_cast<const char*>(id.data()), id.size()}),
      device);
  EXPECT_EQ(seen(), before);
}

TEST_F(CentralAnswersTest, ABudgetOfAnApprovalThatFailedGrantsNothingElse) {
  // The ledger got its entry, and the trail did not: as after a kill between the two.
  DatasetOptions options;
  options.name = "visits";
  options.unit = std::string(collect::kEnrolment);
  options.epsilon = Rational(1'000);
  ASSERT_TRUE(curator_->create_dataset(*DatasetTerms::make(options)));
  const auto task = collect::make_any_task(*collect::parse_any_task_spec(central_task("visits", "1")));
  ASSERT_EQ(
      ask(Listener::admin, "POST", "/v1/tasks", tokens_["admin-1"], collect::device_task(*task).to_json().dump())
          .status,
      201);
  const HttpResponse refused = ask(Listener::admin, "POST", "/v1/tasks/visits/approve", tokens_["admin-2"]);
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("another budget"));
  EXPECT_EQ(query("visits", kCount, uuid(1)).status, 404) << "nothing is approved";
}

TEST_F(CentralAnswersTest, WhatTheLedgerSpentIsNotGrantedAgain) {
  open_task(central_task());
  ASSERT_EQ(query("visits", kCount, uuid(1)).status, 200);
  curator_.reset();
  const std::filesystem::path ledger = data() / "ledger.db";
  const std::filesystem::path kept = folder_.path() / "kept.db";
  std::filesystem::copy_file(ledger, kept);
  EXPECT_EQ(why_not_open(), "");
  ASSERT_EQ(query("visits", kCount, uuid(2)).status, 200);
  api_.reset();
  curator_.reset();
  std::filesystem::copy_file(kept, ledger, std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(why_not_open(), HasSubstr("older than the audit trail"));
  std::filesystem::remove(ledger);
  EXPECT_THAT(why_not_open(), HasSubstr("grant them again"));
  EXPECT_FALSE(std::filesystem::exists(ledger));
}

TEST_F(CentralAnswersTest, AnAnswerNeverGoesOutWithoutItsEntry) {
  open_task(central_task());
  query("visits", kCount, uuid(1));
  const auto last = curator_->trail().last_of("query charged");
  ASSERT_TRUE(last && *last);
  EXPECT_EQ((*last)->event.who, "analyst");
  EXPECT_EQ((*last)->event.subject, "visits");
}

TEST_F(CentralAnswersTest, ARequestIdIsOneInEitherCaseAndAValueIsItsText) {
  open_task(
      task_yaml("visits", "mode: central\nfields: {tau: {type: category, values: [\"1\", \"1.0\"]}}\nepsilon: 2\n"));
  const std::string id = "ABCDEF00-0000-4000-8000-000000000001";
  const HttpResponse first = query("visits", R"("kind":"count","epsilon":"0.5","where":{"tau":"1"})", id);
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(
      query("visits", R"("kind":"count","epsilon":"0.5","where":{"tau":"1"})", "abcdef00-0000-4000-8000-000000000001")
          .body,
      first.body);
  EXPECT_EQ(code_of(query("visits", R"("kind":"count","epsilon":"0.5","where":{"tau":"1.0"})", id)),
            "request_reused");
  EXPECT_EQ(left(), "1.5");
}

TEST_F(CentralAnswersTest, AnswersThatSayNothingAreRefused) {
  open_task(central_task());
  EXPECT_EQ(query("visits", R"("kind":"count","epsilon":"0.0009")", uuid(1)).status, 400);
  EXPECT_EQ(left(), "2");
}

}  // namespace central_answers_test
}  // namespace gauze::server
