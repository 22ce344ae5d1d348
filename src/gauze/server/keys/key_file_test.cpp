#include "gauze/server/keys/key_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "gauze/files/sha256.h"
#include "gauze/files/testing/folder.h"
#include "gauze/server/keys/internal/key_file_format.h"

namespace gauze::server {
namespace key_file_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SecretBytes secret(std::string_view text) { return SecretBytes::copy_of(text); }

class KeyFiles : public ::testing::TestWithParam<CryptoProfile> {
 protected:
  KeyFiles() {
    EXPECT_TRUE(KeyEncryptionKey::create_file(folder_ / "kek"));
    EXPECT_TRUE(KeyEncryptionKey::create_file(folder_ / "other"));
  }
  [[nodiscard]] KeyEncryptionKey key(const std::string& name = "kek") const {
    return *KeyEncryptionKey::from_file(folder_ / name);
  }
  [[nodiscard]] std::shared_ptr<KeyFile> create() const {
    auto file = KeyFile::create(path_, key(), GetParam());
    EXPECT_TRUE(file) << file.error().message;
    return *file;
  }
  [[nodiscard]] Result<std::shared_ptr<KeyFile>> open(const std::string& name = "kek") const {
    return KeyFile::open(path_, key(name));
  }
  [[nodiscard]] std::string text_of(const KeyFile& file, const std::string& name) const {
    const auto found = file.get(name);
    return found ? std::string(found->text()) : "(none)";
  }

  Folder folder_;
  std::string path_ = folder_ / "keys";
};

TEST_P(KeyFiles, KeepsSecretsByName) {
  {
    const auto file = create();
    ASSERT_TRUE(file->put("data/1", secret("first")));
    ASSERT_TRUE(file->put("data/2", secret("second")));
    ASSERT_TRUE(file->put("audit", secret("third")));
    ASSERT_TRUE(file->put("data/1", secret("replaced")));
  }
  const auto file = open();
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ((*file)->profile(), GetParam());
  EXPECT_THAT((*file)->names("data/"), ElementsAre("data/1", "data/2"));
  EXPECT_THAT((*file)->names(), ElementsAre("audit", "data/1", "data/2"));
  EXPECT_EQ(text_of(**file, "data/1"), "replaced");
  EXPECT_FALSE((*file)->get("data/3"));
  ASSERT_TRUE((*file)->remove("data/1"));
  ASSERT_TRUE((*file)->remove("data/1")) << "what is not there is no error";
  EXPECT_THAT((*file)->names("data/"), ElementsAre("data/2"));
}

TEST_P(KeyFiles, NoSecretLiesInTheFile) {
  const auto file = create();
  ASSERT_TRUE(file->put("name", secret("canary canary canary")));
  EXPECT_THAT(folder_.read("keys"), ::testing::Not(HasSubstr("canary")));
  EXPECT_THAT(folder_.read("keys"), HasSubstr("name"));
  struct stat found {};
  ASSERT_EQ(::stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600U);
}

TEST_P(KeyFiles, ARemovedKeyIsNeitherInTheFileNorInTheOneBeforeIt) {
  const auto file = create();
  ASSERT_TRUE(file->put("kept", secret("k")));
  ASSERT_TRUE(file->put("gone", secret("g")));
  const int before = ::open(path_.c_str(), O_RDONLY);
  ASSERT_GE(before, 0);
  ASSERT_TRUE(file->remove("gone"));
  EXPECT_THAT(folder_.read("keys"), ::testing::Not(HasSubstr("gone")));
  EXPECT_THAT(folder_.list(), ElementsAre("kek", "keys", "keys.lock", "other"));
  std::string old(4'096, 'x');
  const ssize_t size = ::read(before, old.data(), old.size());
  ::close(before);
  ASSERT_GT(size, 0);
  EXPECT_EQ(old.substr(0, static_cast<std::size_t>(size)), std::string(static_cast<std::size_t>(size), '\0'))
      << "overwritten in place";
}

TEST_P(KeyFiles, EachWayOfFailingHasItsOwnError) {
  EXPECT_EQ(open().error().code, ErrorCode::io) << "missing";
  ASSERT_TRUE(create()->put("name", secret("s")));
  EXPECT_EQ(open("other").error().code, ErrorCode::not_authorised);
  const auto passphrase = KeyEncryptionKey::from_passphrase(secret("a long passphrase"));
  EXPECT_EQ(KeyFile::open(path_, *passphrase).error().code, ErrorCode::not_authorised);
  {
    const auto file = open();
    ASSERT_TRUE(file);
    const auto second = open();
    ASSERT_FALSE(second) << "in use";
    EXPECT_EQ(second.error().code, ErrorCode::io);
    EXPECT_THAT(second.error().message, HasSubstr("another process"));
  }
  EXPECT_EQ(KeyFile::create(path_, key()).error().code, ErrorCode::io) << "nothing is replaced";
  const std::string whole = folder_.read("keys");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] ^= 0x10;
    folder_.write("keys", changed);
    ASSERT_EQ(open().error().code, ErrorCode::bad_data) << at;
  }
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    folder_.write("keys", whole.substr(0, size));
    ASSERT_EQ(open().error().code, ErrorCode::bad_data) << size;
  }
  folder_.write("keys", whole);
  EXPECT_TRUE(open());
}

TEST_P(KeyFiles, WhoeverHasNotTheKeyCannotTakeOutAddOrMoveASecret) {
  {
    const auto file = create();
    ASSERT_TRUE(file->put("a", secret("first")));
    ASSERT_TRUE(file->put("b", secret("other")));
  }
  const auto content = internal::decode_key_file(folder_.read("keys"));
  ASSERT_TRUE(content);
  ASSERT_EQ(content->secrets.size(), 2U);
  auto without = *content;
  without.secrets.pop_back();
  auto swapped = *content;
  std::swap(swapped.secrets[0].sealed, swapped.secrets[1].sealed);
  auto added = *content;
  added.secrets.push_back({.name = "c", .sealed = content->secrets[0].sealed});
  for (const auto& changed : {without, swapped, added}) {
    folder_.write("keys", internal::encode_key_file(changed));  // with the right checksum
    EXPECT_EQ(open().error().code, ErrorCode::bad_data);
  }
  folder_.write("keys", internal::encode_key_file(*content));
  EXPECT_TRUE(open());
}

TEST_P(KeyFiles, RewrappingChangesTheKeyAndNothingElse) {
  {
    const auto file = create();
    ASSERT_TRUE(file->put("name", secret("value")));
    ASSERT_TRUE(file->rewrap(key("other")));
    ASSERT_TRUE(file->put("later", secret("more"))) << "under the new key";
  }
  EXPECT_EQ(open().error().code, ErrorCode::not_authorised);
  {
    const auto file = open("other");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(text_of(**file, "name"), "value");
    EXPECT_EQ(text_of(**file, "later"), "more");
    ASSERT_TRUE((*file)->rewrap(*KeyEncryptionKey::from_passphrase(secret("a long passphrase"))));
  }
  const auto passphrase = KeyEncryptionKey::from_passphrase(secret("a long passphrase"));
  const auto file = KeyFile::open(path_, *passphrase);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(text_of(**file, "name"), "value");
  EXPECT_EQ(KeyFile::open(path_, *KeyEncryptionKey::from_passphrase(secret("another passphrase"))).error().code,
            ErrorCode::io)
      << "it is in use";
}

TEST_P(KeyFiles, WhatCannotBeWrittenChangesNothing) {
  const auto file = create();
  ASSERT_TRUE(file->put("name", secret("value")));
  const std::string moved = folder_ / "moved";
  std::filesystem::rename(path_, moved);
  std::filesystem::create_directory(path_);  // nothing can take its place
  EXPECT_EQ(file->put("more", secret("x")).error().code, ErrorCode::io);
  EXPECT_EQ(file->put("name", secret("x")).error().code, ErrorCode::io);
  EXPECT_EQ(file->remove("name").error().code, ErrorCode::io);
  EXPECT_EQ(text_of(*file, "name"), "value");
  EXPECT_THAT(file->names(), ElementsAre("name"));
  std::filesystem::remove(path_);
  ASSERT_TRUE(file->put("more", secret("x")));
  EXPECT_THAT(file->names(), ElementsAre("more", "name"));
}

TEST_P(KeyFiles, NamesAndSizesAreBounded) {
  const auto file = create();
  EXPECT_FALSE(file->put("", secret("x")));
  EXPECT_FALSE(file->put("with blank", secret("x")));
  EXPECT_FALSE(file->put(std::string(256, 'n'), secret("x")));
  EXPECT_FALSE(file->put("empty", SecretBytes()));
  EXPECT_FALSE(file->put("large", SecretBytes(65'536)));
  EXPECT_TRUE(file->put(std::string(255, 'n'), SecretBytes(65'535)));
  EXPECT_EQ(file->names().size(), 1U);
}

TEST_P(KeyFiles, ServesManyThreads) {
  const auto file = create();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 5; ++i) {
        const std::string name = std::to_string(thread) + "/" + std::to_string(i);
        ASSERT_TRUE(file->put(name, secret(name)));
        ASSERT_EQ(text_of(*file, name), name);
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(file->names().size(), 20U);
}

INSTANTIATE_TEST_SUITE_P(Profiles, KeyFiles, ::testing::Values(CryptoProfile::standard, CryptoProfile::sm),
                         [](const auto& profile) {
                           return std::string(word_of(kCryptoProfileWords, profile.param));
                         });

TEST(SecretBytes, AreMovedClonedAndCompared) {
  SecretBytes one = secret("secret");
  const SecretBytes clone = one.clone();
  EXPECT_TRUE(one.equals(clone));
  const SecretBytes moved = std::move(one);
  EXPECT_TRUE(moved.equals(clone));
  EXPECT_TRUE(one.is_empty());  // NOLINT(bugprone-use-after-move)
  EXPECT_FALSE(moved.equals(secret("secrets")));
  EXPECT_FALSE(moved.equals(secret("Secret")));
  EXPECT_FALSE(SecretBytes::random(32).equals(SecretBytes::random(32)));
  EXPECT_TRUE(SecretBytes(3).equals(secret(std::string_view("\0\0\0", 3))));
  EXPECT_TRUE(SecretBytes().equals(SecretBytes(0)));
}

}  // namespace key_file_test
}  // namespace gauze::server
