#include "gauze/collect/encode/draw_reports.h"

#include <cstring>

#include "gauze/encoder/draw_report.h"

namespace gauze::collect {
namespace {

/// The encoder asks for a few bytes at a time: whole words are taken for them, and what is left of the last is dropped.
int bytes_of_words(void* context, unsigned char* out, std::size_t size) {
  auto& words = *static_cast<RandomWords*>(context);
  for (; size >= 8; size -= 8, out += 8) {
    const std::uint64_t word = words.next();
    std::memcpy(out, &word, 8);
  }
  if (size > 0) {
    const std::uint64_t word = words.next();
    std::memcpy(out, &word, size);
  }
  return 0;
}

void draw(const Task& task, RandomWords& words, std::span<const gauze_value> values, unsigned char* payloads) {
  const std::size_t bytes = task.payload_bytes();
  for (const gauze_value& value : values) {
    GAUZE_CHECK(gauze_draw_report(&task.loaded(), bytes_of_words, &words, &value, payloads) == GAUZE_OK);
    payloads += bytes;
  }
}

}  // namespace

void draw_reports(const Task& task, SecureRandom& random, std::span<const gauze_value> values,
                  unsigned char* payloads) {
  draw(task, random, values, payloads);
}

void simulate_reports(const Task& task, SeededRandom& random, std::span<const gauze_value> values,
                      unsigned char* payloads) {
  draw(task, random, values, payloads);
}

void write_records(const CentralTask& task, SecureRandom& random, std::span<const gauze_value> values,
                   unsigned char* payloads) {
  const std::size_t fields = task.spec().fields.size();
  for (std::size_t at = 0; at < values.size(); at += fields, payloads += task.payload_bytes())
    GAUZE_CHECK(gauze_write_record(&task.loaded(), bytes_of_words, &static_cast<RandomWords&>(random),
                                   values.data() + at, payloads) == GAUZE_OK);
}

int random_bytes_of_thread(void*, unsigned char* out, std::size_t size) {
  return bytes_of_words(&SecureRandom::of_thread(), out, size);
}

}  // namespace gauze::collect
