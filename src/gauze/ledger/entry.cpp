#include "gauze/ledger/entry.h"

#include <sys/random.h>

#include <array>
#include <charconv>

#include "gauze/files/json.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"

namespace gauze {
namespace {

constexpr std::array<std::pair<EntryKind, std::string_view>, 8> kKinds = {{{EntryKind::create, "create"},
                                                                           {EntryKind::reserve, "reserve"},
                                                                           {EntryKind::commit, "commit"},
                                                                           {EntryKind::spend, "spend"},
                                                                           {EntryKind::share, "share"},
                                                                           {EntryKind::delegate, "delegate"},
                                                                           {EntryKind::declare, "declare"},
                                                                           {EntryKind::progress, "progress"}}};
constexpr std::array<Charge::Kind, 4> kChargeKinds = {Charge::Kind::epsilon, Charge::Kind::rho, Charge::Kind::mu,
                                                      Charge::Kind::rdp};

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kNonceBytes = 16;

Json limit_json(const InnerLimit& limit) {
  return Json::object({{"declared", limit.declared}, {"limit", limit.limit}});
}

void write_terms(Json& json, const DatasetTerms& terms) {
  json.set("unit", terms.unit);
  if (terms.neighbours) json.set("neighbours", to_string(*terms.neighbours));
  Json total = Json::object({{std::string(to_string(terms.total.currency())), terms.total.amount}});
  if (terms.total.delta > 0) total.set("delta", terms.total.delta);
  json.set("total", std::move(total));
  json.set("accountant", terms.accountant.name());
  json.set("capacity", Json::object({{"amount", terms.capacity.amount}, {"delta", terms.capacity.delta}}));
  if (terms.window_seconds > 0) {
    json.set("window", limit_json(terms.window).set("seconds", terms.window_seconds));
  }
  if (terms.max_per_query) json.set("max_per_query", limit_json(*terms.max_per_query));
  if (terms.max_delta_per_query) json.set("max_delta_per_query", *terms.max_delta_per_query);
  if (terms.max_queries) json.set("max_queries", *terms.max_queries);
}

Json charge_json(const Charge& charge) {
  Json json = Json::object({{std::string(to_string(charge.currency())), charge.amount}});
  if (charge.delta > 0) json.set("delta", charge.delta);
  return json;
}

void write_charge(Json& json, const Entry& entry) {
  json.set("analyst", entry.analyst);
  json.set("purpose", entry.purpose);
  if (!entry.is_of_format_1()) json.set("unit", entry.unit).set("neighbours", to_string(entry.neighbours));
  json.set("charge", charge_json(entry.charge));
  if (!entry.is_of_format_1()) json.set("charged", charge_json(entry.charged));
  json.set("cost", Json::object({{"amount", entry.cost.amount}, {"delta", entry.cost.delta}}));
  json.set("spent", Json::object({{"amount", entry.spent.amount}, {"delta", entry.spent.delta}}));
  if (!entry.is_of_format_1()) {
    json.set("queries", entry.queries);
    json.set("window", Json::object({{"index", entry.window_index}, {"spent", entry.window_spent}}));
  }
  if (entry.corrects) json.set("corrects", *entry.corrects);
  if (!entry.key_digest.empty()) json.set("key_digest", entry.key_digest);
  if (!entry.request.empty()) json.set("request", entry.request);
  if (!entry.request_digest.empty()) json.set("request_digest", entry.request_digest);
  if (entry.planned_steps != 0) json.set("planned_steps", entry.planned_steps);
}

void write_outcome(Json& json, const Entry& entry) {
  if (!entry.label_sha256.empty()) json.set("label_sha256", entry.label_sha256);
  if (!entry.output_sha256.empty()) json.set("output_sha256", entry.output_sha256);
  if (!entry.answer_sha256.empty()) json.set("answer_sha256", entry.answer_sha256);
}

/// Reads members leniently: what is missing or of another type is 0 or empty. Entry::parse compares what it has read
/// with the text, so that nothing odd passes.
std::int64_t whole(const Json* json, std::string_view key) {
  const Json* member = json == nullptr ? nullptr : json->find(key);
  std::int64_t value = 0;
  if (member == nullptr) return value;
  const std::string_view digits = member->text();
  const auto end = digits.data() + digits.size();
  if (const auto read = std::from_chars(digits.data(), end, value); read.ec != std::errc() || read.ptr != end)
    return 0;
  return value;
}

std::string text(const Json& json, std::string_view key) {
  const Json* member = json.find(key);
  return member == nullptr ? std::string() : std::string(member->text());
}

Cost read_cost(const Json* json) { return {.amount = whole(json, "amount"), .delta = whole(json, "delta")}; }

InnerLimit read_limit(const Json* json) {
  return {.declared = whole(json, "declared"), .limit = whole(json, "limit")};
}

Result<DatasetTerms> read_terms(const Json& json, const std::string& name) {
  DatasetTerms terms;
  terms.name = name;
  terms.unit = text(json, "unit");
  terms.neighbours = value_of(kNeighboursWords, text(json, "neighbours"));
  const Json* total = json.find("total");
  terms.total.kind = total != nullptr && total->find("rho") != nullptr ? Total::Kind::rho : Total::Kind::epsilon;
  terms.total.amount = whole(total, to_string(terms.total.currency()));
  terms.total.delta = whole(total, "delta");
  GAUZE_TRY(terms.accountant, PrivacyFilter::parse(text(json, "accountant")));
  terms.capacity = read_cost(json.find("capacity"));
  if (const Json* window = json.find("window")) {
    terms.window = read_limit(window);
    terms.window_seconds = whole(window, "seconds");
  }
  if (const Json* limit = json.find("max_per_query")) terms.max_per_query = read_limit(limit);
  if (json.find("max_delta_per_query") != nullptr) terms.max_delta_per_query = whole(&json, "max_delta_per_query");
  if (json.find("max_queries") != nullptr) terms.max_queries = whole(&json, "max_queries");
  return terms;
}

Charge read_amounts(const Json* json) {
  Charge charge;
  for (const Charge::Kind kind : kChargeKinds) {
    const Charge candidate{.kind = kind};
    if (json == nullptr || json->find(to_string(candidate.currency())) == nullptr) continue;
    charge.kind = kind;
    charge.amount = whole(json, to_string(candidate.currency()));
    charge.delta = whole(json, "delta");
  }
  return charge;
}

Neighbours read_neighbours(const Json& json) {
  return value_of(kNeighboursWords, text(json, "neighbours")).value_or(Neighbours::not_applicable);
}

void read_charge(const Json& json, Entry& entry) {
  entry.analyst = text(json, "analyst");
  entry.purpose = text(json, "purpose");
  entry.charge = read_amounts(json.find("charge"));
  entry.charged = entry.is_of_format_1() ? entry.charge : read_amounts(json.find("charged"));
  entry.unit = text(json, "unit");
  entry.neighbours = read_neighbours(json);
  entry.queries = whole(&json, "queries");
  entry.window_index = whole(json.find("window"), "index");
  entry.window_spent = whole(json.find("window"), "spent");
  entry.cost = read_cost(json.find("cost"));
  entry.spent = read_cost(json.find("spent"));
  if (json.find("corrects") != nullptr) entry.corrects = whole(&json, "corrects");
  entry.key_digest = text(json, "key_digest");
  entry.request = text(json, "request");
  entry.request_digest = text(json, "request_digest");
  entry.planned_steps = whole(&json, "planned_steps");
}

void read_outcome(const Json& json, Entry& entry) {
  entry.label_sha256 = text(json, "label_sha256");
  entry.output_sha256 = text(json, "output_sha256");
  entry.answer_sha256 = text(json, "answer_sha256");
}

Result<EntryKind> read_kind(const Json& json) {
  for (const auto& [kind, name] : kKinds) {
    if (text(json, "kind") == name) return kind;
  }
  return make_error(ErrorCode::bad_data, "it is of an unknown kind");
}

}  // namespace

std::string_view to_string(EntryKind kind) {
  for (const auto& [candidate, name] : kKinds) {
    if (candidate == kind) return name;
  }
  return "spend";
}

int Entry::format() const {
  if (kind == EntryKind::progress || planned_steps != 0) return 4;
  if (!request.empty() || !request_digest.empty() || !output_sha256.empty() || keeps_outcome()) return 3;
  const bool approximate = (charge.kind == Charge::Kind::rho && charge.delta > 0) ||
                           (terms && terms->total.kind == Total::Kind::rho && terms->total.delta > 0);
  if (approximate) return 3;
  return is_of_format_1() ? 1 : 2;
}

std::string Entry::canonical() const {
  Json json = Json::object({{"entry", number}, {"time", time}, {"kind", to_string(kind)}, {"dataset", dataset}});
  if (!nonce.empty()) json.set("nonce", nonce);
  switch (kind) {
    case EntryKind::create:
      write_terms(json, *terms);
      break;
    case EntryKind::reserve:
      write_charge(json, *this);
      break;
    case EntryKind::spend:
      write_charge(json, *this);
      write_outcome(json, *this);
      break;
    case EntryKind::commit:
      json.set("reservation", reservation);
      write_outcome(json, *this);
      break;
    case EntryKind::share:
      json.set("analyst", analyst);
      json.set("share", share);
      break;
    case EntryKind::delegate:
      json.set("analyst", analyst);
      json.set("receiver", receiver);
      json.set("share", share);
      break;
    case EntryKind::declare:
      json.set("neighbours", to_string(neighbours));
      break;
    case EntryKind::progress:
      json.set("reservation", reservation);
      json.set("steps", steps);
      break;
  }
  return json.dump();
}

Result<Entry> Entry::parse(std::string_view body) {
  GAUZE_TRY(const Json json, read_json(body));
  Entry entry;
  entry.number = whole(&json, "entry");
  entry.time = whole(&json, "time");
  GAUZE_TRY(entry.kind, read_kind(json));
  entry.dataset = text(json, "dataset");
  entry.nonce = text(json, "nonce");
  switch (entry.kind) {
    case EntryKind::create: {
      const auto terms = read_terms(json, entry.dataset);
      if (!terms) return make_error(ErrorCode::bad_data, "{}", terms.error().message);
      entry.terms = *terms;
      break;
    }
    case EntryKind::reserve:
      read_charge(json, entry);
      break;
    case EntryKind::spend:
      read_charge(json, entry);
      read_outcome(json, entry);
      break;
    case EntryKind::commit:
      entry.reservation = whole(&json, "reservation");
      read_outcome(json, entry);
      break;
    case EntryKind::share:
    case EntryKind::delegate:
      entry.analyst = text(json, "analyst");
      entry.share = whole(&json, "share");
      entry.receiver = text(json, "receiver");
      break;
    case EntryKind::declare:
      entry.neighbours = read_neighbours(json);
      break;
    case EntryKind::progress:
      entry.reservation = whole(&json, "reservation");
      entry.steps = whole(&json, "steps");
      break;
  }
  if (entry.canonical() != body) {
    return make_error(ErrorCode::bad_data, "it is not in the form that Gauze writes");
  }
  return entry;
}

Result<std::string> make_nonce() {
  std::array<unsigned char, kNonceBytes> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return make_error(ErrorCode::internal, "the operating system gave no random bytes for an entry of the ledger");
  }
  return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

bool is_nonce(std::string_view text) {
  return text.size() == 2 * kNonceBytes && text.find_first_not_of(kDigits) == std::string_view::npos;
}

const std::string& genesis_hash() {
  static const std::string kZeros(64, '0');
  return kZeros;
}

std::string chain_hash(std::string_view previous, std::string_view body) {
  std::string bytes = "gauze-ledger-entry-1\n";
  bytes += previous;
  bytes += '\n';
  bytes += body;
  return sha256_hex(bytes);
}

bool is_hash(std::string_view text) { return is_digest(text); }

std::string digest_of_key(std::string_view key_hex) {
  return sha256_hex("gauze-commitment-key-1\n" + std::string(key_hex));
}

}  // namespace gauze
