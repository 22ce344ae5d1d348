#include "gauze/server/config/curator_folder.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <unistd.h>

#include <algorithm>

#include "gauze/base/utc_date.h"
#include "gauze/collect/task/task.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"
#include "gauze/server/config/development_ca.h"
#include "gauze/server/curator.h"
#include "gauze/server/people/secret_text.h"

namespace gauze::server {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kDevicesOfToken = 100'000;
constexpr std::int64_t kTokenDays = 365;

constexpr std::string_view kExampleTask =
    "version: 1\n"
    "name: home-page\n"
    "mode: local\n"
    "question: frequency\n"
    "field: {{type: category, values: [news, search, mail, video, shop], other: true}}\n"
    "epsilon: 1\n"
    "limits: {{reports_per_period: 1, window: 30d, epsilon_window: 4, epsilon_lifetime: 8}}\n"
    "users: 10000\n"
    "purpose: \"which page people open first\"\n"
    "legal_basis: consent\n"
    "collection: {{period: 1d, validity: {}, detection: intake, entry: \"settings of the app\", depth: value}}\n"
    "retention: 30d\n"
    "classification: {{source: device, type: usage, importance: low}}\n"
    "justification: \"shares within about two percentage points for 10,000 devices\"\n"
    "contact: \"privacy@example.org\"\n";

Result<void> make_folder(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem)
    return make_error(ErrorCode::io, "cannot make the folder '{}': {}", folder.string(), problem.message());
  fs::permissions(folder, fs::perms::owner_all, problem);
  return {};
}

/// The address that a host has here: itself, when it is one.
Result<std::string> address_of(const std::string& host) {
  if (unsigned char bytes[16];
      ::inet_pton(AF_INET, host.c_str(), bytes) == 1 || ::inet_pton(AF_INET6, host.c_str(), bytes) == 1)
    return host;
  if (host == "localhost") return std::string("127.0.0.1");
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  char text[NI_MAXHOST] = "";
  if (::getaddrinfo(host.c_str(), nullptr, &wanted, &found) == 0) {
    static_cast<void>(
        ::getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST));
    ::freeaddrinfo(found);
  }
  if (*text == '\0') return invalid_parameter("'{}' is no address, and no name of one that is known here", host);
  return std::string(text);
}

Result<void> make_certificates(const fs::path& folder, const NewCurator& request, const std::string& address) {
  GAUZE_TRY(const DevelopmentCa ca, DevelopmentCa::make("Gauze development authority"));
  GAUZE_TRY_VOID(write_file(folder / "ca.pem", ca.certificate()));
  std::vector<std::string> names = {"localhost", "127.0.0.1"};
  for (const std::string& name : {request.host, address})
    if (name != "0.0.0.0" && name != "::" && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  for (const char* listener : {"device", "analyst", "admin"}) {
    GAUZE_TRY(const CertifiedKey made, ca.certify(fmt::format("Gauze curator, {}", listener), names));
    GAUZE_TRY_VOID(write_file(folder / "tls" / fmt::format("{}.pem", listener), made.certificate));
    GAUZE_TRY_VOID(write_file(folder / "tls" / fmt::format("{}.key", listener), made.key, FileReaders::owner_alone));
  }
  return {};
}

Result<Person> make_person(const fs::path& folder, const std::string& name, Role role) {
  const std::string token = draw_secret_text();
  GAUZE_TRY_VOID(write_file(folder / "tokens" / name, token + "\n", FileReaders::owner_alone));
  return Person{.name = name, .role = role, .token_sha256 = sha256_hex(token)};
}

Result<void> write_example_task(const fs::path& place) {
  const std::int64_t today = utc_day_of(utc_now());
  GAUZE_TRY(collect::TaskSpec spec,
            collect::parse_task_spec(fmt::format(fmt::runtime(kExampleTask), utc_date_text(today + kTokenDays))));
  GAUZE_TRY(const collect::Task task, collect::Task::make(std::move(spec)));
  return write_file(place, task.to_json().dump(2) + "\n");
}

Result<void> fill(const fs::path& folder, const NewCurator& request) {
  GAUZE_TRY(const std::string address, address_of(request.host));
  for (const char* part : {"", "tls", "tokens", "keys"}) GAUZE_TRY_VOID(make_folder(folder / part));
  GAUZE_TRY_VOID(make_certificates(folder, request, address));
  GAUZE_TRY_VOID(KeyEncryptionKey::create_file(folder / "keys" / "key-encryption-key"));
  CuratorConfig config;
  config.folder = "data";
  config.sm = request.sm;
  config.key.file = "keys/key-encryption-key";
  config.requests.spares_loopback = request.spares_loopback;
  for (auto [place, name, port] : {std::tuple(&config.device, "device", request.ports[0]),
                                   std::tuple(&config.analyst, "analyst", request.ports[1]),
                                   std::tuple(&config.admin, "admin", request.ports[2])}) {
    place->address = address;
    place->port = port;
    place->certificate = fmt::format("tls/{}.pem", name);
    place->key = fmt::format("tls/{}.key", name);
  }
  for (const auto& [name, role] :
       {std::pair("admin-1", Role::admin), std::pair("admin-2", Role::admin), std::pair("analyst", Role::analyst)}) {
    GAUZE_TRY(Person person, make_person(folder, name, role));
    config.people.push_back(std::move(person));
  }
  GAUZE_TRY_VOID(write_file(folder / "curator.yaml", curator_config_text(config)));
  GAUZE_TRY_VOID(write_example_task(folder / "example-task.json"));
  // The token for devices is known to the curator alone: it is made by opening it once.
  GAUZE_TRY(CuratorConfig read, read_curator_config(folder / "curator.yaml"));
  GAUZE_TRY(const auto curator, Curator::open(std::move(read), {}));
  const std::int64_t until = (utc_day_of(utc_now()) + kTokenDays + 1) * kSecondsPerDay;
  GAUZE_TRY(const std::string token, curator->enrolment().make_token(kDevicesOfToken, until));
  GAUZE_TRY_VOID(curator->trail().record(
      {.kind = "enrolment token made",
       .who = "init",
       .details = Json::object({{"devices", kDevicesOfToken}, {"until", utc_date_text(utc_day_of(until) - 1)}})}));
  return write_file(folder / "tokens" / "enrolment", token + "\n", FileReaders::owner_alone);
}

}  // namespace

Result<CuratorFiles> make_curator_folder(const NewCurator& request) {
  std::error_code problem;
  fs::path folder = fs::absolute(request.folder, problem).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  if (fs::exists(folder, problem))
    return make_error(ErrorCode::usage, "'{}' is there already: a curator is made in a new folder", folder.string());
  const fs::path draft = folder.parent_path() / fmt::format(".{}.{}", folder.filename().string(), ::getpid());
  if (auto filled = fill(draft, request); !filled) {
    fs::remove_all(draft, problem);
    return tl::unexpected<Error>(std::move(filled).error());
  }
  fs::rename(draft, folder, problem);
  if (problem) {
    const std::string why = problem.message();
    fs::remove_all(draft, problem);
    return make_error(ErrorCode::io, "cannot make the folder '{}': {}", folder.string(), why);
  }
  CuratorFiles files{.config = folder / "curator.yaml",
                     .ca = folder / "ca.pem",
                     .example_task = folder / "example-task.json",
                     .tokens = {}};
  for (const char* name : {"admin-1", "admin-2", "analyst", "enrolment"})
    files.tokens[name] = folder / "tokens" / name;
  return files;
}

}  // namespace gauze::server
