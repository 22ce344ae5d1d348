#pragma once
// A curator in a temporary folder with a clock of its own, and devices that send it what a test says.

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/kernel_random.h"
#include "gauze/base/utc_date.h"
#include "gauze/collect/channel/batch.h"
#include "gauze/collect/reports/block_format.h"
#include "gauze/collect/task/any_task.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/testing/folder.h"
#include "gauze/server/api/curator_api.h"
#include "gauze/server/config/curator_folder.h"

namespace gauze::server {

inline std::string task_yaml(const std::string& name, const std::string& what, const std::string& retention = "30d") {
  return fmt::format(
      "version: 1\nname: {}\n{}purpose: tests\nlegal_basis: consent\n"
      "collection: {{period: 1d, validity: 2099-12-31, detection: intake, entry: settings, depth: value}}\n"
      "retention: {}\nclassification: {{source: device, type: usage, importance: low}}\n"
      "justification: tests\ncontact: nobody\n",
      name, what, retention);
}
inline std::string local_task(const std::string& name = "pages", const std::string& epsilon = "1") {
  return task_yaml(
      name,
      fmt::format("mode: local\nquestion: frequency\nmechanism: de\nfield: {{type: category, values: [a, b, c]}}\n"
                  "epsilon: {}\nlimits: {{reports_per_period: 5}}\n",
                  epsilon));
}
inline std::string central_task(const std::string& name = "visits", const std::string& epsilon = "2",
                                int per_period = 2) {
  return task_yaml(
      name, fmt::format(
                "mode: central\nfields: {{age: {{type: integer, low: 0, high: 100}}, "
                "city: {{type: category, values: [Graz, 北京]}}}}\nepsilon: {}\nlimits: {{reports_per_period: {}}}\n",
                epsilon, per_period));
}

class CuratorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto made = make_curator_folder({.folder = folder_.path() / "curator"});
    ASSERT_TRUE(made) << made.error().message;
    files_ = *made;
    for (const auto& [name, path] : files_.tokens) {
      std::string token = *read_file(path);
      token.pop_back();
      tokens_[name] = token;
    }
    set("answer_step: 0.25", "answer_step: 0.01");
    open();
  }
  /// Changes the configuration, for the next open().
  void set(const std::string& from, const std::string& to) {
    std::string yaml = *read_file(files_.config);
    const std::size_t at = yaml.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    ASSERT_TRUE(write_file(files_.config, yaml.replace(at, from.size(), to)));
  }
  /// Why it does not open; empty when it does.
  std::string why_not_open() {
    api_.reset();
    curator_.reset();
    auto opened =
        Curator::open(*read_curator_config(files_.config), {.log = {}, .clock = [this] { return now_.load(); }});
    if (!opened) return opened.error().message;
    curator_ = std::move(*opened);
    api_ = std::make_unique<CuratorApi>(*curator_, [] { return HttpServer::Figures{}; });
    const auto budgets = api_->check_budgets();
    return budgets ? "" : budgets.error().message;
  }
  [[nodiscard]] std::filesystem::path data() const { return folder_.path() / "curator" / "data"; }
  void open() {
    api_.reset();
    curator_.reset();
    auto opened =
        Curator::open(*read_curator_config(files_.config), {.log = {}, .clock = [this] { return now_.load(); }});
    ASSERT_TRUE(opened) << opened.error().message;
    curator_ = std::move(*opened);
    api_ = std::make_unique<CuratorApi>(*curator_, [] { return HttpServer::Figures{}; });
  }

  HttpResponse ask(Listener listener, const std::string& method, const std::string& path,
                   const std::string& token = {}, const std::string& body = {},
                   const std::string& type = "application/json") {
    HttpRequest request{.method = method,
                        .path = path.substr(0, path.find('?')),
                        .query = {},
                        .content_type = type,
                        .bearer = token,
                        .body = body,
                        .address = "192.0.2.1",
                        .received = std::chrono::steady_clock::now()};
    if (const std::size_t question = path.find('?'); question != std::string::npos) {
      for (std::string rest = path.substr(question + 1); !rest.empty();) {
        const std::string pair = rest.substr(0, rest.find('&'));
        rest.erase(0, std::min(rest.size(), pair.size() + 1));
        request.query.emplace_back(pair.substr(0, pair.find('=')), pair.substr(pair.find('=') + 1));
      }
    }
    return api_->handle(listener, request);
  }
  static Json json_of(const HttpResponse& response) {
    auto read = read_json(response.body);
    EXPECT_TRUE(read) << response.body;
    return read ? std::move(*read) : Json();
  }
  static std::string text(const Json& object, std::initializer_list<const char*> path) {
    const Json* at = &object;
    for (const char* key : path)
      if (at != nullptr) at = at->find(key);
    if (at == nullptr) return "(none)";
    return at->text().empty() ? at->dump() : std::string(at->text());
  }
  static std::string code_of(const HttpResponse& response) { return text(json_of(response), {"error", "code"}); }

  /// Adds and approves a task.
  collect::AnyTask open_task(const std::string& yaml) {
    auto task = collect::make_any_task(*collect::parse_any_task_spec(yaml));
    EXPECT_TRUE(task) << task.error().message;
    const auto& shown = collect::device_task(*task);
    const auto added = ask(Listener::admin, "POST", "/v1/tasks", tokens_["admin-1"], shown.to_json().dump());
    EXPECT_EQ(added.status, 201) << added.body;
    const auto approved =
        ask(Listener::admin, "POST", "/v1/tasks/" + shown.terms().name + "/approve", tokens_["admin-2"]);
    EXPECT_EQ(approved.status, 200) << approved.body;
    return std::move(*task);
  }
  std::string enrol() {
    const auto answer =
        ask(Listener::device, "POST", "/v1/enrol", {}, "{\"token\":\"" + tokens_["enrolment"] + "\"}");
    EXPECT_EQ(answer.status, 201) << answer.body;
    return text(json_of(answer), {"credential"});
  }
  std::uint32_t period() const { return static_cast<std::uint32_t>(now_.load() / 86'400); }
  static collect::BlockId new_id() {
    collect::BlockId id{};
    fill_from_kernel(id);
    return id;
  }
  std::string block(const collect::AnyTask& task, const std::string& payloads, collect::BlockId id = new_id(),
                    std::optional<std::uint32_t> at = {}) const {
    const auto& shown = collect::device_task(task);
    const collect::BlockHeader header{.task = shown.hash_bytes(),
                                      .id = id,
                                      .period = at.value_or(period()),
                                      .payload_bytes = static_cast<std::uint16_t>(shown.payload_bytes()),
                                      .count = static_cast<std::uint32_t>(payloads.size() / shown.payload_bytes())};
    return collect::encode_block(header, payloads);
  }
  /// A record of central_task().
  static std::string record(std::int64_t age, unsigned char city) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>((static_cast<std::uint64_t>(age) >> (8 * i)) & 0xffU);
    return bytes + static_cast<char>(city);
  }
  std::string seal(const std::string& blocks, collect::Suite suite = collect::Suite::x25519) {
    const Json keys = curator_->sealing().to_json();
    for (const Json& key : *keys.find("keys")->elements()) {
      if (key.find("suite")->text() != std::to_string(collect::number_of(suite)) ||
          key.find("state")->text() != "active")
        continue;
      return *collect::seal_batch(*collect::SealingPublicKey::from_base64url(suite, key.find("public_key")->text()),
                                  blocks);
    }
    ADD_FAILURE() << "no key of that suite";
    return {};
  }
  HttpResponse send_batch(const std::string& credential, const std::string& batch) {
    return ask(Listener::device, "POST", "/v1/reports", credential, batch, "application/vnd.gauze.batch");
  }
  HttpResponse send(const std::string& credential, const std::string& blocks) {
    return send_batch(credential, seal(blocks));
  }
  HttpResponse query(const std::string& task, const std::string& members, const std::string& id) {
    return ask(Listener::analyst, "POST", "/v1/tasks/" + task + "/query", tokens_["analyst"],
               "{" + members + ",\"request\":\"" + id + "\"}");
  }
  static std::string uuid(int number) { return fmt::format("00000000-0000-4000-8000-{:012}", number); }

  Folder folder_;
  CuratorFiles files_;
  std::map<std::string, std::string> tokens_;
  std::atomic<std::int64_t> now_{1'800'000'000};
  std::unique_ptr<Curator> curator_;
  std::unique_ptr<CuratorApi> api_;
};

}  // namespace gauze::server
