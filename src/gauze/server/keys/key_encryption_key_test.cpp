#include "gauze/server/keys/key_encryption_key.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "gauze/files/sha256.h"
#include "gauze/files/testing/folder.h"

namespace gauze::server {
namespace key_encryption_key_test {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kDigits = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

std::string hex_of(const Result<KeyEncryptionKey>& key) {
  EXPECT_TRUE(key) << key.error().message;
  return key ? to_hex(key->key({})->text()) : "";
}

std::string secret_file(const Folder& folder, const std::string& name, const std::string& content) {
  std::string path = folder.write(name, content);
  ::chmod(path.c_str(), 0600);
  return path;
}

TEST(KeyEncryptionKey, IsReadFromAFileOfItsOwnerAlone) {
  const Folder folder;
  const std::string path = secret_file(folder, "kek", kDigits + "\n");
  EXPECT_EQ(hex_of(KeyEncryptionKey::from_file(path)), kDigits);
  for (const mode_t open : {0640, 0604, 0620, 0666}) {
    ::chmod(path.c_str(), open);
    const auto key = KeyEncryptionKey::from_file(path);
    ASSERT_FALSE(key) << open;
    EXPECT_EQ(key.error().code, ErrorCode::not_authorised);
    EXPECT_THAT(key.error().message, HasSubstr("chmod 600"));
  }
  ::chmod(path.c_str(), 0400);
  EXPECT_TRUE(KeyEncryptionKey::from_file(path));
  EXPECT_EQ(KeyEncryptionKey::from_file(folder / "none").error().code, ErrorCode::io);
}

TEST(KeyEncryptionKey, IsThirtyTwoBytesOrTheirDigitsAndNothingElse) {
  const Folder folder;
  EXPECT_EQ(hex_of(KeyEncryptionKey::from_file(secret_file(folder, "plain", std::string(32, '\x11')))),
            std::string(64, '1'));
  EXPECT_EQ(hex_of(KeyEncryptionKey::from_file(secret_file(folder, "digits", kDigits))), kDigits);
  for (const std::string& wrong :
       {std::string(), kDigits.substr(1), kDigits + "0", kDigits.substr(1) + "x", std::string(500, '0')}) {
    const auto key = KeyEncryptionKey::from_file(secret_file(folder, "wrong", wrong));
    ASSERT_FALSE(key) << wrong.size();
    EXPECT_EQ(key.error().code, ErrorCode::bad_data);
    EXPECT_THAT(key.error().message, Not(HasSubstr(kDigits.substr(4, 8))));
  }
}

TEST(KeyEncryptionKey, ANewFileIsRandomAndReplacesNone) {
  const Folder folder;
  ASSERT_TRUE(KeyEncryptionKey::create_file(folder / "one"));
  ASSERT_TRUE(KeyEncryptionKey::create_file(folder / "two"));
  EXPECT_NE(hex_of(KeyEncryptionKey::from_file(folder / "one")), hex_of(KeyEncryptionKey::from_file(folder / "two")));
  const std::string before = folder.read("one");
  EXPECT_EQ(KeyEncryptionKey::create_file(folder / "one").error().code, ErrorCode::io);
  EXPECT_EQ(folder.read("one"), before);
}

TEST(KeyEncryptionKey, IsReadFromADescriptor) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], kDigits.data(), kDigits.size()), static_cast<ssize_t>(kDigits.size()));
  ::close(ends[1]);
  EXPECT_EQ(hex_of(KeyEncryptionKey::from_descriptor(ends[0])), kDigits);
  ::close(ends[0]);
  EXPECT_EQ(KeyEncryptionKey::from_descriptor(ends[0]).error().code, ErrorCode::io);
}

TEST(KeyEncryptionKey, IsReadFromACredentialOfSystemd) {
  const Folder folder;
  secret_file(folder, "curator", kDigits);
  ::unsetenv("CREDENTIALS_DIRECTORY");
  EXPECT_EQ(KeyEncryptionKey::from_credential("curator").error().code, ErrorCode::io);
  ::setenv("CREDENTIALS_DIRECTORY", folder.path().c_str(), 1);
  EXPECT_EQ(hex_of(KeyEncryptionKey::from_credential("curator")), kDigits);
  EXPECT_EQ(KeyEncryptionKey::from_credential("other").error().code, ErrorCode::io);
  ::chmod((folder.path() / "curator").c_str(), 0440);
  EXPECT_EQ(hex_of(KeyEncryptionKey::from_credential("curator")), kDigits) << "as an access list of systemd shows it";
  for (const mode_t open : {0444, 0460, 0600 | 04})
    EXPECT_EQ((::chmod((folder.path() / "curator").c_str(), open),
               KeyEncryptionKey::from_credential("curator").error().code),
              ErrorCode::not_authorised)
        << open;
  for (const std::string wrong : {"", "..", "../curator", "/etc/hostname"})
    EXPECT_EQ(KeyEncryptionKey::from_credential(wrong).error().code, ErrorCode::invalid_parameter) << wrong;
  ::unsetenv("CREDENTIALS_DIRECTORY");
}

// Computed with Python's hashlib.
TEST(KeyEncryptionKey, OfAPassphraseIsTheOneOfScrypt) {
  const auto key = KeyEncryptionKey::from_passphrase(SecretBytes::copy_of(std::string_view("correct horse battery")));
  ASSERT_TRUE(key);
  EXPECT_TRUE(key->is_passphrase());
  const PassphraseTerms terms{.log2_n = 10, .salt = std::string(32, '\x09')};
  EXPECT_EQ(to_hex(key->key(terms)->text()), "e366063c0d166df88f1328c60d463639a82ba58300a6fad445a6d7b9297fcfac");
  EXPECT_EQ(key->key({.log2_n = 40, .salt = terms.salt}).error().code, ErrorCode::bad_data);
  EXPECT_EQ(key->key({.log2_n = 10, .salt = "short"}).error().code, ErrorCode::bad_data);
  EXPECT_EQ(KeyEncryptionKey::from_passphrase(SecretBytes::copy_of(std::string_view("short"))).error().code,
            ErrorCode::invalid_parameter);
}

}  // namespace key_encryption_key_test
}  // namespace gauze::server
