#include "gauze/server/config/curator_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "gauze/files/atomic_file.h"
#include "gauze/files/testing/folder.h"

namespace gauze::server {
namespace curator_folder_test {

using gauze::Folder;

/// Whether a certificate is one for that name or address.
bool is_for(const std::filesystem::path& certificate, const std::string& name) {
  const std::string pem = *read_file(certificate);
  const std::unique_ptr<BIO, int (*)(BIO*)> memory(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                                   BIO_free);
  const std::unique_ptr<X509, void (*)(X509*)> read(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr),
                                                    X509_free);
  return X509_check_ip_asc(read.get(), name.c_str(), 0) == 1 ||
         X509_check_host(read.get(), name.c_str(), 0, 0, nullptr) == 1;
}

TEST(CuratorFolder, OfAHostListensWhereItsCertificatesAreFor) {
  const Folder folder;
  for (const std::string host : {"127.0.0.1", "localhost", "127.0.0.2", "::1"}) {
    const auto made = make_curator_folder({.folder = folder.path() / host, .host = host});
    ASSERT_TRUE(made) << made.error().message;
    const auto config = read_curator_config(made->config);
    ASSERT_TRUE(config) << "what was made can be read: " << config.error().message;
    for (const ListenerPlace& place : {config->device, config->analyst, config->admin})
      for (const std::string& name : {host, place.address, std::string("localhost"), std::string("127.0.0.1")})
        EXPECT_TRUE(is_for(place.certificate, name)) << host << " " << name;
  }
}

TEST(CuratorFolder, IsNotMadeForAHostThatIsNowhere) {
  const Folder folder;
  const auto made = make_curator_folder({.folder = folder.path() / "c", .host = "nowhere.invalid"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::invalid_parameter);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "it appears whole or not at all";
}

}  // namespace curator_folder_test
}  // namespace gauze::server
