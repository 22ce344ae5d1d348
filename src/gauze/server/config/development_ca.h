#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gauze/base/error.h"

struct evp_pkey_st;
struct x509_st;

namespace gauze::server {

/// A certificate and its private key, in PEM.
struct CertifiedKey {
  std::string certificate;
  std::string key;
};

/// A certificate authority of one's own, for trying things out: P-256, ten years; its certificates last a year. Its private key is never
/// written: what was certified is all it will ever certify.
class DevelopmentCa {
 public:
  [[nodiscard]] static Result<DevelopmentCa> make(const std::string& name);

  /// In PEM: what clients are given to trust.
  [[nodiscard]] std::string certificate() const;
  /// For a server under these names: host names or addresses.
  [[nodiscard]] Result<CertifiedKey> certify(const std::string& subject, const std::vector<std::string>& names) const;

 private:
  using Key = std::shared_ptr<evp_pkey_st>;
  using Certificate = std::shared_ptr<x509_st>;
  DevelopmentCa(Key key, Certificate certificate) : key_(std::move(key)), certificate_(std::move(certificate)) {}
  Key key_;
  Certificate certificate_;
};

}  // namespace gauze::server
