#include "gauze/anonymize/job/pseudonyms.h"

#include <fmt/format.h>

#include <system_error>

#include "gauze/base/atomic_file.h"

namespace gauze::anonymize {

Result<Pseudonyms> Pseudonyms::open(const std::filesystem::path& key_file) {
  std::error_code problem;
  if (!std::filesystem::exists(key_file, problem)) {
    GAUZE_TRY(CommitmentKey key, CommitmentKey::generate());
    GAUZE_TRY_VOID(write_file(key_file, key.hex() + "\n"));
    std::filesystem::permissions(key_file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write,
                                 problem);
    if (problem) return make_error(ErrorCode::io, "cannot make {} readable for its owner alone", key_file.string());
    return Pseudonyms(std::move(key), true);
  }
  GAUZE_TRY(std::string digits, read_file(key_file, 4096));
  while (!digits.empty() && (digits.back() == '\n' || digits.back() == '\r')) digits.pop_back();
  auto key = CommitmentKey::from_hex(digits);
  if (!key)
    return make_error(ErrorCode::bad_data, "{} is no key of pseudonyms: it must hold 64 hexadecimal digits",
                      key_file.string());
  return Pseudonyms(*std::move(key), false);
}

std::string Pseudonyms::of(std::string_view column, std::string_view value) const {
  Commitment code(*key_, fmt::format("pseudonym of {}", column));
  code.add(value);
  return code.finish().substr(0, 32);
}

}  // namespace gauze::anonymize
