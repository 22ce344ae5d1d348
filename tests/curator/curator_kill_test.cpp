// A curator that is killed again and again while devices send and analysts ask.
#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <random>

#include "gauze/server/testing/curator_process.h"

namespace gauze {
namespace curator_kill_test {

constexpr int kSenders = 16;
constexpr int kAskers = 4;
const std::string kTerms =
    "purpose: tests\nlegal_basis: consent\n"
    "collection: {period: 1d, validity: 2099-12-31, detection: intake, entry: settings, depth: value}\n"
    "retention: 30d\nclassification: {source: device, type: usage, importance: low}\njustification: tests\ncontact: nobody\n";

/// Devices and analysts that go on until they are told to stop, and count what they were promised.
class Crowd {
 public:
  Crowd(CuratorProcess& curator, const collect::AnyTask& local, const collect::AnyTask& central)
      : curator_(curator), local_(local), central_(central) {
    for (int i = 0; i < kSenders; ++i) threads_.emplace_back([this, i] { send(i); });
    for (int i = 0; i < kAskers; ++i) threads_.emplace_back([this, i] { question(i); });
  }
  void finish() {
    is_ending_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  std::uint64_t local_reports() const { return local_reports_; }
  std::uint64_t answers() const { return answers_; }

 private:
  void send(int number) {
    PatientClient client(curator_);
    client.enrol();
    for (int i = 0; !is_ending_; ++i) {
      const bool is_local = (i + number) % 4 != 0;
      const std::string block =
          is_local ? block_of(local_, std::string(1 + static_cast<std::size_t>(i % 5), static_cast<char>(i % 3)))
                   : block_of(central_, std::string("\5\0\0\0\0\0\0\0", 8));
      // The same block, sealed anew, until it is acknowledged: a kill in between leaves it taken or not, never twice.
      const auto answer = client.send_blocks(block);
      if (answer.status != 200) ADD_FAILURE() << answer.status << " " << answer.body;
      const Json outcome = read_json(answer.body).value_or(Json::object());
      if (outcome.find("rejected") == nullptr || !outcome.find("rejected")->members()->empty())
        ADD_FAILURE() << answer.body;
      if (is_local) local_reports_ += 1 + static_cast<std::uint64_t>(i % 5);
    }
  }
  void question(int number) {
    PatientClient client(curator_);
    for (int i = 0; !is_ending_; ++i) {
      const std::string body = fmt::format(
          R"({{"kind":"count","epsilon":"0.001","request":"00000000-0000-4000-8000-{:012}"}})", number * 100'000 + i);
      const HttpsClient::Request request{.method = "POST",
                                         .url = curator_.url(1) + "/v1/tasks/visits/query",
                                         .bearer = curator_.token("analyst"),
                                         .content_type = "application/json",
                                         .body = body};
      const auto first = client.ask(request);
      EXPECT_EQ(first.status, 200) << first.body;
      EXPECT_EQ(client.ask(request).body, first.body) << "the same request has one answer";
      ++answers_;
    }
  }
  CuratorProcess& curator_;
  const collect::AnyTask& local_;
  const collect::AnyTask& central_;
  std::atomic<bool> is_ending_{false};
  std::atomic<std::uint64_t> local_reports_{0};
  std::atomic<std::uint64_t> answers_{0};
  std::vector<std::thread> threads_;
};

TEST(CuratorKill, NothingAcknowledgedIsLostAndNothingCountsTwice) {
  const int kills = std::getenv("GAUZE_LONG_TESTS") != nullptr ? 300 : 20;
  CuratorProcess curator;
  curator.start();
  const auto local = curator.open_task(
      "version: 1\nname: pages\nmode: local\nquestion: frequency\nmechanism: de\n"
      "field: {type: category, values: [a, b, c]}\nepsilon: 1\n" +
      kTerms);
  const auto central = curator.open_task(
      "version: 1\nname: visits\nmode: central\nfields: {age: {type: integer, low: 0, high: 100}}\n"
      "epsilon: 1000\nlimits: {reports_per_period: 1000000}\n" +
      kTerms);
  Crowd crowd(curator, local, central);
  std::minstd_rand random(1);
  for (int i = 0; i < kills; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 300));
    if (i % 5 == 4) {  // a pause, as of a machine that was suspended
      curator.signal(SIGSTOP);
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      curator.signal(SIGCONT);
    }
    curator.kill();
    curator.start();
    if (HasFatalFailure()) break;
  }
  crowd.finish();
  EXPECT_GT(crowd.local_reports(), 0U);
  EXPECT_GT(crowd.answers(), 0U);

  PatientClient client(curator);
  const Json estimate = client.get(1, "/v1/tasks/pages/estimate", curator.token("analyst"));
  EXPECT_EQ(estimate.find("reports")->text(), std::to_string(crowd.local_reports()));
  const Json check = client.get(2, "/v1/check", curator.token("admin-1"), "POST");
  EXPECT_EQ(check.find("same")->dump(), "true") << check.dump();
  const Json budget = client.get(1, "/v1/budget", curator.token("analyst"));
  EXPECT_EQ((*budget.find("budgets")->elements())[0].find("queries")->text(), std::to_string(crowd.answers()))
      << "one charge for each request id";
  client.get(2, "/v1/audit?verify=1", curator.token("admin-1"));
  EXPECT_EQ(curator.stop(), 0);
  EXPECT_EQ(run_gauze({"ledger", "verify", "--ledger", curator.data() + "/ledger.db"}, curator.log()), 0)
      << curator.logged();
  EXPECT_EQ(run_gauze({"curator", "check", "--config", curator.config()}, curator.log()), 0) << curator.logged();
}

}  // namespace curator_kill_test
}  // namespace gauze
