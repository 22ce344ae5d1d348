// Writing curator.yaml, with a comment for every key.
#include "gauze/files/yaml_reader.h"
#include "gauze/ledger/terms/dataset_terms.h"
#include "gauze/server/config/curator_config.h"

namespace gauze::server {
namespace {

std::string listener_text(std::string_view name, const ListenerPlace& place, std::string_view who) {
  return fmt::format(
      "\n{}:                    # {}\n"
      "  address: {}\n"
      "  port: {}                   # 0: any free one, chosen at each start\n"
      "  certificate: {}\n"
      "  key: {}\n",
      name, who, yaml_scalar(place.address), place.port, yaml_scalar(place.certificate.string()),
      yaml_scalar(place.key.string()));
}

std::string key_text(const KeySource& key) {
  if (key.descriptor) return fmt::format("descriptor: {}", *key.descriptor);
  if (!key.credential.empty()) return "credential: " + yaml_scalar(key.credential);
  if (!key.passphrase_file.empty()) return "passphrase_file: " + yaml_scalar(key.passphrase_file.string());
  return "file: " + yaml_scalar(key.file.string());
}

}  // namespace

std::string curator_config_text(const CuratorConfig& config) {
  const HttpLimits& http = config.http;
  const RequestLimits& requests = config.requests;
  std::string text = fmt::format(
      "# A curator of Gauze, as `gauze serve` reads it. Relative paths start at this file's folder. Every key but version,\n"
      "# folder, certificates and key_encryption_key has the default that stands here. SIGHUP reads certificates and limits again.\n"
      "version: 1\n"
      "name: {}                  # by which merged states tell curators apart\n"
      "folder: {}                 # the sealed store, the ledger, tasks, audit trail and the file of keys\n",
      yaml_scalar(config.name), yaml_scalar(config.folder.string()));
  text += listener_text("device", config.device, "where devices enrol and send their reports");
  text += listener_text("analyst", config.analyst, "where estimates and answers are given");
  text +=
      listener_text("admin", config.admin, "where tasks, keys and the audit trail are; keep it inside your network");
  text += fmt::format(
      "\n# What wraps all other keys: one of file (mode 0600), credential (a name of systemd's LoadCredential), descriptor (an open file,\n"
      "# 3 or above) and passphrase_file (a passphrase in a file of mode 0600, stretched by scrypt). To change it: name the new one here and\n"
      "# the old one under previous_key_encryption_key, have it rewrapped (`gauze help curator keys`), and take the old one out.\n"
      "key_encryption_key:\n  {}\n",
      key_text(config.key));
  if (config.previous_key) text += "previous_key_encryption_key:\n  " + key_text(*config.previous_key) + "\n";
  text +=
      "\n# Who may ask: token_sha256 is the SHA-256 of the token (printf %s TOKEN | sha256sum). Roles: analyst, admin. Two admins at least,\n"
      "# since nobody approves a task of their own.\npeople:\n";
  for (const Person& person : config.people)
    text += fmt::format("  - {{name: {}, role: {}, token_sha256: {}}}\n", yaml_scalar(person.name),
                        word_of(kRoleWords, person.role), person.token_sha256);
  if (config.people.empty()) text += "  []\n";
  text += fmt::format(
      "\nsm: {}                     # true: a sealing key of suite 3 besides 1 and 2, and the store under SM4 and SM3\n"
      "key_rotation: {}            # a new sealing key after so long; it is listed and opens batches a day before\n"
      "retention_ceiling: {}      # no task may keep reports longer\n"
      "acceptance:\n"
      "  periods_back: {}            # periods before the present one whose reports are taken\n"
      "  periods_ahead: {}           # for devices whose clock is ahead\n"
      "answer_step: {}           # answers of queries are sent at multiples of so many seconds after the request\n"
      "least_query_epsilon: {}  # no query for less: answers that say nothing would fill the ledger\n"
      "profile: {}               # a ceiling for every query: basic, finance, government, medical, other; empty: none\n"
      "deviation: {}             # why a query above the ceiling is let through; empty: it is refused\n"
      "least_free_bytes: {}  # with less room on the disk the curator says that it is not ready\n",
      config.sm, window_text(config.key_rotation_seconds), window_text(config.retention_ceiling_days * 86'400),
      config.periods_back, config.periods_ahead, config.answer_step_seconds, config.least_query_epsilon.to_decimal(),
      yaml_scalar(config.profile), yaml_scalar(config.deviation), config.least_free_bytes);
  text += fmt::format(
      "\nlimits:\n"
      "  connections: {}           # of all listeners together\n"
      "  connections_per_address: {}\n"
      "  handshakes_per_second: {}  # of TLS, which cost twenty times what a request does\n"
      "  header_bytes: {}\n"
      "  body_bytes: {}\n"
      "  header_seconds: {}          # from the first byte of a header to its last\n"
      "  body_seconds: {}\n"
      "  idle_seconds: {}           # between two requests on one connection\n"
      "  write_seconds: {}          # for a client that does not read\n"
      "  requests_per_credential: {}     # a minute; of analysts and admins too\n"
      "  reports_per_credential: {}     # a minute\n"
      "  enrolments_per_address: {}      # a minute\n"
      "  spare_loopback: {}        # true: no limits an address or credential for 127.0.0.0/8 and ::1\n",
      http.connections, http.connections_per_address, http.handshakes_per_second, http.request.header_bytes,
      http.request.body_bytes, http.header_seconds, http.body_seconds, http.idle_seconds, http.write_seconds,
      requests.requests_per_credential, requests.reports_per_credential, requests.enrolments_per_address,
      requests.spares_loopback);
  return text;
}

}  // namespace gauze::server
