#include "gauze/server/config/curator_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze::server {
namespace curator_config_test {

using ::testing::HasSubstr;

CuratorConfig example() {
  CuratorConfig config;
  config.folder = "/srv/curator/data";
  for (auto [place, port] :
       {std::pair(&config.device, 8443), std::pair(&config.analyst, 8444), std::pair(&config.admin, 8445)}) {
    place->port = static_cast<std::uint16_t>(port);
    place->certificate = "/srv/curator/tls/a.pem";
    place->key = "/srv/curator/tls/a.key";
  }
  config.key.file = "/srv/curator/keys/kek";
  config.people = {{"admin-1", Role::admin, std::string(64, 'a')}, {"lin 年", Role::analyst, std::string(64, 'b')}};
  return config;
}

std::string error_of(const std::string& yaml) {
  const auto read = parse_curator_config(yaml, "/etc/curator.yaml");
  return read ? "" : read.error().message;
}

TEST(CuratorConfig, IsReadBackAsItIsWritten) {
  CuratorConfig config = example();
  config.answer_step_seconds = 0.5;
  config.requests.reports_per_credential = 77;
  config.http.connections = 12;
  config.profile = "medical";
  const std::string text = curator_config_text(config);
  const auto read = parse_curator_config(text, "/etc/curator.yaml");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(curator_config_text(*read), text);
  EXPECT_EQ(read->people[1].name, "lin 年");
  EXPECT_EQ(read->people[1].role, Role::analyst);
  EXPECT_EQ(read->http.connections, 12U);
  EXPECT_EQ(read->answer_step_seconds, 0.5);
  EXPECT_EQ(read->retention_ceiling_days, 366);
}

TEST(CuratorConfig, RelativePathsStartAtItsFolder) {
  std::string text = curator_config_text(example());
  text.replace(text.find("/srv/curator/data"), 17, "data");
  const auto read = parse_curator_config(text, "/etc/gauze/curator.yaml");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->folder, "/etc/gauze/data");
}

TEST(CuratorConfig, RefusesWhatIsMissingUnknownOrImpossible) {
  const std::string good = curator_config_text(example());
  ASSERT_EQ(error_of(good), "");
  const auto without = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return error_of(text.replace(at, from.size(), to));
  };
  EXPECT_THAT(without("version: 1", "version: 2"), HasSubstr("version"));
  EXPECT_THAT(without("folder: ", "folders: "), HasSubstr("folder"));
  EXPECT_THAT(without("address: 127.0.0.1", "address: example.org"), HasSubstr("not a name"));
  EXPECT_THAT(without("profile: \"\"", "profile: medicine"), HasSubstr("finance")) << "now, not at the first query";
  EXPECT_THAT(without("port: 8443", "port: 70000"), HasSubstr("port"));
  EXPECT_THAT(without("  file: ", "  passphrase_file: b\n  file: "), HasSubstr("one of file"));
  EXPECT_THAT(without(std::string(64, 'a'), std::string(64, 'A')), HasSubstr("token_sha256"));
  EXPECT_THAT(without(std::string(64, 'a'), std::string(64, 'b')), HasSubstr("one token"));
  EXPECT_THAT(without("role: admin", "role: owner"), HasSubstr("role"));
  EXPECT_THAT(without("answer_step: 0.25", "answer_step: 0"), HasSubstr("answer_step"));
  EXPECT_THAT(without("retention_ceiling: 366d", "retention_ceiling: 12h"), HasSubstr("whole days"));
  EXPECT_THAT(without("body_bytes: 65536", "body_bytes: 10"), HasSubstr("body_bytes"));
  for (const char* odd : {"", "\xff\xfe", "[]", "version: 1\nversion: 1", "{", "version: 1\nfolder: \"a\\0b\""})
    EXPECT_NE(error_of(odd), "") << odd;
}

}  // namespace curator_config_test
}  // namespace gauze::server
