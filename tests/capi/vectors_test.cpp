// The committed vectors of the encoder, replayed with the room as the library calls it. A vector that no longer comes out is a change of the
// format of tasks, ledgers or payloads: devices that are out there would disagree.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "gauze/base/testing/source_folder.h"
#include "gauze/encoder/gauze_encoder.h"
#include "gauze/encoder/task_block.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/base64.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"

namespace gauze {
namespace {

std::string text_of(const Json& object, std::string_view key) {
  const Json* member = object.find(key);
  return member != nullptr ? std::string(member->text()) : "";
}

std::string bytes_of(const Json& object, std::string_view key) {
  const std::string digits = text_of(object, key);
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

std::uint64_t number_of(const Json& object, std::string_view key) { return std::stoull(text_of(object, key)); }

struct GivenBytes {
  std::string bytes;
  std::size_t used = 0;

  static int draw(void* context, unsigned char* out, std::size_t size) {
    auto& self = *static_cast<GivenBytes*>(context);
    if (self.used + size > self.bytes.size()) return 1;
    std::memcpy(out, self.bytes.data() + self.used, size);
    self.used += size;
    return 0;
  }
};

class EncoderVectors : public testing::Test {
 protected:
  void SetUp() override {
    auto text = read_file(std::string(gauze_source_folder) + "/docs/formats/encoder-vectors.json");
    ASSERT_TRUE(text.has_value());
    auto read = read_json(*text);
    ASSERT_TRUE(read.has_value());
    file_ = std::move(*read);
    const std::string secret = bytes_of(file_, "secret");
    ASSERT_EQ(secret.size(), sizeof device_.secret);
    std::memcpy(device_.secret, secret.data(), secret.size());
    for (const Json& task : *file_.find("tasks")->elements()) {
      const std::string block = from_base64(text_of(task, "block")).value_or("");
      ASSERT_EQ(gauze_task_load(&tasks_[text_of(task, "name")], reinterpret_cast<const unsigned char*>(block.data()),
                                block.size()),
                GAUZE_OK)
          << text_of(task, "name");
    }
  }

  /// The task of a line; the device has consent to it, and draws the line's bytes.
  const gauze_task& prepare(const Json& line) {
    const gauze_task& task = tasks_.at(text_of(line, "task"));
    EXPECT_EQ(gauze_consent_grant(&device_.consent, &task, device_.secret, task.text_sha256[0],
                                  number_of(file_, "consent_time")),
              GAUZE_OK);
    random_ = {bytes_of(line, "random")};
    device_.random = GivenBytes::draw;
    device_.context = &random_;
    return task;
  }

  Json file_;
  std::map<std::string, gauze_task> tasks_;
  gauze_device device_ = {};
  GivenBytes random_;
};

TEST_F(EncoderVectors, TellWhatTasksCost) {
  for (const Json& line : *file_.find("tasks")->elements()) {
    const gauze_task& task = tasks_.at(text_of(line, "name"));
    std::uint64_t cost = 0;
    ASSERT_EQ(gauze_task_cost(&task, &cost, nullptr), GAUZE_OK);
    EXPECT_EQ(cost, number_of(line, "cost_nano"));
    EXPECT_EQ(gauze_payload_size(&task), number_of(line, "payload_bytes"));
    EXPECT_EQ(to_hex({reinterpret_cast<const char*>(task.hash), sizeof task.hash}), text_of(line, "hash"));
  }
}

/// The value of a vector; `text` lives as long as the value.
gauze_value value_of(const Json& given, const std::string& text) {
  if (given.is_null()) return {-1, 0, nullptr, 0};
  if (!text.empty()) return {2, 0, text.data(), text.size()};
  const int kind = given.find("number") != nullptr ? 1 : 0;
  return {kind, std::stoll(text_of(given, kind == 1 ? "number" : "category")), nullptr, 0};
}

TEST_F(EncoderVectors, GiveTheSameReports) {
  for (const Json& line : *file_.find("vectors")->elements()) {
    SCOPED_TRACE(text_of(line, "name"));
    const gauze_task& task = prepare(line);
    const Json& given = *line.find("value");
    const std::string text = text_of(given, "text");
    const gauze_value value = value_of(given, text);
    gauze_ledger ledger;
    const std::string before = bytes_of(line, "ledger_before");
    ASSERT_EQ(before.size(), sizeof ledger);
    std::memcpy(&ledger, before.data(), before.size());
    std::string payload(gauze_payload_size(&task), '\0');
    const int result = gauze_encode(&task, &device_, number_of(line, "time"), &value, given.is_null() ? 0 : 1,
                                    &ledger, nullptr, reinterpret_cast<unsigned char*>(payload.data()));
    EXPECT_EQ(std::to_string(result), text_of(line, "result"));
    const bool is_written = result == GAUZE_OK || result == GAUZE_E_RANDOM;
    EXPECT_EQ(is_written ? to_hex(payload) : "", text_of(line, "payload"));
    EXPECT_EQ(to_hex({reinterpret_cast<const char*>(&ledger), sizeof ledger}), text_of(line, "ledger_after"));
    EXPECT_EQ(random_.used, random_.bytes.size());
  }
}

TEST_F(EncoderVectors, GiveTheSameRecords) {
  std::map<std::string, int> results;
  for (const Json& line : *file_.find("records")->elements()) {
    SCOPED_TRACE(text_of(line, "name"));
    const gauze_task& task = prepare(line);
    std::vector<gauze_value> values;
    for (const Json& given : *line.find("values")->elements())
      values.push_back(value_of(given, text_of(given, "text")));
    for (gauze_value& value : values) value.text = nullptr;
    std::string record(gauze_payload_size(&task), '\0');
    const int result = gauze_encode(&task, &device_, number_of(line, "time"), values.data(), values.size(), nullptr,
                                    nullptr, reinterpret_cast<unsigned char*>(record.data()));
    EXPECT_EQ(std::to_string(result), text_of(line, "result"));
    const bool is_written = result == GAUZE_OK || result == GAUZE_E_RANDOM;
    EXPECT_EQ(is_written ? to_hex(record) : "", text_of(line, "record"));
    EXPECT_EQ(random_.used, random_.bytes.size());
    ++results[text_of(line, "result")];
  }
  EXPECT_GE(results["0"], 8);
  for (const char* refusal : {"-1", "-6"}) EXPECT_GE(results[refusal], 1) << refusal;
}

TEST_F(EncoderVectors, GiveTheSameBlocks) {
  for (const Json& line : *file_.find("blocks")->elements()) {
    const gauze_task& task = prepare(line);
    const std::string payloads = bytes_of(line, "payloads");
    std::string block(GAUZE_LARGEST_BLOCK, '\0');
    std::size_t size = block.size();
    ASSERT_EQ(
        gauze_block(&task, &device_, number_of(line, "time"), reinterpret_cast<const unsigned char*>(payloads.data()),
                    number_of(line, "count"), reinterpret_cast<unsigned char*>(block.data()), &size),
        GAUZE_OK);
    EXPECT_EQ(to_hex({block.data(), size}), text_of(line, "block"));
  }
}

TEST_F(EncoderVectors, KnowEveryMechanism) {
  std::map<int, std::map<std::string, int>> results;
  for (const Json& line : *file_.find("vectors")->elements())
    ++results[tasks_.at(text_of(line, "task")).mechanism][text_of(line, "result")];
  const std::set<int> all = {GAUZE_DE, GAUZE_SHE, GAUZE_THE,   GAUZE_SUE,       GAUZE_OUE,    GAUZE_BLH,    GAUZE_OLH,
                             GAUZE_HR, GAUZE_SS,  GAUZE_DUCHI, GAUZE_PIECEWISE, GAUZE_HYBRID, GAUZE_LAPLACE};
  for (const int mechanism : all) {
    EXPECT_GE(results[mechanism]["0"], 8) << mechanism;
    for (const char* refusal : {"-3", "-5", "-6"}) EXPECT_GE(results[mechanism][refusal], 1) << mechanism << refusal;
  }
  EXPECT_EQ(results.size(), all.size());
}

}  // namespace
}  // namespace gauze
