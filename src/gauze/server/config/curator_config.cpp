// Reading curator.yaml.
#include "gauze/server/config/curator_config.h"

#include <arpa/inet.h>

#include <algorithm>
#include <limits>

#include "gauze/accounting/profiles.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"
#include "gauze/files/yaml_keys.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze::server {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMost = std::uint64_t{1} << 40U;

Result<double> read_seconds(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(const Rational seconds, read_number(node, what));
  if (seconds.sign() <= 0 || seconds > Rational(86'400))
    return yaml_error(node, "{} must lie above 0 and be at most 86400 seconds", what);
  return seconds.to_double();
}

Result<Rational> read_amount(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(const Rational amount, read_number(node, what));
  if (amount.sign() < 0 || amount > Rational(1'000'000) || !(amount * Rational(1'000'000'000)).is_integer())
    return yaml_error(node, "{} must lie between 0 and 1,000,000 and have at most nine decimals", what);
  return amount;
}

Result<std::int64_t> read_window(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(const std::string text, read_text(node, what));
  const auto seconds = parse_window(text);
  if (!seconds) return yaml_error(node, "{} must be a duration such as 90d, 12h or 4w", what);
  return *seconds;
}

Result<std::int64_t> read_days(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(const std::int64_t seconds, read_window(node, what));
  if (seconds % 86'400 != 0) return yaml_error(node, "{} must be whole days, such as 90d", what);
  return seconds / 86'400;
}

Result<std::string> read_address(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(std::string text, read_text(node, what));
  if (unsigned char bytes[16];
      ::inet_pton(AF_INET, text.c_str(), bytes) != 1 && ::inet_pton(AF_INET6, text.c_str(), bytes) != 1)
    return yaml_error(node, "{} must be an address such as 127.0.0.1 or ::1, not a name", what);
  return text;
}

Result<std::string> read_profile(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(std::string text, read_text(node, what));
  if (text.empty()) return text;
  if (const auto known = find_profile(text); !known) return yaml_error(node, "{}", known.error().message);
  return text;
}

template <class Number>
YamlKey count_into(std::string name, Number& place, std::uint64_t smallest, std::uint64_t largest = kMost) {
  return key_into(std::move(name), place, [=](const YamlNode& node, std::string_view what) -> Result<Number> {
    GAUZE_TRY(const std::uint64_t count, read_count(node, what, smallest, largest));
    return static_cast<Number>(count);
  });
}

class Reader {
 public:
  explicit Reader(const fs::path& place) : folder_(fs::absolute(place).parent_path()) {}

  Result<CuratorConfig> read(const YamlNode& node) {
    CuratorConfig& config = config_;
    std::uint64_t version = 0;
    GAUZE_TRY_VOID(read_keys(
        node, "the configuration of a curator",
        {count_into("version", version, 1, 1), key_into("name", config.name, read_text),
         path("folder", config.folder), listener("device", config.device), listener("analyst", config.analyst),
         listener("admin", config.admin),
         map("key_encryption_key",
             [this](const YamlNode& at) -> Result<void> {
               GAUZE_TRY(config_.key, read_key(at, "key_encryption_key"));
               has_key_ = true;
               return {};
             }),
         map("previous_key_encryption_key",
             [this](const YamlNode& at) -> Result<void> {
               GAUZE_TRY(config_.previous_key, read_key(at, "previous_key_encryption_key"));
               return {};
             }),
         map("people", [this](const YamlNode& at) { return read_people(at); }), key_into("sm", config.sm, read_bool),
         key_into("key_rotation", config.key_rotation_seconds, read_window),
         key_into("retention_ceiling", config.retention_ceiling_days, read_days),
         map("acceptance", [this](const YamlNode& at) { return read_acceptance(at); }),
         key_into("answer_step", config.answer_step_seconds, read_seconds),
         key_into("least_query_epsilon", config.least_query_epsilon, read_amount),
         key_into("profile", config.profile, read_profile), key_into("deviation", config.deviation, read_text),
         count_into("least_free_bytes", config.least_free_bytes, 0),
         map("limits", [this](const YamlNode& at) { return read_limits(at); })}));
    if (version == 0) return yaml_error(node, "version is missing: it is 1");
    if (config.folder.empty()) return yaml_error(node, "folder is missing: where the curator keeps its files");
    if (auto name = check_name("the name of a curator", config.name); !name)
      return yaml_error(node, "{}", name.error().message);
    for (const auto& [what, listener] : {std::pair("device", &config.device), std::pair("analyst", &config.analyst),
                                         std::pair("admin", &config.admin)})
      if (listener->certificate.empty() || listener->key.empty())
        return yaml_error(node, "{} needs a certificate and its key", what);
    if (!has_key_)
      return yaml_error(node,
                        "key_encryption_key is missing: a file, a credential, a descriptor or a passphrase_file");
    if (config.retention_ceiling_days < 1) return yaml_error(node, "retention_ceiling must be at least 1d");
    return std::move(config_);
  }

 private:
  using Read = std::function<Result<void>(const YamlNode&)>;
  static YamlKey map(std::string name, Read read) { return {std::move(name), std::move(read)}; }

  YamlKey path(std::string name, fs::path& place) {
    return {name, [this, &place, name](const YamlNode& node) -> Result<void> {
              GAUZE_TRY(const std::string text, read_text(node, name));
              if (text.empty() || text.find('\0') != std::string::npos)
                return yaml_error(node, "{} names no file", name);
              place = (folder_ / text).lexically_normal();
              return {};
            }};
  }

  YamlKey listener(std::string name, ListenerPlace& place) {
    return {name, [this, &place, name](const YamlNode& node) {
              return read_keys(node, name,
                               {key_into("address", place.address, read_address),
                                count_into("port", place.port, 0, std::numeric_limits<std::uint16_t>::max()),
                                path("certificate", place.certificate), path("key", place.key)});
            }};
  }

  Result<KeySource> read_key(const YamlNode& node, std::string_view what) {
    KeySource source;
    int descriptor = -1;
    GAUZE_TRY_VOID(read_keys(
        node, what,
        {path("file", source.file), path("passphrase_file", source.passphrase_file),
         key_into("credential", source.credential, read_text), count_into("descriptor", descriptor, 3, 1'000'000)}));
    if (descriptor >= 0) source.descriptor = descriptor;
    const int given = int{!source.file.empty()} + int{!source.passphrase_file.empty()} +
                      int{!source.credential.empty()} + int{source.descriptor.has_value()};
    if (given != 1) return yaml_error(node, "{} has one of file, credential, descriptor and passphrase_file", what);
    return source;
  }

  Result<void> read_people(const YamlNode& node) {
    if (!node.is_list()) return yaml_error(node, "people is a list of name, role and token_sha256");
    for (const YamlNode& item : node.items) {
      Person person;
      GAUZE_TRY_VOID(read_keys(
          item, "a person",
          {key_into("name", person.name, read_text),
           key_into("role", person.role,
                    [](const YamlNode& at, std::string_view what) { return read_word(at, what, kRoleWords); }),
           key_into("token_sha256", person.token_sha256, read_text)}));
      if (auto name = check_name("a person's name", person.name); !name)
        return yaml_error(item, "{}", name.error().message);
      if (!is_digest(person.token_sha256))
        return yaml_error(item, "token_sha256 is the SHA-256 of a token: 64 lower-case hexadecimal digits");
      for (const Person& other : config_.people)
        if (other.name == person.name || other.token_sha256 == person.token_sha256)
          return yaml_error(item, "two people have one {}", other.name == person.name ? "name" : "token");
      config_.people.push_back(std::move(person));
    }
    return {};
  }

  Result<void> read_acceptance(const YamlNode& node) {
    return read_keys(node, "acceptance",
                     {count_into("periods_back", config_.periods_back, 0, 1'000),
                      count_into("periods_ahead", config_.periods_ahead, 0, 1'000)});
  }

  Result<void> read_limits(const YamlNode& node) {
    HttpLimits& http = config_.http;
    RequestLimits& requests = config_.requests;
    double handshakes = http.handshakes_per_second;
    GAUZE_TRY_VOID(read_keys(node, "limits",
                             {count_into("connections", http.connections, 1),
                              count_into("connections_per_address", http.connections_per_address, 1),
                              count_into("handshakes_per_second", handshakes, 1),
                              count_into("header_bytes", http.request.header_bytes, 256, 1U << 20U),
                              count_into("body_bytes", http.request.body_bytes, 1'024, 1U << 24U),
                              key_into("header_seconds", http.header_seconds, read_seconds),
                              key_into("body_seconds", http.body_seconds, read_seconds),
                              key_into("idle_seconds", http.idle_seconds, read_seconds),
                              key_into("write_seconds", http.write_seconds, read_seconds),
                              count_into("requests_per_credential", requests.requests_per_credential, 1),
                              count_into("reports_per_credential", requests.reports_per_credential, 1),
                              count_into("enrolments_per_address", requests.enrolments_per_address, 1),
                              key_into("spare_loopback", requests.spares_loopback, read_bool)}));
    http.handshakes_per_second = handshakes;
    http.spares_loopback = requests.spares_loopback;
    return {};
  }

  fs::path folder_;
  CuratorConfig config_;
  bool has_key_ = false;
};

}  // namespace

Result<CuratorConfig> parse_curator_config(std::string_view yaml, const fs::path& place) {
  GAUZE_TRY(const YamlNode node, parse_yaml(yaml, place.filename().string()));
  GAUZE_TRY(CuratorConfig config, Reader(place).read(node));
  config.place = std::filesystem::absolute(place);
  return config;
}

Result<CuratorConfig> read_curator_config(const fs::path& place) {
  GAUZE_TRY(const std::string yaml, read_file(place, std::size_t{1} << 20U));
  return parse_curator_config(yaml, place);
}

std::filesystem::path running_file(const CuratorConfig& config) { return config.folder / "running.json"; }

}  // namespace gauze::server
