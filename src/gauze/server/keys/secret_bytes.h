#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace gauze::server {

/// Bytes that must not be found elsewhere: on pages of their own, kept out of core dumps and, as far as the limits of the process allow,
/// out of swap; wiped when done with. Never copied by accident.
class SecretBytes {
 public:
  SecretBytes() = default;
  /// So many zeros, to be filled.
  explicit SecretBytes(std::size_t size);
  [[nodiscard]] static SecretBytes copy_of(std::span<const unsigned char> bytes);
  [[nodiscard]] static SecretBytes copy_of(std::string_view bytes);
  /// Of the kernel's generator.
  [[nodiscard]] static SecretBytes random(std::size_t size);

  SecretBytes(SecretBytes&& other) noexcept;
  SecretBytes& operator=(SecretBytes&& other) noexcept;
  ~SecretBytes();
  [[nodiscard]] SecretBytes clone() const { return copy_of(bytes()); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool is_empty() const { return size_ == 0; }
  [[nodiscard]] std::span<const unsigned char> bytes() const { return {data_, size_}; }
  [[nodiscard]] std::span<unsigned char> writable() { return {data_, size_}; }
  [[nodiscard]] std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }
  /// In a time that depends on the sizes alone.
  [[nodiscard]] bool equals(const SecretBytes& other) const;

 private:
  void release();

  unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gauze::server
