#include "gauze/server/api/curator_api.h"

#include <gmock/gmock.h>

#include <thread>

#include "gauze/collect/reports/state_file.h"
#include "gauze/server/testing/curator_testing.h"

namespace gauze::server {
namespace curator_api_test {

using ::testing::HasSubstr;
using ::testing::Not;

class CuratorApiTest : public CuratorTest {};

/// Every pair of route, listener and credential: what is answered is what the table of routes says, and nothing else.
TEST_F(CuratorApiTest, EveryWrongPairOfRoleAndRouteIsRefused) {
  const std::string device = enrol();
  const std::map<std::string, std::string> credentials = {{"nobody", ""},
                                                          {"a stranger", std::string(43, 'x')},
                                                          {"a device", device},
                                                          {"an analyst", tokens_["analyst"]},
                                                          {"an admin", tokens_["admin-1"]}};
  int asked = 0;
  for (const Route& route : routes()) {
    if (route.action == Action::rotate_keys || route.action == Action::backup)
      continue;  // they change what others need
    std::string path(route.path);
    if (const auto name = path.find("{name}"); name != std::string::npos) path.replace(name, 6, "nothing");
    if (const auto id = path.find("{id}"); id != std::string::npos) path.replace(id, 4, std::string(32, '0'));
    for (const auto& [listener, word] : kListenerWords) {
      for (const auto& [who, credential] : credentials) {
        const std::string method = route.method == "*" ? "GET" : std::string(route.method);
        const HttpResponse answer = ask(listener, method, path, credential, "{}");
        ++asked;
        const std::string what = fmt::format("{} {} as {} on {}: {}", method, path, who, word, answer.status);
        bool is_elsewhere = true;
        for (const Route& other : routes())
          if (other.listeners[static_cast<std::size_t>(listener)] && match(other, path)) is_elsewhere = false;
        if (is_elsewhere) {
          EXPECT_EQ(answer.status, 404) << what;
          continue;
        }
        if (!route.listeners[static_cast<std::size_t>(listener)]) continue;  // another row answers
        const bool is_right =
            route.access == Access::anybody || (route.access == Access::device && who == "a device") ||
            (route.access == Access::person && listener == Listener::analyst && who == "an analyst") ||
            (route.access == Access::person && listener == Listener::admin && who == "an admin");
        if (route.access == Access::nobody)
          EXPECT_EQ(answer.status, 403) << what;
        else if (is_right)
          EXPECT_TRUE(answer.status != 401 && (answer.status != 403 || route.action == Action::enrol)) << what;
        else
          EXPECT_EQ(answer.status, who == "nobody" || who == "a stranger" ? 401 : 403) << what;
      }
    }
  }
  EXPECT_GT(asked, 300);
}

TEST_F(CuratorApiTest, ARefusedRequestForRecordsLeavesAnEntry) {
  const auto before = curator_->trail().entries(1, 1'000)->size();
  EXPECT_EQ(ask(Listener::admin, "GET", "/v1/tasks/pages/records", tokens_["admin-1"]).status, 403);
  EXPECT_EQ(ask(Listener::device, "POST", "/v1/records").status, 403);
  const auto entries = *curator_->trail().entries(1, 1'000);
  ASSERT_EQ(entries.size(), before + 2);
  EXPECT_EQ(entries[before].event.kind, "raw reports refused");
  EXPECT_EQ(entries[before].event.who, "admin-1");
  EXPECT_EQ(entries[before + 1].event.who, "a stranger");
}

TEST_F(CuratorApiTest, StrangersCannotHideWhatAPersonTries) {
  for (int i = 0; i < 100; ++i) ask(Listener::device, "GET", "/v1/records");
  EXPECT_EQ(ask(Listener::device, "GET", "/v1/records").status, 429);
  EXPECT_EQ(ask(Listener::admin, "GET", "/v1/records", tokens_["admin-1"]).status, 403);
  EXPECT_EQ(curator_->trail().entries(1, 1'000)->back().event.who, "admin-1");
}

TEST_F(CuratorApiTest, TheTrailKeepsNoTextOfStrangers) {
  ask(Listener::device, "GET", "/v1/tasks/" + enrol() + "/records");
  EXPECT_EQ(curator_->trail().entries(1, 1'000)->back().event.subject, "");
}

TEST_F(CuratorApiTest, ATableOfTasksThatWasChangedIsFound) {
  open_task(local_task());
  EXPECT_EQ(ask(Listener::admin, "GET", "/v1/audit?verify=1", tokens_["admin-1"]).status, 200);
  api_.reset();
  curator_.reset();
  {
    const auto file = SqliteFile::open(data() / "records.db", SqliteFile::Access::write, 100, "file");
    ASSERT_TRUE((*file)->execute("UPDATE tasks SET approved_by = 'admin-1'"));
  }
  EXPECT_THAT(why_not_open(), HasSubstr("audit trail"));
}

TEST_F(CuratorApiTest, WhatWasThereOnceIsNotMadeAnew) {
  for (const char* name : {"enrolment.db", "records.db", "ledger.db"}) {
    api_.reset();
    curator_.reset();
    std::filesystem::rename(data() / name, data() / "away");
    EXPECT_THAT(why_not_open(), HasSubstr("is gone")) << name;
    EXPECT_FALSE(std::filesystem::exists(data() / name));
    std::filesystem::rename(data() / "away", data() / name);
    EXPECT_EQ(why_not_open(), "");
  }
}

TEST_F(CuratorApiTest, AParameterThatStandsTwiceIsNone) {
  open_task(local_task());
  EXPECT_EQ(ask(Listener::analyst, "GET", "/v1/tasks/pages/estimate?version=a&version=b", tokens_["analyst"]).status,
            400);
  EXPECT_EQ(ask(Listener::admin, "POST", "/v1/tasks/pages/approve", tokens_["admin-2"], "{\"Hash\":\"x\"}").status,
            400);
}

TEST_F(CuratorApiTest, OtherMethodsAreToldWhichAreThere) {
  const HttpResponse answer = ask(Listener::device, "PUT", "/v1/reports", enrol());
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(answer.headers[0].second, "POST");
}

TEST_F(CuratorApiTest, ATaskNeedsFourEyesBeforeDevicesSeeIt) {
  const auto task = collect::make_any_task(*collect::parse_any_task_spec(local_task()));
  const auto& shown = collect::device_task(*task);
  const std::string document = shown.to_json().dump();
  EXPECT_EQ(ask(Listener::admin, "POST", "/v1/tasks", tokens_["admin-1"], document).status, 201);
  EXPECT_THAT(ask(Listener::device, "GET", "/v1/tasks").body, Not(HasSubstr("pages")));
  const std::string device = enrol();
  EXPECT_THAT(send(device, block(*task, std::string(1, '\0'))).body, HasSubstr("\"unknown_task\":1"));
  const HttpResponse own = ask(Listener::admin, "POST", "/v1/tasks/pages/approve", tokens_["admin-1"]);
  EXPECT_EQ(own.status, 403);
  EXPECT_EQ(code_of(own), "not_authorised");
  EXPECT_EQ(ask(Listener::admin, "POST", "/v1/tasks/pages/approve", tokens_["admin-2"], "{\"hash\":\"00\"}").status,
            400)
      << "another version than the one that was looked at";
  EXPECT_EQ(ask(Listener::admin, "POST", "/v1/tasks/pages/approve", tokens_["admin-2"],
                "{\"hash\":\"" + shown.hash() + "\"}")
                .status,
            200);
  EXPECT_EQ(ask(Listener::device, "GET", "/v1/tasks/pages").status, 200);
  EXPECT_THAT(ask(Listener::device, "GET", "/v1/statement").body, HasSubstr("epsilon"));
  EXPECT_THAT(send(device, block(*task, std::string(1, '\0'))).body, HasSubstr("\"accepted\":1"));

  EXPECT_EQ(code_of(ask(Listener::admin, "POST", "/v1/tasks", tokens_["admin-1"], document)), "invalid_parameter")
      << "known already";
  const auto changed = collect::make_any_task(*collect::parse_any_task_spec(local_task("pages", "1.5")));
  EXPECT_EQ(
      ask(Listener::admin, "POST", "/v1/tasks", tokens_["admin-2"], collect::device_task(*changed).to_json().dump())
          .status,
      201);
  EXPECT_EQ(ask(Listener::admin, "POST", "/v1/tasks/pages/approve", tokens_["admin-1"]).status, 200);
  EXPECT_THAT(send(device, block(*task, std::string(1, '\0'))).body, HasSubstr("\"parameter_mismatch\":1"))
      << "a replaced version";
  EXPECT_EQ(ask(Listener::admin, "POST", "/v1/tasks/pages/close", tokens_["admin-1"]).status, 200);
  EXPECT_THAT(send(device, block(*changed, std::string(1, '\0'))).body, HasSubstr("\"closed\":1"));
  EXPECT_EQ(ask(Listener::device, "GET", "/v1/tasks/pages").status, 404);
  EXPECT_THAT(ask(Listener::device, "GET", "/v1/tasks").body, HasSubstr("\"since\""));
}

TEST_F(CuratorApiTest, TasksMustKeepTheRules) {
  const auto refused = [&](const std::string& yaml) {
    const auto task = collect::make_any_task(*collect::parse_any_task_spec(yaml));
    const auto answer =
        ask(Listener::admin, "POST", "/v1/tasks", tokens_["admin-1"], collect::device_task(*task).to_json().dump());
    return answer.status == 400 ? text(json_of(answer), {"error", "message"})
                                : fmt::format("status {}", answer.status);
  };
  const std::string what =
      "mode: local\nquestion: frequency\nmechanism: de\nfield: {type: category, values: [a, b]}\nepsilon: 1\n";
  EXPECT_THAT(refused(task_yaml("t", what, "12h")), HasSubstr("whole days"));
  EXPECT_THAT(refused(task_yaml("t", what, "367d")), HasSubstr("ceiling"));
  std::string draft = task_yaml("t", what);
  draft.erase(draft.find("purpose: tests\n"), 15);
  EXPECT_THAT(refused(draft), HasSubstr("purpose"));
  open_task(central_task("visits", "2"));
  EXPECT_THAT(refused(central_task("visits", "3")), HasSubstr("for life"));
  EXPECT_THAT(refused(local_task("visits")), HasSubstr("other mode"));
  for (const char* odd : {"", "{}", "[]", "{\"format\":\"gauze-task\"}", "\xff"})
    EXPECT_EQ(ask(Listener::admin, "POST", "/v1/tasks", tokens_["admin-1"], odd).status, 400) << odd;
}

TEST_F(CuratorApiTest, BatchesAreAnsweredByWhatIsWrongWithThem) {
  const auto task = open_task(local_task());
  const std::string device = enrol();
  const std::string good = seal(block(task, std::string(1, '\1')));
  EXPECT_EQ(ask(Listener::device, "POST", "/v1/reports", device, good, "application/json").status, 415);
  EXPECT_EQ(send_batch(device, "nonsense").status, 400);
  EXPECT_EQ(send_batch(device, "").status, 400);
  for (std::size_t bit = 0; bit < good.size() * 8; bit += 7) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    const HttpResponse answer = send_batch(device, bad);
    ASSERT_TRUE(answer.status == 400 || answer.status == 409) << bit;
    ASSERT_EQ(answer.status == 409, bit / 8 >= 5 && bit / 8 < 13) << "only the id of the key tells more: " << bit;
  }
  EXPECT_THAT(send_batch(device, good).body, HasSubstr("\"accepted\":1"));
  EXPECT_THAT(send_batch(device, good).body, HasSubstr("\"duplicates\":1"));
  ASSERT_EQ(ask(Listener::admin, "POST", "/v1/keys/rotate", tokens_["admin-1"]).status, 200);
  const HttpResponse late = send_batch(device, good);
  EXPECT_EQ(late.status, 409);
  EXPECT_EQ(code_of(late), "key_expired");
}

/// What every answer's sensitivity stands on, from the task's file to the store.
TEST_F(CuratorApiTest, ADeviceHasNoMoreRecordsInAPeriodThanItsTaskSays) {
  const auto central = open_task(central_task("visits", "2", 2));
  const auto local = open_task(local_task());  // 5
  const std::string device = enrol();
  EXPECT_THAT(send(device, block(central, record(1, 0) + record(2, 1) + record(3, 1))).body,
              HasSubstr("\"contribution_limit\":3"))
      << "a block is taken whole or not at all";
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(send(device, block(central, record(1, 0))).body, HasSubstr("\"accepted\":1"));
  EXPECT_THAT(send(device, block(central, record(1, 0))).body, HasSubstr("\"contribution_limit\":1"));
  EXPECT_THAT(send(device, block(local, std::string(5, '\0'))).body, HasSubstr("\"accepted\":5"));
  EXPECT_THAT(send(device, block(local, std::string(1, '\0'))).body, HasSubstr("\"contribution_limit\":1"));
  const auto wider =
      open_task(task_yaml("visits",
                          "mode: central\nfields: {age: {type: integer, low: 0, high: 100}}\nepsilon: 2\n"
                          "limits: {reports_per_period: 3}\n"));
  const std::string one = record(1, 0).substr(0, 8);
  EXPECT_THAT(send(device, block(wider, one)).body, HasSubstr("\"accepted\":1"))
      << "the third, under another version";
  EXPECT_THAT(send(device, block(wider, one)).body, HasSubstr("\"contribution_limit\":1"))
      << "versions of one name share a device's limit";
  EXPECT_THAT(send(enrol(), block(wider, one)).body, HasSubstr("\"accepted\":1"))
      << "another enrolment is another unit";
  now_ += 86'400;
  EXPECT_THAT(send(device, block(wider, one)).body, HasSubstr("\"accepted\":1")) << "another period";
}

TEST_F(CuratorApiTest, PeriodsAndValidityAreThoseOfTheTask) {
  const auto task = open_task(local_task());
  const std::string device = enrol();
  const auto sent = [&](std::uint32_t at) {
    return send(device, block(task, std::string(1, '\0'), new_id(), at)).body;
  };
  EXPECT_THAT(sent(period() + 2), HasSubstr("\"not_yet\":1"));
  EXPECT_THAT(sent(period() - 8), HasSubstr("\"expired\":1"));
  EXPECT_THAT(sent(period() - 7), HasSubstr("\"accepted\":1"));
  now_ = *parse_utc_date("2099-12-31") * 86'400;
  EXPECT_THAT(sent(period()), HasSubstr("\"accepted\":1")) << "the last day of its validity";
  now_ += 86'400;
  EXPECT_THAT(sent(period()), HasSubstr("\"closed\":1"));
}

TEST_F(CuratorApiTest, TheAnswerIsTheSameForEveryValueInRange) {
  const auto task = open_task(local_task());
  const std::string device = enrol();
  std::set<std::string> answers;
  for (char value = 0; value < 3; ++value) answers.insert(send(device, block(task, std::string(1, value))).body);
  EXPECT_EQ(answers.size(), 1U);
  EXPECT_THAT(send(device, block(task, std::string(1, '\3'))).body, HasSubstr("\"out_of_range\":1"));
}

TEST_F(CuratorApiTest, AnEstimateHasEveryReportThatWasAcknowledgedAndNoneThatWasDeleted) {
  const auto task = open_task(local_task());
  const collect::BlockId id = new_id();
  const std::string device = enrol();
  EXPECT_THAT(send(device, block(task, std::string("\0\1\2", 3), id)).body, HasSubstr("\"accepted\":3"));
  const auto reports = [&](const std::string& range = "") {
    return text(json_of(ask(Listener::analyst, "GET", "/v1/tasks/pages/estimate" + range, tokens_["analyst"])),
                {"reports"});
  };
  EXPECT_EQ(reports(), "3");
  EXPECT_EQ(reports(fmt::format("?from={}&to={}", period(), period())), "3");
  EXPECT_EQ(reports(fmt::format("?to={}", period() - 1)), "0");
  EXPECT_EQ(ask(Listener::analyst, "GET", "/v1/tasks/pages/estimate?from=5&to=4", tokens_["analyst"]).status, 400);
  EXPECT_EQ(ask(Listener::analyst, "GET", "/v1/tasks/pages/estimate?from=x", tokens_["analyst"]).status, 400);
  EXPECT_EQ(ask(Listener::analyst, "GET", "/v1/tasks/nothing/estimate", tokens_["analyst"]).status, 404);
  const std::string hex = to_hex({reinterpret_cast<const char*>(id.data()), id.size()});
  EXPECT_EQ(ask(Listener::device, "DELETE", "/v1/reports/" + std::string(32, 'f'), device).status, 204)
      << "nothing tells whether it was there";
  EXPECT_EQ(ask(Listener::device, "DELETE", "/v1/reports/xyz", device).status, 400);
  EXPECT_EQ(ask(Listener::device, "DELETE", "/v1/reports/" + hex, enrol()).status, 204);
  EXPECT_EQ(reports(), "0");
  EXPECT_THAT(send(device, block(task, std::string("\0\1\2", 3), id)).body, HasSubstr("\"duplicates\":3"))
      << "deleted stays known";
}

TEST_F(CuratorApiTest, StatesOfTwoCuratorsAddUpAndOneTwiceDoesNot) {
  const auto task = open_task(local_task());
  send(enrol(), block(task, std::string("\0\1", 2)));
  const HttpResponse answer = ask(Listener::analyst, "GET", "/v1/tasks/pages/state", tokens_["analyst"]);
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, "application/vnd.gauze.state");
  const auto state = collect::decode_state(answer.body, "state");
  ASSERT_TRUE(state);
  EXPECT_EQ(state->reports(), 2U);
  EXPECT_EQ(state->sources, std::vector<std::string>{curator_->identity()});
  EXPECT_FALSE(collect::merge(*state, *state)) << "one curator twice";
  open_task(central_task());
  const HttpResponse none = ask(Listener::analyst, "GET", "/v1/tasks/visits/state", tokens_["analyst"]);
  EXPECT_EQ(none.status, 409);
  EXPECT_EQ(code_of(none), "no_state");
}

TEST_F(CuratorApiTest, LimitsAMinuteAreKept) {
  RequestLimits limits;
  limits.requests_per_credential = 3;
  limits.reports_per_credential = 4;
  limits.enrolments_per_address = 2;
  const auto task = open_task(local_task());
  const std::string device = enrol();
  enrol();
  api_->set_limits(limits);
  const HttpResponse third =
      ask(Listener::device, "POST", "/v1/enrol", {}, "{\"token\":\"" + tokens_["enrolment"] + "\"}");
  EXPECT_EQ(third.status, 429);
  EXPECT_EQ(third.headers[0].first, "Retry-After");
  EXPECT_EQ(send(device, block(task, std::string(3, '\0'))).status, 200);
  EXPECT_EQ(send(device, block(task, std::string(2, '\0'))).status, 429) << "reports";
  EXPECT_EQ(send(device, block(task, std::string(1, '\0'))).status, 200);
  EXPECT_EQ(send(device, block(task, std::string(1, '\0'))).status, 429) << "requests";
  now_ += 60;
  EXPECT_EQ(send(device, block(task, std::string(1, '\0'))).status, 200);
}

TEST_F(CuratorApiTest, TokensAdmitSoManyDevicesUntilTheirDay) {
  const auto made =
      ask(Listener::admin, "POST", "/v1/tokens", tokens_["admin-1"], R"({"devices":2,"until":"2027-01-16"})");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string body = "{\"token\":\"" + text(json_of(made), {"token"}) + "\"}";
  EXPECT_EQ(ask(Listener::device, "POST", "/v1/enrol", {}, body).status, 201);
  now_ = *parse_utc_date("2027-01-17") * 86'400 - 1;
  EXPECT_EQ(ask(Listener::device, "POST", "/v1/enrol", {}, body).status, 201);
  EXPECT_EQ(ask(Listener::device, "POST", "/v1/enrol", {}, body).status, 403) << "used up";
  const auto other =
      ask(Listener::admin, "POST", "/v1/tokens", tokens_["admin-1"], R"({"devices":2,"until":"2027-01-17"})");
  now_ += 86'401;
  EXPECT_EQ(ask(Listener::device, "POST", "/v1/enrol", {}, "{\"token\":\"" + text(json_of(other), {"token"}) + "\"}")
                .status,
            403)
      << "expired";
  for (const char* odd : {"{}", R"({"devices":0,"until":"2027-12-31"})", R"({"devices":-1,"until":"2027-12-31"})",
                          R"({"devices":5,"until":"soon"})", R"({"devices":"5","until":"2027-12-31"})",
                          R"({"devices":1e30,"until":"2027-12-31"})"})
    EXPECT_EQ(ask(Listener::admin, "POST", "/v1/tokens", tokens_["admin-1"], odd).status, 400) << odd;
}

TEST_F(CuratorApiTest, WhatIsNotReadySaysWhy) {
  EXPECT_EQ(ask(Listener::admin, "GET", "/readyz", tokens_["admin-1"]).status, 200);
  now_ -= 86'400;
  const HttpResponse answer = ask(Listener::admin, "GET", "/readyz", tokens_["admin-1"]);
  EXPECT_EQ(answer.status, 503);
  EXPECT_THAT(answer.body, HasSubstr("clock"));
  EXPECT_EQ(ask(Listener::admin, "GET", "/healthz", tokens_["admin-1"]).status, 200);
}

TEST_F(CuratorApiTest, EveryJsonAnswerHasItsWarnings) {
  const auto task = open_task(local_task());
  send(enrol(), block(task, std::string(1, '\0')));
  for (const Route& route : routes()) {
    if (route.action == Action::page || route.action == Action::metrics || route.action == Action::state ||
        route.action == Action::openapi || route.action == Action::device_task || route.action == Action::backup)
      continue;
    std::string path(route.path);
    if (const auto name = path.find("{name}"); name != std::string::npos) path.replace(name, 6, "pages");
    for (const auto& [listener, word] : kListenerWords) {
      if (!route.listeners[static_cast<std::size_t>(listener)]) continue;
      const std::string token = tokens_[listener == Listener::admin ? "admin-1" : "analyst"];
      const HttpResponse answer =
          ask(listener, route.method == "*" ? "GET" : std::string(route.method), path, token, "{}");
      if (answer.status == 204) continue;
      EXPECT_NE(json_of(answer).find("warnings"), nullptr) << word << " " << path << " " << answer.body;
    }
  }
}

TEST_F(CuratorApiTest, SweepsHappenAtMidnightAndAreRecorded) {
  const auto task = open_task(task_yaml(
      "pages",
      "mode: local\nquestion: frequency\nmechanism: de\nfield: {type: category, values: [a, b, c]}\nepsilon: 1\n",
      "1d"));
  send(enrol(), block(task, std::string("\0\1", 2)));
  ASSERT_TRUE(curator_->tick());
  EXPECT_EQ(curator_->store().figures().families, 1U);
  now_ = (now_ / 86'400 + 1) * 86'400;
  ASSERT_TRUE(curator_->tick());
  EXPECT_EQ(curator_->store().figures().families, 0U);
  EXPECT_EQ(curator_->trail().entries(1, 100)->back().event.kind, "reports swept");
  const HttpResponse estimate = ask(Listener::analyst, "GET", "/v1/tasks/pages/estimate", tokens_["analyst"]);
  EXPECT_EQ(text(json_of(estimate), {"reports"}), "2") << "statistics of private reports stay";
}

}  // namespace curator_api_test
}  // namespace gauze::server
