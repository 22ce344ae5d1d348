#include "gauze/anonymize/job/pseudonyms.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "gauze/files/atomic_file.h"

namespace gauze::anonymize {

namespace {

/// A new file that nobody but its owner can read at any moment.
Result<void> write_secret(const std::filesystem::path& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return make_error(ErrorCode::io, "cannot make the key file {}: {}", path.string(), std::strerror(errno));
  const bool written =
      ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(file) == 0;
  if (::close(file) != 0 || !written) {
    ::unlink(path.c_str());
    return make_error(ErrorCode::io, "cannot write the key file {}", path.string());
  }
  return {};
}

}  // namespace

Result<Pseudonyms> Pseudonyms::open(const std::filesystem::path& key_file) {
  std::error_code problem;
  if (!std::filesystem::exists(key_file, problem)) {
    GAUZE_TRY(CommitmentKey key, CommitmentKey::generate());
    GAUZE_TRY_VOID(write_secret(key_file, key.hex() + "\n"));
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

bool looks_like_pseudonym(std::string_view text) {
  constexpr std::size_t kDigits = 32;
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string Pseudonyms::of(std::string_view column, std::string_view value) const {
  Commitment code(*key_, fmt::format("pseudonym of {}", column));
  code.add(value);
  return code.finish().substr(0, 32);
}

}  // namespace gauze::anonymize
