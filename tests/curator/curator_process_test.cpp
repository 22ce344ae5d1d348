// `gauze serve`, `gauze curator` and `gauze collect send` as people run them.
#include "gauze/server/testing/curator_process.h"

#include <gmock/gmock.h>
#include <openssl/ssl.h>
#include <sys/resource.h>

#include <set>

namespace gauze {
namespace curator_process_test {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTerms =
    "purpose: tests\nlegal_basis: consent\n"
    "collection: {period: 1d, validity: 2099-12-31, detection: intake, entry: settings, depth: value}\n"
    "retention: 30d\nclassification: {source: device, type: usage, importance: low}\njustification: tests\ncontact: nobody\n";
const std::string kLocal =
    "version: 1\nname: pages\nmode: local\nquestion: frequency\nmechanism: de\nfield: {type: category, values: [CANARYa, CANARYb]}\n"
    "epsilon: 1\n" +
    kTerms;

/// What a command printed, and its status.
struct Told {
  int status = 0;
  std::string text;
};

class CuratorProcessTest : public ::testing::Test {
 protected:
  Told tell(std::vector<std::string> arguments) {
    const std::string output = curator_.folder() / fmt::format("told-{}", told_++);
    const int status = run_gauze(std::move(arguments), output);
    return {status, *read_file(output)};
  }
  Told verb(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "curator");
    arguments.insert(arguments.end(), {"--config", curator_.config()});
    return tell(std::move(arguments));
  }
  CuratorProcess curator_;
  int told_ = 0;
};

TEST_F(CuratorProcessTest, ATaskGoesFromItsProposalToItsEstimate) {
  curator_.start();
  const std::string task = curator_.folder().write("task.yaml", kLocal);
  const std::string file = curator_.folder() / "task.json";
  ASSERT_EQ(tell({"collect", "task", task, "-o", file}).status, 0);
  EXPECT_EQ(verb({"add", file}).status, 0);
  const Told proposal = verb({"show", "pages", "--as", "admin-2"});
  EXPECT_THAT(proposal.text, HasSubstr("proposed by admin-1"));
  EXPECT_THAT(proposal.text, HasSubstr("epsilon"));
  EXPECT_EQ(verb({"approve", "pages"}).status, 4) << "by the one who proposed it";
  EXPECT_EQ(verb({"approve", "pages", "--as", "admin-2"}).status, 0);
  const std::string answers = curator_.folder().write("answers.txt", "CANARYa\nCANARYb\nCANARYa\n");
  const std::string reports = curator_.folder() / "reports.bin";
  ASSERT_EQ(tell({"collect", "encode", answers, "--task", file, "-o", reports}).status, 0);
  const std::vector<std::string> send = {"collect",
                                         "send",
                                         reports,
                                         "--to",
                                         curator_.url(0),
                                         "--ca",
                                         curator_.ca(),
                                         "--device",
                                         curator_.folder() / "phone",
                                         "--enrol",
                                         curator_.folder() / "curator/tokens/enrolment",
                                         "--json"};
  EXPECT_THAT(tell(send).text, HasSubstr(R"("accepted":3)"));
  EXPECT_THAT(tell(send).text, HasSubstr(R"("duplicates":3)")) << "a file that is given again";
  for (const char* suite : {"2", "3"}) {
    std::vector<std::string> again = send;
    again.insert(again.end(), {"--suite", suite});
    EXPECT_EQ(tell(again).status, suite == std::string("2") ? 0 : 2) << "suite 3 is offered with --sm alone";
  }
  const Told estimate = verb({"estimate", "pages"});
  EXPECT_THAT(estimate.text, HasSubstr("3 reports"));
  EXPECT_THAT(estimate.text, HasSubstr("CANARYb"));
  const Told shown = tell({"collect", "device", "show", curator_.folder() / "phone", "--json"});
  const auto read = read_json(shown.text);
  ASSERT_TRUE(read) << shown.text;
  const std::string id((*read->find("sent")->elements())[0].find("id")->text());
  EXPECT_EQ(tell({"collect", "device", "delete", curator_.folder() / "phone", id, "--ca", curator_.ca()}).status, 0);
  EXPECT_THAT(verb({"estimate", "pages"}).text, HasSubstr("0 reports"));
  EXPECT_EQ(verb({"check"}).status, 0);
  EXPECT_EQ(verb({"close", "pages"}).status, 0);
  EXPECT_THAT(verb({"audit"}).text, HasSubstr("task closed"));
  EXPECT_EQ(curator_.stop(), 0);
  EXPECT_THAT(curator_.logged(), Not(HasSubstr("CANARY"))) << "logs hold no value";
  EXPECT_THAT(curator_.logged(), Not(HasSubstr(id)));
}

TEST_F(CuratorProcessTest, StatesOfTwoCuratorsAreFetchedAndAddUp) {
  CuratorProcess other;
  std::vector<std::string> merge = {"collect", "merge", "--name", "pages", "-o", curator_.folder() / "both.gza",
                                    "--json"};
  int reports = 1;
  for (CuratorProcess* one : {&curator_, &other}) {
    one->start();
    const auto task = one->open_task(kLocal);
    PatientClient device(*one);
    device.enrol();
    EXPECT_EQ(device.send_blocks(block_of(task, std::string(static_cast<std::size_t>(reports), '\0'))).status, 200);
    reports += 3;
    merge.insert(merge.end(),
                 {"--from", one->url(1), "--token", one->folder() / "curator/tokens/analyst", "--ca", one->ca()});
  }
  const Told both = tell(merge);
  EXPECT_EQ(both.status, 0) << both.text;
  EXPECT_THAT(both.text, HasSubstr(R"("reports":5)"));
  merge.insert(merge.end(), {"--from", curator_.url(1), "--token", curator_.folder() / "curator/tokens/analyst",
                             "--ca", curator_.ca()});
  const Told twice = tell(merge);
  EXPECT_EQ(twice.status, 1) << "one curator twice";
  EXPECT_THAT(twice.text, HasSubstr("bad_data"));
  HttpsClient stranger = *HttpsClient::make({.ca = other.ca()});
  PatientClient device(curator_);
  device.enrol();
  const auto refused = stranger.send({.method = "POST",
                                      .url = other.url(0) + "/v1/reports",
                                      .bearer = device.credential(),
                                      .content_type = "application/vnd.gauze.batch",
                                      .body = "x"});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 401) << "a device of the other curator";
}

TEST_F(CuratorProcessTest, VerbsWorkOnTheFolderWithoutAServer) {
  EXPECT_EQ(verb({"audit", "--verify"}).status, 0);
  EXPECT_EQ(verb({"check"}).status, 0);
  EXPECT_EQ(verb({"backup", curator_.folder() / "backup"}).status, 0);
  EXPECT_FALSE(curator_.folder().has("backup/keys"));
  EXPECT_TRUE(curator_.folder().has("backup/ledger.db"));
  const Told status = verb({"status"});
  EXPECT_EQ(status.status, 1);
  EXPECT_THAT(status.text, HasSubstr("no curator is at work"));
}

TEST_F(CuratorProcessTest, TheKeyThatWrapsAllOthersCanBeChanged) {
  const std::string kek = curator_.folder() / "curator/keys/another";
  ASSERT_TRUE(write_file(kek, std::string(64, 'a') + "\n", FileReaders::owner_alone));
  const std::string first = *read_file(curator_.config());
  const std::string old = "key_encryption_key:\n  file: ";
  const std::size_t at = first.find(old);
  const std::size_t end = first.find('\n', at + old.size());
  const std::string present = first.substr(at, end - at);
  const auto with = [&](const std::string& keys) { return first.substr(0, at) + keys + first.substr(end); };
  ASSERT_TRUE(write_file(curator_.config(), with(old + kek)));
  EXPECT_EQ(tell({"serve", "--config", curator_.config()}).status, 4)
      << "the file of keys is still wrapped by the earlier one";
  ASSERT_TRUE(write_file(curator_.config(), with(old + kek + "\nprevious_" + present)));
  curator_.start();
  EXPECT_EQ(verb({"keys", "--rewrap"}).status, 0);
  EXPECT_EQ(curator_.stop(), 0);
  ASSERT_TRUE(write_file(curator_.config(), with(old + kek)));
  curator_.start();
  EXPECT_EQ(verb({"keys"}).status, 0);
  EXPECT_EQ(curator_.stop(), 0);
  ASSERT_TRUE(write_file(curator_.config(), first));
  EXPECT_EQ(tell({"serve", "--config", curator_.config()}).status, 4) << "the earlier one opens nothing any more";
}

TEST_F(CuratorProcessTest, ALedgerThatIsGoneIsNotMadeAnew) {
  curator_.start();
  curator_.open_task(
      "version: 1\nname: visits\nmode: central\nfields: {age: {type: integer, low: 0, high: 100}}\nepsilon: 1\n" +
      kTerms);
  EXPECT_EQ(curator_.stop(), 0);
  std::filesystem::remove(curator_.data() + "/ledger.db");
  const Told again = tell({"serve", "--config", curator_.config()});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.text, HasSubstr("grant them again"));
  EXPECT_FALSE(std::filesystem::exists(curator_.data() + "/ledger.db"));
}

TEST_F(CuratorProcessTest, ALeakedTokenIsTakenOutWithoutARestart) {
  curator_.start();
  EXPECT_EQ(verb({"status"}).status, 0);
  std::string yaml = *read_file(curator_.config());
  const std::size_t at = yaml.find("  - {name: analyst");
  ASSERT_NE(at, std::string::npos);
  yaml.erase(at, yaml.find('\n', at) + 1 - at);
  ASSERT_TRUE(write_file(curator_.config(), yaml));
  curator_.signal(SIGHUP);
  for (int i = 0; i < 300 && curator_.logged().find("reloaded") == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(verb({"status"}).status, 4);
}

TEST_F(CuratorProcessTest, ASecondServerOnTheFolderIsRefused) {
  curator_.start();
  const Told second = tell({"serve", "--config", curator_.config()});
  EXPECT_EQ(second.status, 1);
  EXPECT_THAT(second.text, HasSubstr("another curator is at work"));
}

TEST_F(CuratorProcessTest, SignalsReloadAndStop) {
  curator_.start();
  curator_.signal(SIGHUP);
  for (int i = 0; i < 300 && curator_.logged().find("reloaded") == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_THAT(curator_.logged(), HasSubstr("reloaded"));
  EXPECT_EQ(curator_.stop(SIGINT), 0);
  EXPECT_FALSE(std::filesystem::exists(curator_.data() + "/running.json"));
}

TEST_F(CuratorProcessTest, WhatIsMissingOrWrongIsSaidAtTheStart) {
  const std::string good = *read_file(curator_.config());
  const std::string keys = curator_.data() + "/keys";
  const std::string bytes = *read_file(keys);
  const auto start = [&] { return tell({"serve", "--config", curator_.config()}); };
  std::filesystem::rename(keys, keys + ".away");
  EXPECT_THAT(start().text, HasSubstr("file of keys"));
  std::string damaged = bytes;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  ASSERT_TRUE(write_file(keys, damaged, FileReaders::owner_alone));
  EXPECT_EQ(start().status, 1);
  ASSERT_TRUE(write_file(keys, bytes, FileReaders::owner_alone));
  const std::string kek = curator_.folder() / "curator/keys/key-encryption-key";
  const std::string right = *read_file(kek);
  ASSERT_TRUE(write_file(kek, std::string(64, '0') + "\n", FileReaders::owner_alone));
  EXPECT_EQ(start().status, 4) << "another key-encryption key";
  ASSERT_TRUE(write_file(kek, right, FileReaders::owner_alone));
  std::filesystem::permissions(kek, std::filesystem::perms(0644));
  EXPECT_EQ(start().status, 4) << "others may read it";
  std::filesystem::permissions(kek, std::filesystem::perms(0600));
  ASSERT_TRUE(write_file(curator_.config(), "version: 1\nfolder: [1]\n"));
  EXPECT_EQ(start().status, 2);
  ASSERT_TRUE(write_file(curator_.config(), good));
  curator_.start();
  EXPECT_EQ(curator_.stop(), 0);
}

TEST_F(CuratorProcessTest, ClientsTellACertificateThatDoesNotVerifyAtOnce) {
  curator_.start();
  CuratorProcess other;
  const std::string reports = curator_.folder().write("reports.bin", "");
  const Told refused = tell({"collect", "send", reports, "--to", curator_.url(0), "--ca", other.ca(), "--device",
                             curator_.folder() / "phone", "--enrol", curator_.folder() / "curator/tokens/enrolment"});
  EXPECT_EQ(refused.status, 0) << "an empty file: nothing is sent, and nobody is asked";
  const Told asked = verb({"status", "--ca", other.ca()});
  EXPECT_EQ(asked.status, 1);
  EXPECT_THAT(asked.text, HasSubstr("does not verify"));
  EXPECT_EQ(verb({"status", "--as", "admin-1"}).status, 4) << "another role";
}

TEST_F(CuratorProcessTest, CoreDumpsAreOff) {
  curator_.start();
  const std::string limits = *read_file(fmt::format("/proc/{}/limits", curator_.id()), 65'536);
  const std::size_t core = limits.find("Max core file size");
  ASSERT_NE(core, std::string::npos);
  EXPECT_EQ(limits.substr(core + 18, 30).find_first_of("123456789"), std::string::npos) << limits.substr(core, 60);
}

TEST_F(CuratorProcessTest, AQuestionIsPaidOnceHoweverOftenItIsAsked) {
  curator_.start();
  curator_.open_task(
      "version: 1\nname: visits\nmode: central\nfields: {age: {type: integer, low: 0, high: 100}}\nepsilon: 1\n" +
      kTerms);
  const std::vector<std::string> question = {
      "query", "visits", "--kind", "count", "--epsilon", "0.4", "--request", "00000000-0000-4000-8000-000000000001",
      "--json"};
  const Told first = verb(question);
  EXPECT_EQ(first.status, 0) << first.text;
  EXPECT_EQ(verb(question).text, first.text);
  EXPECT_EQ(verb({"query", "visits", "--kind", "count", "--epsilon", "0.4"}).status, 0) << "a request id of its own";
  const Told refused = verb({"query", "visits", "--kind", "count", "--epsilon", "0.4", "--json"});
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.text, HasSubstr(R"("allowed")"));
  EXPECT_TRUE(std::filesystem::is_empty(curator_.folder() / "curator/requests"))
      << "what was answered or refused is not kept";
}

}  // namespace curator_process_test
}  // namespace gauze
