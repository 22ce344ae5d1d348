#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace text_utility_command_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class TextUtility : public ::testing::Test {
 protected:
  Folder folder_;
  std::string vectors_ =
      folder_.write("v.txt", "film 3 0 0\nmovie 3.5 0 0\ngood 0 3 0\ngreat 0 4 0\nbad 0 0 3\nawful 0 0 4\n");
  /// Sorted by label: twenty of each.
  static std::string reviews() {
    std::string text = "text,label\n";
    for (int i = 0; i < 10; ++i) text += "good film,yes\ngreat movie,yes\n";
    for (int i = 0; i < 10; ++i) text += "bad film,no\nawful movie,no\n";
    return text;
  }
  std::string train_ = folder_.write("train.csv", reviews());
  std::string test_ = folder_.write("test.tsv", "sentiment\tcontent\nyes\tgreat film!\nno\tZorro: awful\n");
  std::string pairs_ =
      folder_.write("pairs.csv",
                    "question,answer,right\ngood film?,great movie,1\nbad?,awful,1\ngood film?,awful,0\n"
                    "bad?,great,0\nmovie?,good,0\n");

  Ran classify(std::vector<std::string> more) {
    std::vector<std::string> args = {"text",          "utility", "--train",   train_,  "--test",       test_,
                                     "--column",      "text",    "--label",   "label", "--test-label", "sentiment",
                                     "--test-column", "content", "--vectors", vectors_};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }
  Ran classify_files(const std::string& train, const std::string& test, std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"text", "utility", "--train", train,       "--test", test,        "--column",
                                     "text", "--label", "label",   "--vectors", vectors_, "--epsilon", "5"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }
  Ran rank(const std::string& file, std::vector<std::string> more) {
    std::vector<std::string> args = {"text",        "utility", "--pairs",    file,    "--query",   "question",
                                     "--candidate", "answer",  "--relevant", "right", "--vectors", vectors_};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }
};

TEST_F(TextUtility, WithAHugeEpsilonAllCellsAreTheCleanOne) {
  const Ran ran = classify({"--epsilon", "1000", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  EXPECT_EQ(at(json, {"train_documents"}), "40");
  EXPECT_EQ(at(json, {"test_documents"}), "2");
  EXPECT_EQ(json.find("labels")->dump(), R"(["no","yes"])");
  EXPECT_EQ(at(json, {"majority", "label"}), "no") << "the first of equals";
  EXPECT_EQ(at(json, {"majority", "accuracy"}), "0.5");
  EXPECT_EQ(at(json, {"repetitions"}), "3");
  EXPECT_THAT(at(json, {"notice"}), HasSubstr("INTERNAL"));
  const Json& result = json.find("results")->elements()->at(0);
  EXPECT_EQ(at(result, {"epsilon"}), "1000");
  EXPECT_THAT(keys_of(*result.find("models")), ElementsAre("logistic", "vectors"));
  for (const char* model : {"logistic", "vectors"}) {
    const Json& cells = *result.find("models")->find(model);
    EXPECT_THAT(keys_of(cells),
                ElementsAre("clean_clean", "sanitized_clean", "clean_sanitized", "sanitized_sanitized"));
    for (const auto& [name, cell] : *cells.members())
      EXPECT_EQ(
          cell.dump(),
          R"({"accuracy":{"mean":1,"low":1,"high":1,"sd":0},"balanced_accuracy":{"mean":1,"low":1,"high":1,"sd":0}})")
          << name;
  }
  // "Zorro" of 84 tokens is masked.
  EXPECT_DOUBLE_EQ(number_at(result, {"masked_share"}), 1.0 / 84);
  EXPECT_DOUBLE_EQ(number_at(result, {"unchanged_share"}), 83.0 / 84);
}

TEST_F(TextUtility, SeveralMechanismsAreACurveEach) {
  const Ran ran = classify({"--epsilon", "2,5", "--mechanism", "santext,vickrey,custext", "--set-size", "2",
                            "--model", "logistic", "--seed", "1", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  const auto& curves = *json.find("curves")->elements();
  ASSERT_EQ(curves.size(), 3U);
  EXPECT_EQ(at(curves[1], {"mechanism"}), "vickrey");
  EXPECT_EQ(curves[1].find("results")->elements()->size(), 2U);
  const Ran alone = classify({"--epsilon", "2,5", "--model", "logistic", "--seed", "1", "--json"});
  EXPECT_EQ(json_of(alone).find("results")->dump(), curves[0].find("results")->dump()) << "the same curve by itself";
  const Ran text = rank(pairs_, {"--epsilon", "5", "--mechanism", "dchi,santext"});
  EXPECT_THAT(text.out, ::testing::AllOf(HasSubstr("mechanism dchi"), HasSubstr("mechanism santext")));
  EXPECT_EQ(classify({"--epsilon", "2", "--mechanism", "santext,other"}).status, 2);
  EXPECT_EQ(classify({"--epsilon", "2", "--mechanism", "santext,dchi", "--t", "1"}).status, 2);
}

TEST_F(TextUtility, PrintsATableForPeople) {
  const Ran ran = classify({"--epsilon", "8,1,8", "--model", "vectors", "--repeat", "2"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("INTERNAL"), HasSubstr("40 training texts, 2 test texts, 2 labels, 2 repetitions"),
                    HasSubstr("most frequent training label: 0.500"), HasSubstr("trained sanitised"),
                    HasSubstr("\n1 "), HasSubstr("\n8 "), HasSubstr("middle 95 %"), Not(HasSubstr("logistic"))));
}

TEST_F(TextUtility, SeedsRepeatAndWithoutOneDrawsDiffer) {
  const std::vector<std::string> many = {"--epsilon", "0.5,1", "--repeat", "20", "--json"};
  std::vector<std::string> seeded = many;
  seeded.insert(seeded.end(), {"--seed", "3"});
  const Ran once = classify(seeded);
  ASSERT_EQ(once.status, 0) << once.err;
  EXPECT_EQ(classify(seeded).out, once.out);
  seeded.insert(seeded.end(), {"--threads", "1"});
  EXPECT_EQ(classify(seeded).out, once.out);
  EXPECT_NE(classify(many).out, classify(many).out);
}

TEST_F(TextUtility, DrawsOfASeedDependOnTheEpsilonNotOnItsPlaceInTheList) {
  const auto last = [](const Ran& ran) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    return json_of(ran).find("results")->elements()->back().dump();
  };
  const std::vector<std::string> seeded = {"--repeat", "20", "--seed", "3", "--json", "--epsilon"};
  const auto with = [&](const char* epsilon) {
    std::vector<std::string> flags = seeded;
    flags.emplace_back(epsilon);
    return flags;
  };
  EXPECT_EQ(last(classify(with("0.5"))), last(classify(with("0.1,0.50"))));
  EXPECT_EQ(last(rank(pairs_, with("0.5"))), last(rank(pairs_, with("0.1,0.2,0.5"))));
}

TEST_F(TextUtility, TextsAreDividedByTheRulesOfTheLanguage) {
  const std::string train = folder_.write("t.csv", "text,label\ngood film's,yes\nbad film's,no\n");
  for (const auto& [language, masked] : {std::pair("en", 2.0 / 6), {"zh", 2.0 / 4}}) {  // 's, or film's
    const Ran ran = classify_files(train, train, {"--json", "--language", language});
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(at(json_of(ran), {"language"}), language);
    EXPECT_DOUBLE_EQ(number_at(json_of(ran).find("results")->elements()->at(0), {"masked_share"}), masked);
    EXPECT_EQ(ran.err.find("does not fit") != std::string::npos, language == std::string("zh"));
  }
}

TEST_F(TextUtility, EveryMechanismIsMeasured) {
  const std::string list = folder_.write("f.txt", "film 100\nmovie 50\ngood 20\nbad 10\ngreat 5\nawful 1\n");
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"--mechanism", "dchi"},
                                             {"--mechanism", "tem", "--gamma", "2"},
                                             {"--mechanism", "santext+", "--frequencies", list}}) {
    std::vector<std::string> all = {"--epsilon", "2,1000", "--json"};
    all.insert(all.end(), flags.begin(), flags.end());
    const Ran ran = classify(all);
    ASSERT_EQ(ran.status, 0) << flags[1] << ran.err;
    EXPECT_EQ(json_of(ran).find("results")->elements()->size(), 2U);
  }
}

TEST_F(TextUtility, FewerTrainingTextsAreEvenlySpaced) {
  // The first two would both be "yes", and nothing could be learnt.
  const Ran ran = classify({"--epsilon", "1", "--train-documents", "2", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(at(json_of(ran), {"train_documents"}), "2");
  EXPECT_EQ(
      json_of(classify({"--epsilon", "1", "--train-documents", "99", "--json"})).find("train_documents")->text(),
      "40");
  EXPECT_EQ(classify({"--epsilon", "1", "--train-documents", "0"}).status, 2);
}

TEST_F(TextUtility, UnseenTestLabelsAreTold) {
  const std::string test = folder_.write("odd.csv", "text,label\ngood,yes\nbad,perhaps\n");
  const Ran ran = classify_files(train_, test, {"--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("1 test texts"), HasSubstr("wrong")));
  EXPECT_EQ(at(json_of(ran), {"unseen_test_documents"}), "1");
}

TEST_F(TextUtility, RefusesBadFlags) {
  for (const char* epsilon : {"0", "-1", "nan", "x", "1,0", "1,,2", ""})
    EXPECT_EQ(classify({"--epsilon", epsilon}).status, 2) << epsilon;
  EXPECT_EQ(classify({}).status, 2);
  for (const char* repeat : {"0", "-1", "1.5", "x"})
    EXPECT_EQ(classify({"--epsilon", "1", "--repeat", repeat}).status, 2) << repeat;
  EXPECT_EQ(classify({"--epsilon", "1", "--model", "bert"}).status, 2);
  EXPECT_EQ(classify({"--epsilon", "1", "--memory", "x"}).status, 2);
  EXPECT_EQ(classify({"--epsilon", "1", "--gamma", "1"}).status, 2);
  EXPECT_EQ(classify({"--epsilon", "1", "--pairs", pairs_}).status, 2);
  EXPECT_EQ(classify({"--epsilon", "1", "--seed", "-1"}).status, 2);
  const Ran missing = run({"text", "utility", "--train", train_, "--vectors", vectors_, "--epsilon", "1"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("--test"));
  EXPECT_EQ(run({"text", "utility", "--pairs", pairs_, "--vectors", vectors_, "--epsilon", "1"}).status, 2);
  EXPECT_EQ(classify_files("-", test_).status, 2);
}

TEST_F(TextUtility, RefusesBadTables) {
  const auto code = [&](const std::string& train, const std::string& test) {
    const Ran ran = classify_files(train, test, {"--json"});
    EXPECT_NE(ran.status, 0);
    EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("secret")));
    return at(json_of(ran), {"error", "code"});
  };
  const std::string good = folder_.write("good.csv", "text,label\ngood,1\nbad,0\n");
  EXPECT_EQ(code(folder_.write("header.csv", "text,label\n"), good), "bad_data");
  EXPECT_EQ(code(good, folder_.write("header2.csv", "text,label\n")), "bad_data");
  EXPECT_NE(code(folder_.write("empty.csv", ""), good), "(absent)");
  EXPECT_EQ(code(folder_.write("one.csv", "text,label\ngood,secret\nbad,secret\n"), good), "bad_data");
  EXPECT_EQ(code(folder_.write("column.csv", "words,label\ngood,1\nbad,0\n"), good), "unknown_column");
  EXPECT_EQ(code(folder_.write("label.csv", "text,mark\ngood,1\nbad,0\n"), good), "unknown_column");
  EXPECT_EQ(code(good, test_), "unknown_column");
  EXPECT_EQ(code(folder_.write("bytes.csv", "text,label\ngood,1\nsecret \xFF,0\n"), good), "bad_data");
  EXPECT_EQ(code(folder_ / "nothing.csv", good), "io");
  std::string many = "text,label\n";
  for (int i = 0; i < 51; ++i) many += "good," + std::to_string(i) + "\n";
  EXPECT_EQ(code(folder_.write("many.csv", many), good), "bad_data");
}

TEST_F(TextUtility, DocumentsWithoutKnownWordsAndAVocabularyOfOneWord) {
  const std::string strange = folder_.write("strange.csv", "text,label\nxyzzy,1\n,0\n...,0\n");
  const Ran ran = classify_files(strange, strange, {"--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string one = folder_.write("one.txt", "good 1\n");
  EXPECT_EQ(run({"text", "utility", "--train", strange, "--test", strange, "--column", "text", "--label", "label",
                 "--vectors", one, "--epsilon", "1"})
                .status,
            0);
}

TEST_F(TextUtility, PairsAreRanked) {
  const Ran ran = rank(pairs_, {"--epsilon", "1000", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("1 queries have no relevant candidate"));
  const Json json = json_of(ran);
  EXPECT_EQ(at(json, {"queries"}), "2");
  EXPECT_EQ(at(json, {"pairs"}), "5");
  EXPECT_EQ(at(json, {"left_out"}), "1");
  EXPECT_EQ(at(json, {"random", "map"}), "0.75");
  EXPECT_EQ(at(json, {"random", "mrr"}), "0.75");
  EXPECT_THAT(at(json, {"notice"}), HasSubstr("INTERNAL"));
  const Json& result = json.find("results")->elements()->at(0);
  EXPECT_THAT(keys_of(result), ElementsAre("epsilon", "clean_clean", "sanitized_clean", "clean_sanitized",
                                           "sanitized_sanitized", "unchanged_share", "masked_share"));
  for (const char* cell : {"clean_clean", "sanitized_clean", "clean_sanitized", "sanitized_sanitized"})
    EXPECT_EQ(result.find(cell)->dump(),
              R"({"map":{"mean":1,"low":1,"high":1,"sd":0},"mrr":{"mean":1,"low":1,"high":1,"sd":0}})");
  const Ran text = rank(pairs_, {"--epsilon", "0.1,2", "--repeat", "5"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("INTERNAL"), HasSubstr("2 queries, 5 pairs, 5 repetitions"),
                              HasSubstr("random order: MAP 0.750, MRR 0.750"), HasSubstr("candidates sanitised")));
}

TEST_F(TextUtility, RefusesBadPairs) {
  const auto status = [&](const std::string& bytes) {
    const Ran ran = rank(folder_.write("p.csv", bytes), {"--epsilon", "1"});
    EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("secret")));
    return ran.status;
  };
  EXPECT_EQ(status("question,answer,right\n"), 1);
  EXPECT_EQ(status("question,answer,right\ngood,film,secret\n"), 1);
  EXPECT_EQ(status("question,answer,right\ngood,film,0\n"), 1);
  EXPECT_EQ(status("question,answer,relevant\ngood,film,1\n"), 2);
  EXPECT_EQ(status("question,answer,right\ngood,secret \xFF,1\n"), 1);
  EXPECT_EQ(rank(pairs_, {"--epsilon", "1", "--repeat", "0"}).status, 2);
  EXPECT_EQ(rank(pairs_, {"--epsilon", "0"}).status, 2);
  EXPECT_EQ(rank("-", {"--epsilon", "1"}).status, 2);
}

TEST_F(TextUtility, ReadsJsonLines) {
  std::string lines;
  for (int i = 0; i < 10; ++i)
    lines += "{\"text\":\"great film\",\"label\":\"yes\"}\n{\"label\":\"no\",\"text\":\"bad film\"}\n";
  const std::string file = folder_.write("r.jsonl", lines);
  const Ran ran = classify_files(file, file, {"--json", "--model", "logistic"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(at(json_of(ran), {"train_documents"}), "20");
  const Json json = json_of(ran);
  const Json& models = *json.find("results")->elements()->at(0).find("models");
  EXPECT_THAT(keys_of(models), ElementsAre("logistic"));
  EXPECT_EQ(at(models, {"logistic", "clean_clean", "accuracy", "mean"}), "1");
}

TEST_F(TextUtility, PoliciesAreObeyed) {
  // Dropped words are not masked marks: they are gone from the sanitised text.
  const auto share = [&](const char* policy, const char* key) {
    const Ran ran = classify({"--epsilon", "1000", "--json", "--unknown", policy});
    EXPECT_EQ(ran.status, 0) << ran.err;
    const Json json = json_of(ran);
    return number_at(json.find("results")->elements()->at(0), {key});
  };
  EXPECT_DOUBLE_EQ(share("drop", "masked_share"), 1.0 / 84);
  EXPECT_DOUBLE_EQ(share("keep", "masked_share"), 0);
  EXPECT_DOUBLE_EQ(share("keep", "unchanged_share"), 1);
}

TEST_F(TextUtility, ModelsStandInTheOrderGivenAndOnce) {
  const Ran ran = classify({"--epsilon", "1", "--json", "--model", "vectors,logistic,vectors"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(keys_of(*json_of(ran).find("results")->elements()->at(0).find("models")),
              ElementsAre("vectors", "logistic"));
}

TEST_F(TextUtility, EpsilonsAreAscendingAndExact) {
  const Ran ran = classify({"--epsilon", "2.50,0.1,2.5", "--json", "--model", "logistic"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  const auto& results = *json.find("results")->elements();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(at(results[0], {"epsilon"}), "0.1");
  EXPECT_EQ(at(results[1], {"epsilon"}), "2.5");
}

TEST_F(TextUtility, AnIntervalHoldsItsMean) {
  const Ran ran = classify({"--epsilon", "0.7", "--json", "--repeat", "9", "--seed", "4"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  const Json& models = *json.find("results")->elements()->at(0).find("models");
  for (const char* model : {"logistic", "vectors"}) {
    for (const auto& [name, cell] : *models.find(model)->members()) {
      EXPECT_LE(number_at(cell, {"accuracy", "low"}), number_at(cell, {"accuracy", "mean"})) << name;
      EXPECT_GE(number_at(cell, {"accuracy", "high"}), number_at(cell, {"accuracy", "mean"})) << name;
    }
  }
}

TEST_F(TextUtility, PairsRepeatWithASeed) {
  const std::vector<std::string> seeded = {"--epsilon", "0.5,1", "--repeat", "10", "--seed", "8", "--json"};
  const Ran once = rank(pairs_, seeded);
  ASSERT_EQ(once.status, 0) << once.err;
  EXPECT_EQ(rank(pairs_, seeded).out, once.out);
  const std::vector<std::string> unseeded = {"--epsilon", "0.5,1", "--repeat", "10", "--json"};
  EXPECT_NE(rank(pairs_, unseeded).out, rank(pairs_, unseeded).out);
}

TEST_F(TextUtility, QuietKeepsTheNotesAway) {
  const Ran ran = rank(pairs_, {"--epsilon", "1", "--quiet"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_THAT(ran.out, HasSubstr("INTERNAL")) << "the notice is part of the result";
}

TEST_F(TextUtility, ReadsEveryColumnWithADelimiter) {
  std::string text = reviews();
  for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',')) text[comma] = '#';
  const std::string table = folder_.write("hash.csv", text);
  EXPECT_EQ(classify_files(table, table, {"--delimiter", "#"}).status, 0);
  EXPECT_EQ(classify_files(table, table).status, 2);
  const std::string pairs =
      folder_.write("hash-pairs.csv", "question#answer#right\ngood?#great, film#1\ngood?#bad#0\n");
  EXPECT_EQ(rank(pairs, {"--epsilon", "5", "--delimiter", "#"}).status, 0);
}

TEST_F(TextUtility, ReadsTheFilesOfAGlob) {
  folder_.write("part-1.csv", "text,label\ngood film,yes\nbad film,no\n");
  folder_.write("part-2.csv", "text,label\ngreat film,yes\n");
  const Ran ran = classify_files(folder_ / "part-*.csv", train_, {"--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(at(json_of(ran), {"train_documents"}), "3");
}

}  // namespace text_utility_command_test
}  // namespace gauze::cli
