#include "gauze/server/config/development_ca.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

namespace gauze::server {
namespace {

using Key = std::shared_ptr<EVP_PKEY>;
using Certificate = std::shared_ptr<X509>;

constexpr long kDay = 86'400;

tl::unexpected<Error> failed() { return make_error(ErrorCode::internal, "OpenSSL cannot make a certificate"); }

Key new_key() { return {EVP_EC_gen("P-256"), EVP_PKEY_free}; }

template <class Write>
std::string to_pem(Write write) {
  const std::unique_ptr<BIO, int (*)(BIO*)> memory(BIO_new(BIO_s_mem()), BIO_free);
  if (!memory || write(memory.get()) != 1) return {};
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

bool add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  if (extension == nullptr) return false;
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

bool set_serial(X509* certificate) {
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof bytes) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7fU) | 1U);  // positive, and never shorter
  const std::unique_ptr<BIGNUM, void (*)(BIGNUM*)> number(BN_bin2bn(bytes, sizeof bytes, nullptr), BN_free);
  return number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

/// A certificate with everything but extensions and signature.
Certificate begin(const std::string& subject, EVP_PKEY* key, X509* issuer, long days) {
  Certificate made(X509_new(), X509_free);
  X509* raw = made.get();
  if (raw == nullptr) return nullptr;
  const auto* name = reinterpret_cast<const unsigned char*>(subject.c_str());
  const bool good =
      X509_set_version(raw, X509_VERSION_3) == 1 && set_serial(raw) &&
      X509_gmtime_adj(X509_getm_notBefore(raw), -3600) != nullptr &&
      X509_gmtime_adj(X509_getm_notAfter(raw), days * kDay) != nullptr && X509_set_pubkey(raw, key) == 1 &&
      X509_NAME_add_entry_by_txt(X509_get_subject_name(raw), "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1 &&
      X509_set_issuer_name(raw, X509_get_subject_name(issuer != nullptr ? issuer : raw)) == 1;
  return good ? made : nullptr;
}

std::string names_text(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    unsigned char address[16];
    const bool is_address =
        ::inet_pton(AF_INET, name.c_str(), address) == 1 || ::inet_pton(AF_INET6, name.c_str(), address) == 1;
    text += (text.empty() ? "" : ",") + std::string(is_address ? "IP:" : "DNS:") + name;
  }
  return text;
}

}  // namespace

Result<DevelopmentCa> DevelopmentCa::make(const std::string& name) {
  const Key key = new_key();
  if (!key) return failed();
  Certificate made = begin(name, key.get(), nullptr, 3'650);
  const bool good = made &&
                    add_extension(made.get(), made.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
                    add_extension(made.get(), made.get(), NID_key_usage, "critical,keyCertSign,cRLSign") &&
                    add_extension(made.get(), made.get(), NID_subject_key_identifier, "hash") &&
                    X509_sign(made.get(), key.get(), EVP_sha256()) > 0;
  if (!good) return failed();
  return DevelopmentCa(key, std::move(made));
}

std::string DevelopmentCa::certificate() const {
  return to_pem([this](BIO* out) { return PEM_write_bio_X509(out, certificate_.get()); });
}

Result<CertifiedKey> DevelopmentCa::certify(const std::string& subject, const std::vector<std::string>& names) const {
  for (const std::string& name : names)
    if (name.empty() || name.find_first_of(",:\n\r \t") != std::string::npos)
      if (unsigned char address[16]; ::inet_pton(AF_INET6, name.c_str(), address) != 1)
        return invalid_parameter("'{}' is no name of a host", name);
  const Key key = new_key();
  if (!key) return failed();
  const Certificate made = begin(subject, key.get(), certificate_.get(), 365);
  X509* issuer = certificate_.get();
  const bool good = made && add_extension(made.get(), issuer, NID_basic_constraints, "critical,CA:FALSE") &&
                    add_extension(made.get(), issuer, NID_key_usage, "critical,digitalSignature") &&
                    add_extension(made.get(), issuer, NID_ext_key_usage, "serverAuth") &&
                    add_extension(made.get(), issuer, NID_subject_key_identifier, "hash") &&
                    add_extension(made.get(), issuer, NID_authority_key_identifier, "keyid:always") &&
                    add_extension(made.get(), issuer, NID_subject_alt_name, names_text(names)) &&
                    X509_sign(made.get(), key_.get(), EVP_sha256()) > 0;
  if (!good) return failed();
  return CertifiedKey{.certificate = to_pem([&](BIO* out) { return PEM_write_bio_X509(out, made.get()); }),
                      .key = to_pem([&](BIO* out) {
                        return PEM_write_bio_PKCS8PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
                      })};
}

}  // namespace gauze::server
