#pragma once
// `gauze serve` as a process of its own, for tests: loopback alone, stopped by its process id.

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "gauze/base/kernel_random.h"
#include "gauze/base/utc_date.h"
#include "gauze/collect/channel/batch.h"
#include "gauze/collect/reports/block_format.h"
#include "gauze/collect/task/any_task.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/https_client.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/testing/folder.h"

namespace gauze {

/// The command that was built with this test.
inline std::string gauze_command() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "gauze").string();
}

/// Starts the command; its output goes to a file.
inline pid_t start_gauze(std::vector<std::string> arguments, const std::string& output) {
  arguments.insert(arguments.begin(), gauze_command());
  std::vector<char*> raw;
  for (std::string& argument : arguments) raw.push_back(argument.data());
  raw.push_back(nullptr);
  const pid_t id = ::fork();
  if (id == 0) {
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ::dup2(file, 1);
    ::dup2(file, 2);
    ::execv(raw[0], raw.data());
    ::_exit(127);
  }
  return id;
}

/// Its exit status, or minus the signal that ended it.
inline int wait_for(pid_t id) {
  int status = 0;
  while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}
inline int run_gauze(std::vector<std::string> arguments, const std::string& output) {
  return wait_for(start_gauze(std::move(arguments), output));
}

inline std::uint16_t free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&place), size), 0);
  EXPECT_EQ(::getsockname(socket, reinterpret_cast<sockaddr*>(&place), &size), 0);
  ::close(socket);
  return ntohs(place.sin_port);
}

/// A curator in a temporary folder, with fixed ports, so that clients find it again after a restart.
class CuratorProcess {
 public:
  explicit CuratorProcess(const std::vector<std::string>& flags = {}) {
    std::signal(SIGPIPE, SIG_IGN);
    for (std::uint16_t& port : ports_) port = free_port();
    std::vector<std::string> arguments = {"serve", "--init", folder_ / "curator", "--ports",
                                          fmt::format("{},{},{}", ports_[0], ports_[1], ports_[2])};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    EXPECT_EQ(run_gauze(arguments, log()), 0) << folder_.read("log");
    std::string yaml = *read_file(config());
    yaml.replace(yaml.find("spare_loopback: false"), 21, "spare_loopback: true");
    EXPECT_TRUE(write_file(config(), yaml));
  }
  ~CuratorProcess() {
    if (id_ > 0) kill();
  }

  void start() {
    std::error_code ignored;
    std::filesystem::remove(ready(), ignored);
    id_ = start_gauze({"serve", "--config", config(), "--ready", ready()}, log());
    for (int i = 0; i < 3'000 && !std::filesystem::exists(ready()); ++i) {
      ASSERT_EQ(::waitpid(id_, nullptr, WNOHANG), 0) << folder_.read("log");
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_TRUE(std::filesystem::exists(ready())) << folder_.read("log");
  }
  void kill() {
    ::kill(id_, SIGKILL);
    EXPECT_EQ(wait_for(id_), -SIGKILL);
    id_ = 0;
  }
  int stop(int signal = SIGTERM) {
    ::kill(id_, signal);
    const int status = wait_for(id_);
    id_ = 0;
    return status;
  }
  void signal(int number) const { ::kill(id_, number); }
  [[nodiscard]] pid_t id() const { return id_; }

  [[nodiscard]] std::string config() const { return folder_ / "curator/curator.yaml"; }
  [[nodiscard]] std::string ca() const { return folder_ / "curator/ca.pem"; }
  [[nodiscard]] std::string data() const { return folder_ / "curator/data"; }
  [[nodiscard]] std::string log() const { return folder_ / "log"; }
  [[nodiscard]] std::string logged() const { return folder_.read("log"); }
  [[nodiscard]] const Folder& folder() const { return folder_; }
  [[nodiscard]] std::string url(int listener) const { return fmt::format("https://127.0.0.1:{}", ports_[listener]); }
  [[nodiscard]] std::string token(const std::string& name) const {
    std::string text = *read_file(folder_ / ("curator/tokens/" + name));
    text.pop_back();
    return text;
  }

  /// Proposes and approves a task.
  collect::AnyTask open_task(const std::string& yaml) {
    auto task = collect::make_any_task(*collect::parse_any_task_spec(yaml));
    EXPECT_TRUE(task) << task.error().message;
    const auto& shown = collect::device_task(*task);
    HttpsClient client = *HttpsClient::make({.ca = ca()});
    const std::string document = shown.to_json().dump();
    const auto added = client.send({.method = "POST",
                                    .url = url(2) + "/v1/tasks",
                                    .bearer = token("admin-1"),
                                    .content_type = "application/json",
                                    .body = document});
    EXPECT_TRUE(added && added->status == 201) << (added ? added->body : added.error().error.message);
    const auto approved = client.send({.method = "POST",
                                       .url = url(2) + "/v1/tasks/" + shown.terms().name + "/approve",
                                       .bearer = token("admin-2")});
    EXPECT_TRUE(approved && approved->status == 200) << (approved ? approved->body : "");
    return std::move(*task);
  }

 private:
  [[nodiscard]] std::string ready() const { return folder_ / "ready"; }
  Folder folder_;
  std::uint16_t ports_[3] = {};
  pid_t id_ = 0;
};

/// One device, or one person, over HTTPS: asks until there is an answer.
class PatientClient {
 public:
  explicit PatientClient(const CuratorProcess& curator)
      : curator_(curator), client_(*HttpsClient::make({.ca = curator.ca(), .connect_seconds = 5, .seconds = 20})) {}

  HttpsClient::Response ask(const HttpsClient::Request& request) {
    for (int attempt = 0; attempt < 2'000; ++attempt) {
      auto response = client_.send(request);
      if (response && response->status != 503) return std::move(*response);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "the curator never answered";
    return {};
  }
  void enrol() {
    const std::string body = "{\"token\":\"" + curator_.token("enrolment") + "\"}";
    const auto answer = ask(
        {.method = "POST", .url = curator_.url(0) + "/v1/enrol", .content_type = "application/json", .body = body});
    ASSERT_EQ(answer.status, 201) << answer.body;
    credential_ = read_json(answer.body)->find("credential")->text();
  }
  [[nodiscard]] const std::string& credential() const { return credential_; }
  HttpsClient::Response send_blocks(const std::string& blocks) {
    if (!key_) fetch_key();
    const std::string batch = *collect::seal_batch(*key_, blocks);
    return ask({.method = "POST",
                .url = curator_.url(0) + "/v1/reports",
                .bearer = credential_,
                .content_type = "application/vnd.gauze.batch",
                .body = batch});
  }
  Json get(int listener, const std::string& path, const std::string& token, const std::string& method = "GET") {
    const auto answer = ask({.method = method, .url = curator_.url(listener) + path, .bearer = token});
    EXPECT_EQ(answer.status, 200) << path << " " << answer.body;
    auto read = read_json(answer.body);
    return read ? std::move(*read) : Json::object();
  }

 private:
  void fetch_key() {
    const Json keys = get(0, "/v1/keys", "");
    for (const Json& key : *keys.find("keys")->elements())
      if (key.find("suite")->text() == "2" && key.find("state")->text() == "active")
        key_ = *collect::SealingPublicKey::from_base64url(collect::Suite::x25519, key.find("public_key")->text());
    ASSERT_TRUE(key_.has_value());
  }
  const CuratorProcess& curator_;
  HttpsClient client_;
  std::string credential_;
  std::optional<collect::SealingPublicKey> key_;
};

inline std::string block_of(const collect::AnyTask& task, const std::string& payloads) {
  const auto& shown = collect::device_task(task);
  collect::BlockHeader header{.task = shown.hash_bytes(),
                              .period = static_cast<std::uint32_t>(utc_now() / shown.terms().period()),
                              .payload_bytes = static_cast<std::uint16_t>(shown.payload_bytes()),
                              .count = static_cast<std::uint32_t>(payloads.size() / shown.payload_bytes())};
  fill_from_kernel(header.id);
  return collect::encode_block(header, payloads);
}

}  // namespace gauze
