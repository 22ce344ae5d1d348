#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "gauze/base/error.h"

struct ssl_ctx_st;

namespace gauze::server {

/// What one listener shows to its clients: its certificate, and how it speaks.
///
/// TLS 1.2 and 1.3, ciphers with forward secrecy and authentication in one; no renegotiation, no compression. Tickets are sealed under keys
/// that live in memory alone, change every six hours and are gone after twelve.
class TlsSettings {
 public:
  /// `io` when a file cannot be read, `bad_data` when it holds no certificate, or no key that belongs to it.
  [[nodiscard]] static Result<TlsSettings> make(const std::filesystem::path& certificate,
                                                const std::filesystem::path& key);

  [[nodiscard]] ssl_ctx_st* context() const { return context_.get(); }

 private:
  explicit TlsSettings(std::shared_ptr<ssl_ctx_st> context) : context_(std::move(context)) {}
  std::shared_ptr<ssl_ctx_st> context_;
};

}  // namespace gauze::server
