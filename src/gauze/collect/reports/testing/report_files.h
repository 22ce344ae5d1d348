#pragma once
// Tasks and report files for tests.

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "gauze/collect/count/count_direct.h"
#include "gauze/collect/count/count_hashes.h"
#include "gauze/collect/reports/aggregate.h"
#include "gauze/files/sha256.h"

namespace gauze::collect::testing {

inline TaskHash hash_of(unsigned char seed) {
  TaskHash hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] = static_cast<unsigned char>(seed + 7 * i);
  return hash;
}

/// Direct encoding over so many values.
inline ReportTask direct_task(std::uint32_t size) {
  return {.hash = hash_of(1),
          .shape = {.size = size, .payload_bytes = index_bytes(size)},
          .count = count_direct,
          .cells = size};
}

inline BlockHeader header_of(const ReportTask& task, std::uint64_t id, std::uint32_t period, std::uint32_t count) {
  BlockHeader header{.task = task.hash,
                     .period = period,
                     .payload_bytes = static_cast<std::uint16_t>(task.report_bytes()),
                     .count = count};
  std::memcpy(header.id.data(), &id, sizeof id);
  header.id[15] = 1;
  return header;
}

/// A block of random values of a direct task with one byte a value; `bad` of them are out of range.
inline std::string random_block(const ReportTask& task, std::mt19937_64& random, std::uint32_t period,
                                std::uint32_t count, std::uint32_t bad = 0) {
  std::string payloads;
  for (std::uint32_t i = 0; i < count; ++i) payloads += static_cast<char>(i < bad ? 255 : random() % task.shape.size);
  return encode_block(header_of(task, random(), period, count), payloads);
}

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : kLetters[bits >> (18 - 6 * k) & 63U];
  }
  return out;
}

inline std::string line_of(const ReportTask& task, std::uint32_t period, std::string_view payload) {
  const std::string_view hash(reinterpret_cast<const char*>(task.hash.data()), task.hash.size());
  return fmt::format(R"({{"task":"{}","period":{},"payload":"{}"}})", to_hex(hash), period, base64(payload)) + "\n";
}

}  // namespace gauze::collect::testing
