// MD5 (RFC 1321) of short texts, four at a time. For fair choices, not for secrets.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "gauze/engines/duckdb/internal/own_functions.h"

namespace gauze::engines {
namespace {

constexpr std::size_t kLanes = 4;
using Four = std::uint32_t __attribute__((vector_size(16)));

/// floor(2^32 |sin(i + 1)|)
constexpr std::array<std::uint32_t, 64> kSines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
constexpr std::array<std::array<unsigned, 4>, 4> kTurns = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

/// One block of 64 bytes; of one text, or of four beside each other.
template <class Word>
void add_block(std::array<Word, 4>& state, const std::array<Word, 16>& block) {
  Word a = state[0];
  Word b = state[1];
  Word c = state[2];
  Word d = state[3];
  const auto step = [&](unsigned i, const Word& mixed, unsigned word) {
    const Word sum = a + mixed + block[word] + kSines[i];
    const unsigned turn = kTurns[i / 16][i % 4];
    a = d;
    d = c;
    c = b;
    b += (sum << turn) | (sum >> (32 - turn));
  };
  for (unsigned i = 0; i < 16; ++i) step(i, (b & c) | (~b & d), i);
  for (unsigned i = 16; i < 32; ++i) step(i, (d & b) | (~d & c), (5 * i + 1) % 16);
  for (unsigned i = 32; i < 48; ++i) step(i, b ^ c ^ d, (3 * i + 5) % 16);
  for (unsigned i = 48; i < 64; ++i) step(i, c ^ (b | ~d), (7 * i) % 16);
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

template <class Word>
std::array<Word, 4> beginning() {
  return {Word{} + 0x67452301U, Word{} + 0xefcdab89U, Word{} + 0x98badcfeU, Word{} + 0x10325476U};
}

std::uint32_t word_at(const char* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  static_assert(std::endian::native == std::endian::little);
  return word;
}

/// The first 64 bits of a digest, the first byte the highest.
std::uint64_t head(std::uint32_t first, std::uint32_t second) {
  return std::uint64_t{__builtin_bswap32(first)} << 32 | __builtin_bswap32(second);
}

/// A text with what MD5 puts after it: whole blocks.
class Padded {
 public:
  void begin() { text_.clear(); }
  void add(std::string_view part) { text_ += part; }
  void end() {
    const std::uint64_t bits = std::uint64_t{text_.size()} * 8;
    text_ += '\x80';
    text_.append((120 - text_.size() % 64) % 64, '\0');
    text_.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  }
  [[nodiscard]] std::size_t blocks() const { return text_.size() / 64; }
  [[nodiscard]] std::uint32_t word(std::size_t block, std::size_t place) const {
    return word_at(text_.data() + block * 64 + place * 4);
  }

 private:
  std::string text_;
};

std::uint64_t digest_of(const Padded& text) {
  auto state = beginning<std::uint32_t>();
  std::array<std::uint32_t, 16> block{};
  for (std::size_t i = 0; i < text.blocks(); ++i) {
    for (std::size_t place = 0; place < block.size(); ++place) block[place] = text.word(i, place);
    add_block(state, block);
  }
  return head(state[0], state[1]);
}

/// Of texts with as many blocks each.
void digests_of(const std::array<Padded, kLanes>& texts, std::uint64_t* digests) {
  auto state = beginning<Four>();
  std::array<Four, 16> block{};
  for (std::size_t i = 0; i < texts[0].blocks(); ++i) {
    for (std::size_t place = 0; place < block.size(); ++place)
      block[place] =
          Four{texts[0].word(i, place), texts[1].word(i, place), texts[2].word(i, place), texts[3].word(i, place)};
    add_block(state, block);
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) digests[lane] = head(state[0][lane], state[1][lane]);
}

/// md5_order(text VARCHAR, ...) -> UBIGINT, as SqlDialect::md5_order() says it.
void order_chunk(duckdb_function_info /*info*/, duckdb_data_chunk input, duckdb_vector output) {
  const DuckDbLibrary& library = duckdb();
  const std::size_t rows = library.data_chunk_get_size(input);
  std::vector<TextVector> parts;
  for (std::size_t i = 0; i < library.data_chunk_get_column_count(input); ++i)
    parts.emplace_back(library.data_chunk_get_vector(input, i));
  auto* const digests = static_cast<std::uint64_t*>(library.vector_get_data(output));
  std::array<Padded, kLanes> texts;
  for (std::size_t first = 0; first < rows; first += kLanes) {
    const std::size_t lanes = std::min(kLanes, rows - first);
    bool alike = lanes == kLanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      texts[lane].begin();
      for (const TextVector& part : parts) texts[lane].add(part[first + lane]);
      texts[lane].end();
      alike = alike && texts[lane].blocks() == texts[0].blocks();
    }
    if (alike)
      digests_of(texts, digests + first);
    else
      for (std::size_t lane = 0; lane < lanes; ++lane) digests[first + lane] = digest_of(texts[lane]);
  }
}

}  // namespace

Result<void> register_md5_order(const Connection& connection) {
  const DuckDbLibrary& library = duckdb();
  duckdb_logical_type text = library.create_logical_type(DUCKDB_TYPE_VARCHAR);
  duckdb_logical_type number = library.create_logical_type(DUCKDB_TYPE_UBIGINT);
  duckdb_scalar_function function = library.create_scalar_function();
  library.scalar_function_set_name(function, kMd5Order);
  library.scalar_function_set_varargs(function, text);
  library.scalar_function_set_special_handling(function);  // NULL is the empty text
  library.scalar_function_set_return_type(function, number);
  library.scalar_function_set_function(function, order_chunk);
  const auto state = library.register_scalar_function(connection.get(), function);
  library.destroy_scalar_function(&function);
  for (auto* type : {&text, &number}) library.destroy_logical_type(type);
  if (state != DuckDBSuccess) return make_error(ErrorCode::internal, "DuckDB does not take a function");
  return {};
}

}  // namespace gauze::engines
