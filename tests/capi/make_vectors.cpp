// make_encoder_vectors: prints docs/formats/encoder-vectors.json. Run by hand when a mechanism joins: a line that changes is a change of
// the format, and of every device that is out there. The "random" bytes come from a small generator, so that the same file comes out again.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>

#include "gauze/collect/reports/crc32c.h"
#include "gauze/collect/task/central_task.h"
#include "gauze/collect/task/task.h"
#include "gauze/encoder/task_block.h"
#include "gauze/files/base64.h"
#include "gauze/files/sha256.h"

namespace gauze::collect {
namespace {

constexpr std::uint64_t kTime = 1'800'000'000;
constexpr std::uint64_t kConsentTime = 1'799'000'000;
constexpr std::uint64_t kDay = 86'400;
constexpr std::int64_t kWide = std::int64_t{1} << 40;

template <class T>
T or_abort(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::abort();
}

/// Bytes by SplitMix64 from a name, kept as they were asked for; after `most` of them there are no more.
struct RecordedBytes {
  explicit RecordedBytes(std::string_view name, std::size_t limit = SIZE_MAX) : most(limit) {
    for (const char letter : name) state = (state ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }
  static int draw(void* context, unsigned char* out, std::size_t size) {
    auto& self = *static_cast<RecordedBytes*>(context);
    if (self.bytes.size() + size > self.most) return 1;
    for (std::size_t i = 0; i < size; ++i) {
      std::uint64_t word = self.state += 0x9e3779b97f4a7c15;
      word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
      word = (word ^ word >> 27) * 0x94d049bb133111eb;
      out[i] = static_cast<unsigned char>(word >> 56);
      self.bytes.push_back(static_cast<char>(out[i]));
    }
    return 0;
  }
  std::uint64_t state = 0xcbf29ce484222325;
  std::size_t most;
  std::string bytes;
};

template <class Bytes>
std::string hex_of(const Bytes& bytes) {
  return to_hex({reinterpret_cast<const char*>(&bytes), sizeof bytes});
}

struct NamedTask {
  std::string name;
  std::string block;
  gauze_task task = {};
};

/// A task whose block was changed at one place, with its checksum made anew.
NamedTask with_claim(const NamedTask& from, std::string name, std::uint64_t nano) {
  NamedTask changed = {std::move(name), from.block, {}};
  const auto put = [&](std::size_t at, std::uint64_t number, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) changed.block[at + i] = static_cast<char>(number >> (8 * i) & 0xff);
  };
  put(GAUZE_TASK_AT_CLAIMED, nano, 8);
  const auto* bytes = reinterpret_cast<const unsigned char*>(changed.block.data());
  put(GAUZE_TASK_AT_CHECKSUM, crc32c({bytes, GAUZE_TASK_AT_CHECKSUM}), 4);
  if (gauze_task_load(&changed.task, bytes, changed.block.size()) != GAUZE_OK) std::abort();
  return changed;
}

NamedTask named(const TaskSpec& spec) {
  const Task task = or_abort(Task::make(spec));
  return {spec.name, task.block(), task.loaded()};
}

class Vectors {
 public:
  Vectors() {
    for (std::size_t i = 0; i < sizeof device_.secret; ++i) device_.secret[i] = static_cast<unsigned char>(i);
  }

  void add(const NamedTask& task) {
    tasks_.push_back(fmt::format(R"({{"name":"{}","block":"{}","hash":"{}","cost_nano":"{}","payload_bytes":{}}})",
                                 task.name, to_base64(task.block), hex_of(task.task.hash), task.task.cost_nano,
                                 gauze_payload_size(&task.task)));
  }

  struct Case {
    std::string value;  ///< as JSON
    std::optional<gauze_value> given;
    std::uint64_t window_nano = GAUZE_NO_LIMIT;
    std::uint64_t lifetime_nano = GAUZE_NO_LIMIT;
    std::size_t random_bytes = SIZE_MAX;
  };
  /// The payload, for whoever wants another.
  std::string add(const NamedTask& task, std::string_view what, const Case& made, std::string_view salt = "",
                  const std::function<bool(const std::string&)>& is_wanted = {}) {
    const std::string name = fmt::format("{}: {}", task.name, what);
    RecordedBytes random(fmt::format("{}{}", name, salt), made.random_bytes);
    grant(task, random);
    gauze_ledger before, after;
    gauze_ledger_init(&before, 30 * kDay, made.window_nano, made.lifetime_nano);
    after = before;
    std::string payload(gauze_payload_size(&task.task), '\0');
    const gauze_value* value = made.given ? &*made.given : nullptr;
    const int result = gauze_encode(&task.task, &device_, kTime, value, value != nullptr ? 1 : 0, &after, nullptr,
                                    reinterpret_cast<unsigned char*>(payload.data()));
    if (is_wanted && !is_wanted(payload)) return add(task, what, made, fmt::format("{}+", salt), is_wanted);
    if (result != GAUZE_OK && result != GAUZE_E_RANDOM) payload.clear();
    vectors_.push_back(
        fmt::format(R"({{"name":"{}","task":"{}","value":{},"time":"{}","random":"{}","result":{},"payload":"{}",)"
                    R"("ledger_before":"{}","ledger_after":"{}"}})",
                    name, task.name, made.value, kTime, to_hex(random.bytes), result, to_hex(payload), hex_of(before),
                    hex_of(after)));
    return payload;
  }

  /// A record of a central task: no ledger takes part.
  std::string add_record(const NamedTask& task, std::string_view what, const std::vector<Case>& values,
                         std::size_t random_bytes = SIZE_MAX) {
    const std::string name = fmt::format("{}: {}", task.name, what);
    RecordedBytes random(name, random_bytes);
    grant(task, random);
    std::vector<gauze_value> given;
    std::string written;
    for (const Case& value : values) {
      given.push_back(value.given.value_or(gauze_value{-1, 0, nullptr, 0}));
      written += (written.empty() ? "" : ",") + value.value;
    }
    std::string payload(gauze_payload_size(&task.task), '\0');
    const int result = gauze_encode(&task.task, &device_, kTime, given.data(), given.size(), nullptr, nullptr,
                                    reinterpret_cast<unsigned char*>(payload.data()));
    if (result != GAUZE_OK && result != GAUZE_E_RANDOM) payload.clear();
    records_.push_back(fmt::format(
        R"({{"name":"{}","task":"{}","values":[{}],"time":"{}","random":"{}","result":{},"record":"{}"}})", name,
        task.name, written, kTime, to_hex(random.bytes), result, to_hex(payload)));
    return payload;
  }

  void add_block(const NamedTask& task, std::size_t count, const std::string& payloads, std::uint64_t time) {
    RecordedBytes random(fmt::format("block of {} {}", task.name, count));
    grant(task, random);
    std::string out(GAUZE_LARGEST_BLOCK, '\0');
    std::size_t size = out.size();
    if (gauze_block(&task.task, &device_, time, reinterpret_cast<const unsigned char*>(payloads.data()), count,
                    reinterpret_cast<unsigned char*>(out.data()), &size) != GAUZE_OK)
      std::abort();
    out.resize(size);
    blocks_.push_back(
        fmt::format(R"({{"task":"{}","time":"{}","count":{},"payloads":"{}","random":"{}","block":"{}"}})", task.name,
                    time, count, to_hex(payloads), to_hex(random.bytes), to_hex(out)));
  }

  void print() const {
    std::printf("{\"format\":\"gauze-encoder-vectors\",\"version\":1,\n\"secret\":\"%s\",\"consent_time\":\"%s\",\n",
                hex_of(device_.secret).c_str(), std::to_string(kConsentTime).c_str());
    print("tasks", tasks_, ",");
    print("vectors", vectors_, ",");
    print("records", records_, ",");
    print("blocks", blocks_, "");
    std::printf("}\n");
  }

 private:
  void grant(const NamedTask& task, RecordedBytes& random) {
    if (gauze_consent_grant(&device_.consent, &task.task, device_.secret, task.task.text_sha256[0], kConsentTime) !=
        GAUZE_OK)
      std::abort();
    device_.random = RecordedBytes::draw;
    device_.context = &random;
  }
  static void print(const char* name, const std::vector<std::string>& lines, const char* end) {
    std::printf("\"%s\":[\n", name);
    for (std::size_t i = 0; i < lines.size(); ++i)
      std::printf("%s%s\n", lines[i].c_str(), i + 1 < lines.size() ? "," : "");
    std::printf("]%s\n", end);
  }

  gauze_device device_ = {};
  std::vector<std::string> tasks_, vectors_, records_, blocks_;
};

Vectors::Case category(std::int64_t number) {
  return {fmt::format(R"({{"category":"{}"}})", number), gauze_value{0, number, nullptr, 0}};
}
Vectors::Case number(std::int64_t number) {
  return {fmt::format(R"({{"number":"{}"}})", number), gauze_value{1, number, nullptr, 0}};
}
Vectors::Case text() { return {R"({"text":"abc"})", gauze_value{2, 0, "abc", 3}}; }
Vectors::Case missing() { return {"null", std::nullopt}; }

/// A law that costs what its task claims, one that costs 1e-9 more, and what the ledger lets through.
void add_edges(Vectors& vectors, const NamedTask& plain, const Vectors::Case& value) {
  const std::uint64_t cost = plain.task.cost_nano;
  const NamedTask exact = with_claim(plain, plain.name + "-exact", cost);
  const NamedTask above = with_claim(plain, plain.name + "-above", cost - 1);
  vectors.add(exact);
  vectors.add(above);
  vectors.add(exact, "costs what it claims", value);
  vectors.add(above, "costs more than it claims", value);
  Vectors::Case limited = value;
  limited.window_nano = limited.lifetime_nano = cost;
  vectors.add(plain, "exactly what is left", limited);
  limited.lifetime_nano = cost - 1;
  vectors.add(plain, "more than is left", limited);
  Vectors::Case unlucky = value;
  unlucky.random_bytes = 0;
  vectors.add(plain, "no random bytes", unlucky);
}

void add_frequency(Vectors& vectors, const LocalMechanism& mechanism) {
  const std::string name(mechanism.name);
  TaskSpec spec;
  spec.mechanism = name;
  spec.name = name;
  spec.epsilon_nano = 1'000'000'000;
  spec.values = or_abort(ValueList::numbered(5));
  const NamedTask plain = named(spec);
  spec.name = name + "-other";
  spec.values = or_abort(ValueList::listed({"a", "b", "c", "other"}));
  spec.other = true;
  const NamedTask other = named(spec);
  spec.name = name + "-large";
  spec.other = false;
  spec.epsilon_nano = 3'000'000'000;
  spec.values = or_abort(ValueList::numbered(name == "she" ? 24 : 300));
  const NamedTask large = named(spec);
  for (const NamedTask* task : {&plain, &other, &large}) vectors.add(*task);

  std::string payloads = vectors.add(plain, "the first value", category(0));
  payloads += vectors.add(plain, "the last value", category(4));
  payloads += vectors.add(plain, "one beyond the last", category(5));
  vectors.add(plain, "a negative category", category(-1));
  vectors.add(plain, "the largest number", category(INT64_MAX));
  vectors.add(plain, "missing", missing());
  vectors.add(plain, "a number in place of a category", number(2));
  vectors.add(plain, "a text in place of a category", text());
  vectors.add(other, "a listed value", category(1));
  vectors.add(other, "out of the domain is other", category(77));
  vectors.add(other, "missing is other", missing());
  vectors.add(large, "a value in the middle", category(17));
  add_edges(vectors, plain, category(3));
  vectors.add_block(plain, 3, payloads, kTime);
}

void add_mean(Vectors& vectors, const LocalMechanism& mechanism) {
  const std::string name(mechanism.name);
  TaskSpec spec;
  spec.mechanism = name;
  spec.name = name;
  spec.question = Question::mean;
  spec.epsilon_nano = 1'000'000'000;
  spec.number = {-20, 45, 0};
  const NamedTask plain = named(spec);
  spec.name = name + "-variance";
  spec.variance = true;
  const NamedTask variance = named(spec);
  spec.name = name + "-wide";
  spec.variance = false;
  spec.epsilon_nano = 5'000'000'000;
  spec.number = {-kWide, 3 * kWide, 0};
  const NamedTask wide = named(spec);
  for (const NamedTask* task : {&plain, &variance, &wide}) vectors.add(*task);

  std::string payloads = vectors.add(plain, "the low end", number(-20));
  payloads += vectors.add(plain, "the high end", number(45));
  vectors.add(plain, "in between", number(7));
  vectors.add(plain, "clamped from below", number(INT64_MIN));
  vectors.add(plain, "clamped from above", number(46));
  vectors.add(plain, "missing", missing());
  vectors.add(plain, "a category in place of a number", category(3));
  vectors.add(plain, "a text in place of a number", text());
  vectors.add(variance, "the number itself", number(30), "", [](const std::string& made) { return made[0] == 0; });
  vectors.add(variance, "its square", number(30), "", [](const std::string& made) { return made[0] == 1; });
  vectors.add(variance, "missing", missing());
  vectors.add(wide, "a large number", number(kWide + 12'345));
  add_edges(vectors, plain, number(11));
  vectors.add_block(plain, 2, payloads, kTime + 3 * kDay);
}

RecordField number_field(std::string name, std::int64_t low, std::int64_t high) {
  return {.name = std::move(name), .values = {}, .other = false, .number = {low, high, 0}};
}

NamedTask named(CentralSpec spec, std::string name) {
  spec.name = std::move(name);
  spec.epsilon_nano = 1'000'000'000;
  const CentralTask task = or_abort(CentralTask::make(spec));
  return {task.spec().name, task.block(), task.loaded()};
}

void add_central(Vectors& vectors) {
  CentralSpec spec;
  spec.fields = {number_field("age", 0, 120),
                 {.name = "city", .values = or_abort(ValueList::listed({"a", "b", "c", "other"})), .other = true},
                 {.name = "sex", .values = or_abort(ValueList::listed({"f", "m"}))},
                 number_field("balance", -500, -100),
                 {.name = "street", .values = or_abort(ValueList::numbered(300))}};
  const NamedTask plain = named(spec, "central");
  spec.fields.clear();
  for (int i = 0; i < GAUZE_MOST_FIELDS; ++i)
    spec.fields.push_back(number_field(fmt::format("n{}", i), -kWide, kWide + i));
  const NamedTask many = named(spec, "central-many");
  for (const NamedTask* task : {&plain, &many}) vectors.add(*task);

  using Values = std::vector<Vectors::Case>;
  std::string payloads =
      vectors.add_record(plain, "inside", {number(37), category(2), category(1), number(-123), category(256)});
  payloads +=
      vectors.add_record(plain, "the low ends", {number(0), category(0), category(0), number(-500), category(0)});
  vectors.add_record(plain, "the high ends", {number(120), category(3), category(1), number(-100), category(299)});
  vectors.add_record(plain, "clamped from below",
                     {number(-1), category(0), category(0), number(INT64_MIN), category(0)});
  vectors.add_record(plain, "clamped from above",
                     {number(INT64_MAX), category(0), category(0), number(0), category(0)});
  vectors.add_record(plain, "out of the domains", {number(5), category(4), category(2), number(-200), category(300)});
  vectors.add_record(plain, "negative categories",
                     {number(5), category(-1), category(INT64_MIN), number(-200), category(-1)});
  vectors.add_record(plain, "of other kinds", {category(5), number(1), number(1), category(-200), text()});
  vectors.add_record(plain, "missing", Values(5, missing()));
  vectors.add_record(plain, "a value too few", Values(4, number(1)));
  vectors.add_record(plain, "a value too many", Values(6, number(1)));
  vectors.add_record(plain, "no random bytes", Values(5, missing()), 0);
  vectors.add_record(many, "sixteen numbers", Values(16, number(-kWide + 77)));
  vectors.add_record(many, "without random bytes there are none to ask for", Values(16, missing()), 0);
  vectors.add_block(plain, 2, payloads, kTime + 3 * kDay);
}

}  // namespace
}  // namespace gauze::collect

int main() {
  using namespace gauze::collect;
  Vectors vectors;
  for (const LocalMechanism* mechanism : local_mechanisms())
    mechanism->question == Question::frequency ? add_frequency(vectors, *mechanism) : add_mean(vectors, *mechanism);
  add_central(vectors);
  vectors.print();
}
