#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"
#include "gauze/files/compression.h"

namespace gauze::cli {
namespace text_commands_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class TextCommands : public ::testing::Test {
 protected:
  Folder folder_;
  std::string vectors_ = folder_.write("v.txt", "film 0 0\nmovie 1 0\ngood 0 3\nbad 0 4\n电影 0.5 0\n");
  std::string out_ = folder_ / "out.txt";

  Ran sanitize(const std::string& input, std::vector<std::string> flags) {
    std::vector<std::string> args = {"text", "sanitize", input, "--vectors", vectors_, "-o", out_};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
};

TEST_F(TextCommands, VectorsAreImportedShownAndSearched) {
  const std::string gvec = folder_ / "v.gvec";
  ASSERT_EQ(run({"text", "vectors", "import", vectors_, "-o", gvec}).status, 0);
  const Ran info = run({"text", "vectors", "info", gvec, "--check", "--json"});
  ASSERT_EQ(info.status, 0) << info.err;
  EXPECT_EQ(at(json_of(info), {"words"}), "5");
  EXPECT_EQ(at(json_of(info), {"dimensions"}), "2");
  const Ran nearest = run({"text", "vectors", "nearest", "film", "--vectors", gvec, "--count", "2"});
  EXPECT_EQ(nearest.out, "0.500000 电影\n1.000000 movie\n");
  EXPECT_EQ(run({"text", "vectors", "nearest", "zorro", "--vectors", gvec}).status, 2);
  EXPECT_EQ(run({"text", "vectors", "nearest", "film"}).status, 2);
  EXPECT_EQ(run({"text", "vectors", "import", vectors_}).status, 2);
  EXPECT_EQ(run({"text", "vectors", "info", gvec, "-o", "x"}).status, 2);
  folder_.write("bad.txt", "film 0 0\nmovie 1 nan\n");
  const Ran bad = run({"text", "vectors", "import", folder_ / "bad.txt", "-o", folder_ / "b.gvec"});
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.err, HasSubstr("2"));
  EXPECT_FALSE(folder_.has("b.gvec"));
}

TEST_F(TextCommands, SanitizeKeepsTheLayoutAndWritesALabel) {
  const std::string text = folder_.write("t.txt", "A Good film!\r\nZorro 42 BAD\n");
  for (const char* mechanism : {"santext", "tem", "dchi"}) {
    std::vector<std::string> flags = {"--mechanism", mechanism, "--epsilon", "1000"};
    if (std::string(mechanism) == "tem") flags.insert(flags.end(), {"--gamma", "4"});
    const Ran ran = sanitize(text, flags);
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(folder_.read("out.txt"), "*** Good film!\r\n*** *** BAD\n") << mechanism;
    EXPECT_EQ(run({"label", "check", out_}).status, 0);
    EXPECT_THAT(folder_.read("out.txt.label.json"), AllOf(HasSubstr("\"metric\""), Not(HasSubstr("Zorro"))));
  }
  const Ran json = sanitize(text, {"--epsilon", "1000", "--json"});
  EXPECT_EQ(at(json_of(json), {"documents"}), "2");
  EXPECT_EQ(at(json_of(json), {"tokens"}), "6");
  EXPECT_EQ(at(json_of(json), {"unknown"}), "2");
  EXPECT_EQ(at(json_of(json), {"masked"}), "3");
}

TEST_F(TextCommands, ANameThatEndsInGzOrZstIsACompressedText) {
  const std::string text = folder_.write("t.txt", "good film\nbad movie\n");
  const std::string empty = folder_.write("empty.txt", "");
  for (const char* name : {"out.txt.gz", "out.txt.zst"}) {
    out_ = folder_ / name;
    ASSERT_EQ(sanitize(text, {"--epsilon", "1000"}).status, 0);
    EXPECT_NE(sniff_compression(folder_.read(name)), Compression::none);
    EXPECT_EQ(run({"label", "check", out_}).status, 0);
    const std::string packed = out_;
    out_ = folder_ / "again.txt";
    ASSERT_EQ(sanitize(packed, {"--epsilon", "1000"}).status, 0);
    EXPECT_EQ(folder_.read("again.txt"), "good film\nbad movie\n");
    out_ = packed;
    ASSERT_EQ(sanitize(empty, {"--epsilon", "1000"}).status, 0);
    EXPECT_NE(sniff_compression(folder_.read(name)), Compression::none) << "nothing, packed";
  }
}

TEST_F(TextCommands, KeptWordsAreToldByTheLabel) {
  const std::string text = folder_.write("t.txt", "Zorro film\n");
  ASSERT_EQ(sanitize(text, {"--epsilon", "1000", "--unknown", "keep"}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "Zorro film\n");
  EXPECT_THAT(folder_.read("out.txt.label.json"), HasSubstr("printed as they are"));
}

TEST_F(TextCommands, SanTextPlusNeedsAPublicList) {
  const std::string text = folder_.write("t.txt", "film\n");
  EXPECT_EQ(sanitize(text, {"--mechanism", "santext+", "--epsilon", "1"}).status, 2);
  const std::string list = folder_.write("f.txt", "film 100\nmovie 50\ngood 20\nbad 10\n");
  const Ran ran = sanitize(text, {"--mechanism", "santext+", "--epsilon", "1", "--frequencies", list, "--w", "0.5"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("PASSED THROUGH"));
  EXPECT_THAT(folder_.read("out.txt.label.json"), AllOf(HasSubstr("umldp"), HasSubstr("expected_pass_through")));
}

TEST_F(TextCommands, AColumnOfATableAndSeeds) {
  const std::string table = folder_.write("t.csv", "id,text\n1,film film film film film film film film\n2,good\n");
  const std::vector<std::string> seeded = {"--column", "text", "--epsilon", "0.1", "--seed", "5", "--insecure-seed"};
  ASSERT_EQ(sanitize(table, seeded).status, 0);
  const std::string first = folder_.read("out.txt");
  ASSERT_EQ(sanitize(table, seeded).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), first);
  EXPECT_THAT(first, HasSubstr("id,text\n1,"));
  EXPECT_THAT(folder_.read("out.txt.label.json"), HasSubstr("no guarantee"));
  EXPECT_EQ(sanitize(table, {"--column", "words", "--epsilon", "1"}).status, 2);
  EXPECT_EQ(sanitize(table, {"--epsilon", "1", "--seed", "5"}).status, 2);
}

TEST_F(TextCommands, RefusesBadInput) {
  const std::string text = folder_.write("t.txt", "film\n");
  for (const char* epsilon : {"0", "-1", "nan", "x"})
    EXPECT_EQ(sanitize(text, {"--epsilon", epsilon}).status, 2) << epsilon;
  EXPECT_EQ(sanitize(text, {}).status, 2);
  EXPECT_EQ(sanitize(text, {"--epsilon", "1", "--memory", "x"}).status, 2);
  EXPECT_EQ(sanitize(text, {"--epsilon", "1", "--gamma", "1"}).status, 2);
  EXPECT_NE(sanitize(folder_ / "nothing", {"--epsilon", "1"}).status, 0);
  EXPECT_EQ(run({"text", "sanitize", text, "--vectors", vectors_, "--epsilon", "1", "-o", text}).status, 2);
  const Ran bad = sanitize(folder_.write("bad.txt", "ok\nsecret \xFF\n"), {"--epsilon", "1"});
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.err, AllOf(HasSubstr("UTF-8"), Not(HasSubstr("line 2")), Not(HasSubstr("secret"))));
  EXPECT_FALSE(folder_.has("out.txt")) << "nothing is half written";
}

TEST_F(TextCommands, ATextIsWrittenInTheEncodingItCameIn) {
  const std::string text = "电影 电影 电影。\n好 电影！\n";
  const std::string vectors = folder_.write("zh.txt", "电影 0 0\n好 9 9\n");
  const std::string gb = folder_.write("gb.txt", encoded(text, "gb18030"));
  const auto at_large_epsilon = [&](const std::string& file, std::vector<std::string> more) {
    std::vector<std::string> args = {"text",      "sanitize", file, "--vectors",         vectors,
                                     "--epsilon", "50",       "-o", folder_ / "out.txt", "--quiet"};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = run(args);
    return ran.status == 0 ? folder_.read("out.txt") : ran.err;
  };
  EXPECT_EQ(at_large_epsilon(gb, {}), encoded(text, "gb18030")) << "found out";
  EXPECT_EQ(at_large_epsilon(gb, {"--encoding", "gb18030"}), encoded(text, "gb18030"));
  EXPECT_EQ(at_large_epsilon(gb, {"--shuffle"}).size(), encoded(text, "gb18030").size());
  EXPECT_THAT(at_large_epsilon(gb, {"--encoding", "utf-8"}), AllOf(HasSubstr("some line"), Not(HasSubstr("line 1"))));
  EXPECT_EQ(run({"label", "check", folder_ / "out.txt"}).status, 0);
  const Ran attack = run({"text", "attack", gb, "--vectors", vectors, "--epsilon", "50", "--json"});
  EXPECT_EQ(number_at(json_of(attack), {"attacked"}), 5) << attack.err;
  EXPECT_EQ(run({"text", "attack", gb, "--vectors", vectors, "--epsilon", "50", "--encoding", "utf-8"}).status, 1);
  const Ran stats = run({"text", "stats", "--vectors", vectors, "--epsilon", "1", "--text", gb, "--json"});
  EXPECT_EQ(at(json_of(stats), {"results", "0", "own_words", "0", "word"}), "电影") << stats.err;
}

TEST_F(TextCommands, LatinOneThatTheVectorsExceedBecomesUtf8AndSaysSo) {
  const std::string latin = folder_.write("latin.txt", "caf\xE9 film\n");
  const std::string inside = folder_.write("in.txt", "café 0\nfilm 90\n");
  const std::string outside = folder_.write("out.vec", "café 0\nfilm 90\n电影 200\n");
  const auto sanitized_with = [&](const std::string& vectors) {
    return run({"text", "sanitize", latin, "--vectors", vectors, "--epsilon", "50", "--encoding", "latin-1", "-o",
                folder_ / "out.txt", "--json"});
  };
  EXPECT_THAT(warning_codes(json_of(sanitized_with(inside))), ::testing::IsEmpty());
  EXPECT_EQ(folder_.read("out.txt"), "caf\xE9 film\n");
  EXPECT_THAT(warning_codes(json_of(sanitized_with(outside))), ::testing::ElementsAre("output_encoding"));
  EXPECT_EQ(folder_.read("out.txt"), "café film\n");
}

TEST_F(TextCommands, TellsWhenTheVectorsDoNotFitTheText) {
  const std::string english = folder_.write("en.txt", "film 0\nmovie 1\n");
  const std::string chinese = folder_.write("zh.txt", "今天的天气很好，我们去公园。\n");
  const auto told = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"text",      "sanitize", chinese, "--vectors",         english,
                                     "--epsilon", "1",        "-o",    folder_ / "out.txt", "--quiet"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  };
  EXPECT_THAT(warning_codes(json_of(told({"--json"}))), ::testing::ElementsAre("language_misfit"));
  EXPECT_THAT(told({}).err, Not(HasSubstr("do not fit")));
  EXPECT_THAT(told({"--unknown", "keep"}).err, HasSubstr("printed as they are"))
      << "a matter of privacy, --quiet or not";
  const Ran attack =
      run({"text", "attack", chinese, "--vectors", english, "--epsilon", "1", "--attack", "bayes", "--json"});
  EXPECT_THAT(warning_codes(json_of(attack)), ::testing::ElementsAre("language_misfit"));
}

TEST_F(TextCommands, ProbabilitiesOfTwoWords) {
  const std::string two = folder_.write("two.txt", "a 0\nb 2\n");
  const Ran ran = run({"text", "probabilities", "--vectors", two, "--epsilon", "1", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  // 1 / (1 + exp(-epsilon D / 2)) with D = 2.
  EXPECT_THAT(json_of(ran).find("P")->elements()->at(0).dump(), HasSubstr("[0.731058"));
  const Ran dchi =
      run({"text", "probabilities", "--vectors", two, "--mechanism", "dchi", "--epsilon", "1", "--json"});
  // n = 1: 1 - exp(-a) / 2 with a = epsilon D / 2.
  EXPECT_THAT(json_of(dchi).find("P")->elements()->at(0).dump(), HasSubstr("[0.816060"));
  EXPECT_NE(run({"text", "probabilities", "--vectors", vectors_, "--mechanism", "dchi", "--epsilon", "1"}).status, 0);
  EXPECT_EQ(run({"text", "probabilities", "--vectors", two, "--epsilon", "1", "--words", "z"}).status, 2);
}

TEST_F(TextCommands, ProbabilitiesAreSortedByTheNumberAskedFor) {
  const std::string line = folder_.write("line.txt", "a 0\nb 4\nc 1\nd 9\n");
  const std::vector<std::string> args = {"text", "probabilities", "--vectors", line,    "--epsilon",
                                         "1",    "--words",       "a,d",       "--top", "2"};
  const Ran shown = run(args);
  ASSERT_EQ(shown.status, 0) << shown.err;
  const auto lines = lines_of(shown.out);
  ASSERT_EQ(lines.size(), 4U);
  for (const auto& [place, begin] : {std::pair(0, "a\ta\t"), {1, "a\tc\t"}, {2, "d\td\t"}, {3, "d\tb\t"}})
    EXPECT_TRUE(lines[static_cast<std::size_t>(place)].starts_with(begin)) << shown.out;
  std::vector<std::string> for_json = args;
  for_json.push_back("--json");
  const Json json = json_of(run(for_json));
  EXPECT_EQ(json.find("outputs")->dump(), R"([["a","c"],["d","b"]])");
  EXPECT_GT(number_at(json, {"P", "0", "0"}), number_at(json, {"P", "0", "1"}));
  EXPECT_NEAR(std::log(number_at(json, {"P", "1", "1"})), number_at(json, {"log_P", "1", "1"}), 1e-9);
  for_json[9] = "99";
  EXPECT_EQ(json_of(run(for_json)).find("outputs")->elements()->at(0).elements()->size(), 4U) << "all there are";
  for_json[9] = "0";
  EXPECT_EQ(run(for_json).status, 2);
}

TEST_F(TextCommands, AsPublishedRunsAndItsLabelPromisesNothing) {
  const std::string text = folder_.write("t.txt", "good film\n");
  const std::string counts = folder_.write("counts.txt", "film 5\ngood 2\nbad 1\n");
  for (const char* mechanism : {"santext", "tem", "dchi", "santext+"}) {
    std::vector<std::string> flags = {"--mechanism", mechanism, "--epsilon", "1000", "--as-published"};
    if (std::string(mechanism) == "tem") flags.insert(flags.end(), {"--beta", "0.001"});
    if (std::string(mechanism) == "santext+") flags.insert(flags.end(), {"--frequencies", counts});
    const Ran ran = sanitize(text, flags);
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(
        folder_.read("out.txt.label.json"),
        AllOf(HasSubstr("as published"), HasSubstr("\"definition\": \"none\""), HasSubstr("claimed_epsilon")));
  }
}

TEST_F(TextCommands, PoliciesDecideOnStopWordsNumbersAndUnknownWords) {
  const std::string text = folder_.write("t.txt", "the films 7 of Zorro\n");
  ASSERT_EQ(sanitize(text, {"--epsilon", "1000", "--stop-words", "keep", "--unknown", "nearest-subword"}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "the film *** of ***\n");
  EXPECT_THAT(folder_.read("out.txt.label.json"), AllOf(HasSubstr("stop words"), HasSubstr("spelt most alike")));
  const std::string list = folder_.write("list.txt", "OF\r\n");
  ASSERT_EQ(sanitize(text, {"--epsilon", "1000", "--stop-words", "drop", "--stop-word-list", list}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "*** *** ***  ***\n");
  EXPECT_EQ(sanitize(text, {"--epsilon", "1", "--stop-word-list", list}).status, 2);
  EXPECT_EQ(
      sanitize(text, {"--epsilon", "1", "--stop-words", "keep", "--stop-word-list", folder_.write("e.txt", "\n")})
          .status,
      1);
  EXPECT_EQ(sanitize(text, {"--epsilon", "1", "--unknown", "guess"}).status, 2);
}

/// Words of the manner of the treebank, and Chinese ones.
class TextLanguages : public TextCommands {
 protected:
  TextLanguages() {
    vectors_ = folder_.write("tb.txt",
                             "do 0 0\nn't 9 0\nit 0 9\n's 9 9\nthe 20 0\n的 20 9\n元 20 20\n一百 30 0\n二十 40 0\n");
  }
  std::string text_ = folder_.write("t.txt", "Don’t it's the 的 一百二十元\n");
};

TEST_F(TextLanguages, DecideOnContractionsAndNumbersInCharacters) {
  for (const auto& [language, expected] : {std::pair("auto", "Don't it's the 的 ***元\n"),
                                           {"en", "Don't it's the 的 一百二十元\n"},
                                           {"zh", "*** *** the 的 ***元\n"}}) {
    const Ran ran = sanitize(text_, {"--epsilon", "1000", "--language", language});
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(folder_.read("out.txt"), expected) << language;
    EXPECT_THAT(folder_.read("out.txt.label.json"), HasSubstr(fmt::format("\"language\": \"{}\"", language)));
    EXPECT_THAT(ran.err, Not(HasSubstr("does not fit")));
  }
  ASSERT_EQ(sanitize(text_, {"--epsilon", "1000", "--numbers", "keep"}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "Don't it's the 的 一百二十元\n");
}

TEST_F(TextLanguages, DecideOnStopWordsAndTheLabelSaysWhich) {
  for (const auto& [language, expected, list] :
       {std::tuple("auto", "*** ****** ****** *** *** ***元\n", "the English and Chinese lists"),
        {"en", "*** ****** ****** *** 的 一百二十元\n", "the English list"},
        {"zh", "*** *** *** the *** ***元\n", "the Chinese list"}}) {
    const std::string text = folder_.write("t.txt", "Zorro don’t it's the 的 一百二十元\n");
    ASSERT_EQ(sanitize(text, {"--epsilon", "1000", "--language", language, "--stop-words", "mask"}).status, 0);
    EXPECT_EQ(folder_.read("out.txt"), expected) << language;
    EXPECT_THAT(folder_.read("out.txt.label.json"), HasSubstr(list));
  }
}

TEST_F(TextLanguages, AreToldWhenTheVectorsHaveNoWordOfThem) {
  const std::string english = folder_.write("en.txt", "film 0\nmovie 1\n");
  const std::string chinese = folder_.write("zh.txt", "电影 0\n元 1\n");
  const auto noted = [&](const std::string& vectors, const char* language) {
    const Ran ran =
        run({"text", "sanitize", text_, "--vectors", vectors, "--epsilon", "1", "--language", language, "-o", out_});
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.err.find("does not fit") != std::string::npos;
  };
  EXPECT_TRUE(noted(english, "zh"));
  EXPECT_FALSE(noted(english, "en"));
  EXPECT_TRUE(noted(chinese, "en"));
  EXPECT_FALSE(noted(chinese, "zh"));
  EXPECT_FALSE(noted(chinese, "auto"));
}

// What was sanitised is read back token by token, with the same rules.
TEST_F(TextLanguages, AreTheSameForAttacks) {
  const std::string text = folder_.write("t.txt", "Don’t it's the 的 一百二十元 Zorro's\n");
  for (const char* language : {"auto", "en", "zh"})
    for (const char* stop_words : {"replace", "keep", "mask", "drop"}) {
      const std::vector<std::string> rules = {"--epsilon", "1000",         "--language",
                                              language,    "--stop-words", stop_words};
      ASSERT_EQ(sanitize(text, rules).status, 0);
      std::vector<std::string> args = {"text", "attack", text, "--vectors", vectors_, "--sanitized", out_, "--json"};
      args.insert(args.end(), rules.begin(), rules.end());
      const Ran ran = run(args);
      ASSERT_EQ(ran.status, 0) << ran.err;
      EXPECT_EQ(at(json_of(ran), {"unaligned_documents"}), "0") << language << " " << stop_words;
    }
}

TEST_F(TextCommands, ALineOfMegabytesIsSanitisedAsItsPiecesAre) {
  std::string line;
  while (line.size() < (3U << 20)) line += "good film, bad movie; ";
  const std::string text = folder_.write("long.txt", line + "\n");
  ASSERT_EQ(sanitize(text, {"--epsilon", "1000"}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), line + "\n");
}

// The same seed gives the same text, in batches of any size.
TEST_F(TextCommands, StreamsGiveWhatWholeFilesGive) {
  std::string whole;
  for (int i = 0; i < 60'000; ++i) whole += "good film " + std::string(i % 3 == 0 ? "bad" : "movie movie") + "\n";
  const std::string one = folder_.write("one.txt", whole);
  const std::size_t half = whole.find('\n', whole.size() / 2) + 1;
  const std::string first = folder_.write("first.txt", whole.substr(0, half));
  const std::string second = folder_.write("second.txt", whole.substr(half));
  const std::vector<std::string> seeded = {"--epsilon", "0.5", "--seed", "3", "--insecure-seed"};
  ASSERT_EQ(sanitize(one, seeded).status, 0);
  const std::string expected = folder_.read("out.txt");
  std::vector<std::string> flags = seeded;
  flags.push_back(second);
  ASSERT_EQ(sanitize(first, flags).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), expected);
}

// More documents than a batch has (65,536) in one file, and more text than one has (4 MiB) in the next.
TEST_F(TextCommands, BatchesEndInsideFiles) {
  std::string short_lines;
  for (int i = 0; i < 70'000; ++i) short_lines += i % 3 == 0 ? "bad\n" : "good film\n";
  std::string long_lines;
  const std::string words = "good film, bad movie; ";
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 50'000; ++k) long_lines += words;
    long_lines += "\n";
  }
  const std::string first = folder_.write("first.txt", short_lines);
  const std::string second = folder_.write("second.txt", long_lines);
  const std::string both = folder_.write("both.txt", short_lines + long_lines);
  ASSERT_EQ(sanitize(first, {"--epsilon", "1000", second}).status, 0);
  EXPECT_TRUE(folder_.read("out.txt") == short_lines + long_lines) << "every document in its place";
  const std::vector<std::string> seeded = {"--epsilon", "0.5", "--seed", "3", "--insecure-seed"};
  ASSERT_EQ(sanitize(both, seeded).status, 0);
  const std::string expected = folder_.read("out.txt");
  std::vector<std::string> flags = seeded;
  flags.push_back(second);
  ASSERT_EQ(sanitize(first, flags).status, 0);
  EXPECT_TRUE(folder_.read("out.txt") == expected) << "draws do not depend on where batches end";
}

TEST_F(TextCommands, NothingThatIsReadIsReplaced) {
  const std::string text = folder_.write("t.txt", "good film\n");
  const std::string before = folder_.read("v.txt");
  out_ = vectors_;
  EXPECT_EQ(sanitize(text, {"--epsilon", "1"}).status, 2);
  EXPECT_EQ(folder_.read("v.txt"), before);
  const std::string label = folder_.write("x.label.json", "good\n");
  out_ = folder_ / "x";
  EXPECT_EQ(sanitize(label, {"--epsilon", "1"}).status, 2);
  EXPECT_EQ(folder_.read("x.label.json"), "good\n");
}

TEST_F(TextCommands, SeveralFilesBecomeOne) {
  const std::string first = folder_.write("a.txt", "good");
  const std::string second = folder_.write("b.txt", "film\n");
  ASSERT_EQ(sanitize(first, {"--epsilon", "1000", second}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "good\nfilm\n");
  const std::string table = folder_.write("a.csv", "id,text\n1,good\n");
  const std::string more = folder_.write("b.csv", "id,text\n2,film\n");
  const std::string other = folder_.write("c.csv", "text,id\nfilm,3\n");
  ASSERT_EQ(sanitize(table, {"--epsilon", "1000", "--column", "text", more}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "id,text\n1,good\n2,film\n");
  EXPECT_THAT(folder_.read("out.txt.label.json"),
              AllOf(HasSubstr("all other columns"), HasSubstr("\"column\": \"text\"")));
  EXPECT_EQ(sanitize(table, {"--epsilon", "1000", "--column", "text", other}).status, 2);
  const std::string windows = folder_.write("w.csv", "\xEF\xBB\xBFid,text\r\n1,good\r\n");
  ASSERT_EQ(sanitize(windows, {"--epsilon", "1000", "--column", "text", more}).status, 0) << "the same columns";
  EXPECT_EQ(folder_.read("out.txt"), "\xEF\xBB\xBFid,text\r\n1,good\r\n2,film\n");
}

// A cut or badly quoted table, whose lines would be taken for rows and printed up to the first comma.
TEST_F(TextCommands, NothingIsWrittenOfATableWhoseQuotesDoNotFit) {
  std::string late = "id,text\n";
  while (late.size() < (5U << 20)) late += "1,\"good film, bad film\"\n";  // more than a batch
  for (const std::string& table :
       {std::string("id,text\n1,good\n2,\"good film.\nZorro has cancer, he said.\nXenia too, he said."),
        std::string("id,text\n1,\"Hello\" he said\n2,\"good\nZorro has cancer, he said\"\n"),
        std::string("id,text\n1,good\n2,'good film.\nZorro has cancer, he said'\n"),
        std::string("id,text\n1,\"good\\\"\nZorro has cancer, he said\"\n"),
        late + "2,\"good\nZorro has cancer, he said"}) {
    const Ran ran = sanitize(folder_.write("t.csv", table), {"--epsilon", "1", "--column", "text"});
    EXPECT_EQ(ran.status, 1) << table.substr(0, 100);
    EXPECT_THAT(ran.err, AllOf(HasSubstr("some line (`gauze text attack` tells its owner which)"),
                               Not(HasSubstr("Zorro")), Not(HasSubstr("line 3"))));
    EXPECT_THAT(folder_.list(), ::testing::ElementsAre("t.csv", "v.txt"));
  }
}

TEST_F(TextCommands, ErrorsSayWhatIsWrong) {
  const auto told = [&](const std::string& text) {
    const Ran ran = sanitize(folder_.write("t", text), {"--epsilon", "1", "--column", "text"});
    EXPECT_EQ(ran.status, 1);
    return ran.err;
  };
  EXPECT_THAT(told(""), AllOf(HasSubstr("the file is empty"), Not(HasSubstr("attack"))));
  EXPECT_THAT(told("{\"text\":5}\n"), HasSubstr("holds neither a string nor null under the key text"));
  EXPECT_THAT(told("\x1F\x8B\x08 no gzip"), AllOf(HasSubstr("damaged or cut off"), Not(HasSubstr("byte"))));
}

TEST_F(TextCommands, NumbersOfOtherKeysMayBeOfAnySize) {
  const std::string lines = folder_.write("t.jsonl", "{\"text\":\"film\",\"n\":1e400}\n");
  ASSERT_EQ(sanitize(lines, {"--epsilon", "1000", "--column", "text"}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "{\"text\":\"film\",\"n\":1e400}\n");
}

TEST_F(TextCommands, TakesADelimiter) {
  const std::string table = folder_.write("t.csv", "id#text\n1#good, bad\n");
  ASSERT_EQ(sanitize(table, {"--epsilon", "1000", "--column", "text", "--delimiter", "#"}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "id#text\n1#good, bad\n");
  const std::string tabs = folder_.write("t.tsv", "id,text\ta\n1\tgood\n");
  ASSERT_EQ(sanitize(tabs, {"--epsilon", "1000", "--column", "a", "--delimiter", "tab"}).status, 0);
  EXPECT_EQ(sanitize(table, {"--epsilon", "1", "--column", "text"}).status, 2);
  EXPECT_EQ(sanitize(table, {"--epsilon", "1", "--delimiter", "#"}).status, 2) << "a line is one text";
  for (const char* wrong : {"##", "\"", "'", "\\"})
    EXPECT_EQ(sanitize(table, {"--epsilon", "1", "--column", "text", "--delimiter", wrong}).status, 2) << wrong;
}

TEST_F(TextCommands, TakesGlobsAndPackedFiles) {
  folder_.write("n2.txt", "film\n");
  folder_.write("n1.txt", "good\n");
  ASSERT_EQ(sanitize(folder_ / "n*.txt", {"--epsilon", "1000"}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "good\nfilm\n");
  EXPECT_EQ(sanitize(folder_ / "none*", {"--epsilon", "1000"}).status, 1);
  EXPECT_EQ(sanitize(folder_ / "o*t.txt", {"--epsilon", "1000"}).status, 2) << "-o would replace what is read";
  // "good film\n", by zstd.
  const std::string_view packed("\x28\xb5\x2f\xfd\x24\x0a\x51\x00\x00good film\n\x63\x45\x5b\xfd", 23);
  const std::string zstd = folder_.write("t.zst", packed);
  ASSERT_EQ(sanitize(zstd, {"--epsilon", "1000"}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "good film\n");
  for (std::size_t size : {5U, 12U, 20U})
    EXPECT_EQ(sanitize(folder_.write("cut.zst", packed.substr(0, size)), {"--epsilon", "1"}).status, 1) << size;
}

TEST_F(TextCommands, TheLabelOfSantextPlusSaysWhichWordsAreCommon) {
  const std::string text = folder_.write("t.txt", "good film\n");
  const std::string counts = folder_.write("counts.txt", "Film 5\ngood 2\nbad 1\n");
  ASSERT_EQ(sanitize(text, {"--mechanism", "santext+", "--epsilon", "2", "--frequencies", counts}).status, 0);
  EXPECT_THAT(folder_.read("out.txt.label.json"),
              AllOf(HasSubstr("\"w\": \"0.9\""), HasSubstr("\"epsilon0\": 1.20"), HasSubstr("\"sensitive_words\": 5"),
                    HasSubstr("\"frequencies\": \""), HasSubstr("differ in sensitive words only")));
  EXPECT_EQ(sanitize(text, {"--epsilon", "2", "--p", "0.5"}).status, 2) << "p belongs to santext+";
  EXPECT_EQ(sanitize(text, {"--epsilon", "2", "--w", "0.5"}).status, 2);
}

TEST_F(TextCommands, ADamagedVocabularyIsNotDrawnFrom) {
  const std::string gvec = folder_ / "v.gvec";
  ASSERT_EQ(run({"text", "vectors", "import", vectors_, "-o", gvec}).status, 0);
  std::string bytes = folder_.read("v.gvec");
  const std::string text = folder_.write("t.txt", "good film\n");
  const auto status = [&] {
    return run({"text", "sanitize", text, "--vectors", gvec, "--epsilon", "1", "-o", out_}).status;
  };
  EXPECT_EQ(status(), 0);
  bool refused = false;
  for (std::size_t i = 0; i < bytes.size(); i += 7) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    folder_.write("v.gvec", damaged);
    refused = status() == 1 || refused;
  }
  EXPECT_TRUE(refused);
}

TEST_F(TextCommands, EmojiAndNamesBesideInvisibleCharactersAreMasked) {
  const std::string text = folder_.write("t.txt", "Zebulon\u200d\u2764 홍길동\u200e ①③ 👍 good\n");
  ASSERT_EQ(sanitize(text, {"--epsilon", "1000"}).status, 0);
  const std::string printed = folder_.read("out.txt");
  for (const char* secret : {"Zebulon", "홍길동", "①", "👍", "\u2764"}) EXPECT_THAT(printed, Not(HasSubstr(secret)));
  EXPECT_THAT(printed, HasSubstr(" good\n"));
  ASSERT_EQ(sanitize(text, {"--epsilon", "1000", "--symbols", "keep"}).status, 0);
  EXPECT_THAT(folder_.read("out.txt"), HasSubstr("👍"));
  EXPECT_THAT(folder_.read("out.txt.label.json"), HasSubstr("emoji"));
}

TEST_F(TextCommands, SymbolsOfAllKindsAreMasked) {
  const std::string text = folder_.write("t.txt", "good $ = film ~ <bad> 10%\n");
  ASSERT_EQ(sanitize(text, {"--epsilon", "1000"}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "good *** *** film *** ***bad*** ***%\n");
  ASSERT_EQ(sanitize(text, {"--epsilon", "1000", "--symbols", "keep"}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "good $ = film ~ <bad> ***%\n");
  EXPECT_THAT(folder_.read("out.txt.label.json"), HasSubstr("signs of currencies and arithmetic"));
}

TEST_F(TextCommands, StripsHtml) {
  const std::string text =
      folder_.write("t.txt", "<p class='x'>good&nbsp;<b>film</b><br/>bad</p><!-- Zorro -->\n&#10;good\n");
  const Ran ran = sanitize(text, {"--epsilon", "1000", "--html", "strip"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(folder_.read("out.txt"), "good\u00A0film bad \n good\n") << "an entity for a line end is a blank";
  EXPECT_THAT(folder_.read("out.txt.label.json"), HasSubstr("\"html\": \"stripped\""));
  const std::string sanitized = folder_ / "out.txt";
  const auto attack = [&](std::vector<std::string> flags) {
    std::vector<std::string> args = {"text",    "attack",    text,     "--sanitized",
                                     sanitized, "--vectors", vectors_, "--json"};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  };
  const Ran attacked = attack({});
  ASSERT_EQ(attacked.status, 0) << attacked.err << attacked.out;
  EXPECT_EQ(at(json_of(attacked), {"documents"}), "2") << "the label tells how the texts were read";
  EXPECT_EQ(attack({"--html", "keep"}).status, 2);
  ASSERT_EQ(sanitize(text, {"--epsilon", "1000"}).status, 0);
  EXPECT_THAT(folder_.read("out.txt.label.json"), Not(HasSubstr("\"html\"")));
}

TEST_F(TextCommands, TellsOfTraditionalChinese) {
  const std::string vectors = folder_.write("zh.txt", "电影 0 1\n好 1 0\n");
  const std::string text = folder_.write("t.txt", "好電影\n");
  const Ran ran =
      run({"text", "sanitize", text, "--vectors", vectors, "--epsilon", "1000", "-o", folder_ / "out.txt"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(folder_.read("out.txt"), "好电影\n");
  EXPECT_THAT(ran.err, HasSubstr("Traditional Chinese"));
  EXPECT_THAT(folder_.read("out.txt.label.json"), HasSubstr("Simplified characters"));
}

TEST_F(TextCommands, APublicListNarrowsTheVocabularyOrNamesSensitiveWords) {
  const std::string text = folder_.write("t.txt", "good film bad\n");
  const std::string list = folder_.write("list.txt", "film\r\nzorro\ngood\n");
  ASSERT_EQ(sanitize(text, {"--epsilon", "1000", "--vocabulary", list}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), "good film ***\n");
  EXPECT_THAT(folder_.read("out.txt.label.json"), HasSubstr("\"vocabulary\": 2"));
  const Ran sensitive =
      sanitize(text, {"--epsilon", "1000", "--mechanism", "santext+", "--sensitive", list, "--p", "1"});
  ASSERT_EQ(sensitive.status, 0) << sensitive.err;
  EXPECT_THAT(folder_.read("out.txt"), ::testing::AnyOf("good film good\n", "good film film\n")) << "bad is replaced";
  EXPECT_THAT(folder_.read("out.txt.label.json"), HasSubstr("\"sensitive_words\": 2"));
  const std::string none = folder_.write("none.txt", "zorro\n");
  EXPECT_EQ(sanitize(text, {"--epsilon", "1", "--vocabulary", none}).status, 1);
  EXPECT_EQ(sanitize(text, {"--epsilon", "1", "--mechanism", "santext+", "--sensitive", list, "--w", "0.5"}).status,
            2);
  EXPECT_EQ(sanitize(text, {"--epsilon", "1", "--sensitive", list}).status, 2);
}

}  // namespace text_commands_test
}  // namespace gauze::cli
