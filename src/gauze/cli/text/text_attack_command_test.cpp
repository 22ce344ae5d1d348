#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace text_attack_command_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class TextAttack : public ::testing::Test {
 protected:
  Folder folder_;
  std::string vectors_ = folder_.write("v.txt", "film 0 0\nmovie 1 0\ngood 0 3\nbad 0 4\nthe 5 5\n");
  std::string clean_ = folder_.write("clean.txt", "The good film!\nBad movie, Zorro 42\n\nthe movie\n");
  std::string public_ = folder_.write("public.txt", "the good movie\nthe bad film\nthe good film\nZorro the movie\n");

  Ran attack(std::vector<std::string> flags, const std::string& file = "") {
    std::vector<std::string> args = {"text", "attack", file.empty() ? clean_ : file, "--vectors", vectors_};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
};

TEST_F(TextAttack, RecoversAllWordsAtAHugeEpsilon) {
  for (const char* mechanism : {"santext", "tem", "dchi"}) {
    std::vector<std::string> flags = {"--mechanism", mechanism, "--epsilon", "1000", "--public", public_, "--json"};
    if (std::string(mechanism) == "tem") flags.insert(flags.end(), {"--gamma", "4"});
    const Ran ran = attack(flags);
    ASSERT_EQ(ran.status, 0) << ran.err << ran.out;
    const Json json = json_of(ran);
    EXPECT_THAT(keys_of(json), ElementsAre("documents", "tokens", "attacked", "unaligned_documents", "vocabulary",
                                           "mechanism", "as_published", "epsilon", "language", "exact", "runs",
                                           "prior", "public_tokens", "baselines", "attacks", "notice", "warnings"));
    EXPECT_EQ(at(json, {"documents"}), "4");
    EXPECT_EQ(at(json, {"tokens"}), "9");
    EXPECT_EQ(at(json, {"attacked"}), "7");
    EXPECT_EQ(at(json, {"prior"}), "public");
    EXPECT_EQ(at(json, {"public_tokens"}), "11");
    EXPECT_THAT(at(json, {"notice"}), HasSubstr("INTERNAL"));
    for (const char* name : {"bayes", "hmm"}) {
      EXPECT_EQ(number_at(json, {"attacks", name, "recovery", "mean"}), 1) << mechanism;
      EXPECT_EQ(number_at(json, {"attacks", name, "recovered"}), 7);
      EXPECT_NEAR(number_at(json, {"attacks", name, "token_recovery"}), 7.0 / 9, 1e-12);
      EXPECT_NEAR(number_at(json, {"attacks", name, "privacy"}), 2.0 / 9, 1e-12) << "masked words are mismatches";
    }
    EXPECT_EQ(number_at(json, {"baselines", "as_read", "recovery", "mean"}), 1);
    EXPECT_LT(number_at(json, {"baselines", "prior", "recovery", "mean"}), 1);
    EXPECT_THAT(at(json, {"attacks", "mask", "model"}), HasSubstr("not BERT"));
  }
}

TEST_F(TextAttack, OneOfAThingIsCalledOne) {
  EXPECT_THAT(attack({"--epsilon", "1"}, folder_.write("one.txt", "film\n")).out,
              HasSubstr("\n1 document, 1 token: 1 drawn"));
}

TEST_F(TextAttack, HasWilsonsInterval) {
  const Ran ran = attack({"--epsilon", "1000", "--attack", "bayes", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  // 7 of 7: from 7 / (7 + 1.96^2).
  EXPECT_NEAR(number_at(json_of(ran), {"attacks", "bayes", "recovery", "low"}), 0.645, 0.001);
}

TEST_F(TextAttack, SaysWhatItIsAndWhichAttackRecoversMost) {
  const Ran ran = attack({"--epsilon", "1000", "--public", public_});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("INTERNAL"), HasSubstr("bayes recovers most, 100.0 %"), HasSubstr("not BERT"),
                             HasSubstr("understates"), HasSubstr("the public text, 11 words")));
  EXPECT_LT(ran.out.find("\nbayes"), ran.out.find("\nhmm"));
  EXPECT_THAT(ran.out, Not(HasSubstr("Zorro")));
}

// The public text speaks of nothing but bad films, so at a small epsilon the attacks guess bad where good is printed.
TEST_F(TextAttack, SaysWhenReadingRecoversMore) {
  std::string misleading;
  for (int i = 0; i < 500; ++i) misleading += "bad bad bad\n";
  const std::string good = folder_.write("good.txt", "good good good\n");
  const Ran ran =
      attack({"--epsilon", "1", "--sanitized", good, "--public", folder_.write("m.txt", misleading)}, good);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("As printed more are right (100.0 %)"));
}

TEST_F(TextAttack, WithoutPublicTextAttacksWordsAlone) {
  const Ran ran = attack({"--epsilon", "1", "--seed", "1", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(keys_of(*json_of(ran).find("attacks")), ElementsAre("bayes"));
  EXPECT_EQ(at(json_of(ran), {"prior"}), "uniform");
  EXPECT_THAT(ran.err, HasSubstr("--public"));
  EXPECT_EQ(attack({"--epsilon", "1", "--attack", "hmm"}).status, 2);
  EXPECT_EQ(attack({"--epsilon", "1", "--attack", "bayes,mask"}).status, 2);
}

TEST_F(TextAttack, RepeatsWithASeedWhateverTheThreads) {
  const std::vector<std::string> flags = {"--epsilon", "0.5", "--seed", "7", "--public", public_, "--json"};
  std::vector<std::string> one = flags;
  one.insert(one.end(), {"--threads", "1"});
  std::vector<std::string> four = flags;
  four.insert(four.end(), {"--threads", "4"});
  const Ran first = attack(one);
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(first.out, attack(four).out);
}

TEST_F(TextAttack, AlignsASanitisedText) {
  const std::string sanitised = folder_.write("s.txt", "The bad film!\nBad movie, *** ***\n\nthe cinema good\n");
  const Ran ran = attack({"--epsilon", "1000", "--sanitized", sanitised, "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  EXPECT_EQ(at(json, {"unaligned_documents"}), "1");
  EXPECT_EQ(at(json, {"documents"}), "3");
  EXPECT_EQ(at(json, {"attacked"}), "5");
  EXPECT_EQ(at(json, {"attacks", "bayes", "recovered"}), "4") << "good was printed as bad";
  const std::string unknown = folder_.write("u.txt", "The cinema film!\nBad movie, *** ***\n\nthe movie\n");
  const Ran masked = attack({"--epsilon", "1000", "--sanitized", unknown, "--json"});
  EXPECT_EQ(at(json_of(masked), {"attacked"}), "6") << "a word outside the vocabulary counts as masked";
}

TEST_F(TextAttack, AttacksWhatSanitizeWrote) {
  const std::string out = folder_ / "out.txt";
  ASSERT_EQ(run({"text", "sanitize", clean_, "--vectors", vectors_, "--epsilon", "1000", "-o", out}).status, 0);
  const Ran ran = attack({"--epsilon", "1000", "--sanitized", out, "--json"});
  EXPECT_EQ(at(json_of(ran), {"unaligned_documents"}), "0");
  EXPECT_EQ(at(json_of(ran), {"attacks", "bayes", "recovered"}), "7");
}

TEST_F(TextAttack, ReadsColumnsAndTheFirstDocuments) {
  const std::string table = folder_.write("t.csv", "id,text\n1,film\n2,movie\n3,good\n");
  const std::string other = folder_.write("p.tsv", "label\twords\n0\tthe film\n");
  const Ran ran = attack({"--column", "text", "--documents", "2", "--epsilon", "1000", "--public", other,
                          "--public-column", "words", "--json"},
                         table);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(at(json_of(ran), {"documents"}), "2");
  EXPECT_EQ(at(json_of(ran), {"public_tokens"}), "2");
  EXPECT_THAT(attack({"--column", "text", "--documents", "2", "--epsilon", "1"}, table).out,
              HasSubstr("the first 2 of 3 documents"));
  EXPECT_EQ(
      at(json_of(attack({"--column", "text", "--documents", "0", "--epsilon", "1", "--json"}, table)), {"documents"}),
      "3");
  EXPECT_EQ(attack({"--column", "nothing", "--epsilon", "1"}, table).status, 2);
  EXPECT_EQ(attack({"--epsilon", "1", "--public", other, "--public-column", "nothing"}).status, 2);
}

TEST_F(TextAttack, ReadsWithADelimiterAndGlobs) {
  const std::string table = folder_.write("t1.csv", "id#text\n1#film\n");
  folder_.write("t2.csv", "id#text\n2#movie, good\n");
  const Ran ran = attack({"--column", "text", "--delimiter", "#", "--epsilon", "1000", "--sanitized",
                          folder_ / "t?.csv", "--public", table, "--public-column", "text", "--json"},
                         folder_ / "t?.csv");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(at(json_of(ran), {"documents"}), "2");
  EXPECT_EQ(at(json_of(ran), {"public_tokens"}), "1");
  EXPECT_EQ(attack({"--delimiter", "#", "--epsilon", "1"}).status, 2);
  const Ran damaged = attack({"--column", "text", "--epsilon", "1"}, folder_.write("d.csv", "id,text\n1,\"secret"));
  EXPECT_EQ(damaged.status, 1);
  EXPECT_THAT(damaged.err, AllOf(HasSubstr("line 2 opens a quote"), Not(HasSubstr("secret"))));
}

TEST_F(TextAttack, SanTextPlusTakesItsPriorFromTheList) {
  const std::string list = folder_.write("f.txt", "the 100\nfilm 50\ngood 20\nmovie 15\nbad 10\n");
  const Ran ran = attack({"--mechanism", "santext+", "--epsilon", "1000", "--frequencies", list, "--prior", list,
                          "--w", "0.5", "--public", public_, "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err << ran.out;
  EXPECT_EQ(at(json_of(ran), {"prior"}), "list");
  EXPECT_EQ(at(json_of(ran), {"attacked"}), "7") << "words that stay were left as they are by the mechanism";
}

TEST_F(TextAttack, SaysWhetherTheLawIsKnownExactly) {
  const std::string line = folder_.write("line.txt", "film 0\nmovie 1\ngood 3\nbad 4\nthe 9\n");
  const auto exact = [&](const std::string& vectors, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"text", "attack", clean_, "--vectors", vectors, "--epsilon", "2", "--json"});
    const Json json = json_of(run(flags));
    return at(json, {"exact"}) + " " + at(json, {"runs"});
  };
  EXPECT_EQ(exact(vectors_, {}), "true null");
  EXPECT_EQ(exact(vectors_, {"--as-published"}), "true null");
  EXPECT_EQ(exact(line, {"--mechanism", "dchi"}), "true null");
  EXPECT_EQ(exact(line, {"--mechanism", "dchi", "--as-published"}), "false 100");
  EXPECT_EQ(exact(vectors_, {"--mechanism", "dchi", "--runs", "50"}), "false 50");
  EXPECT_EQ(exact(vectors_, {"--attack", "mask", "--public", public_}), "null null")
      << "it does not look at the word";
  EXPECT_THAT(attack({"--epsilon", "2"}).out, HasSubstr("\nlaw: exact\n"));
  EXPECT_THAT(attack({"--epsilon", "2", "--mechanism", "dchi"}).out,
              HasSubstr("\nlaw: estimated, 100 draws of each word\n"));
}

// At a huge epsilon the papers' floating point never prints good as bad; the mechanism proper does with a chance of 2^-60.
// Where the word bad is expected less often than that, by a list and a public text without it, the two laws guess differently.
TEST_F(TextAttack, KnowsTheMechanismThatWasUsed) {
  const std::string bad = folder_.write("bad.txt", "bad\n");
  const std::string list = folder_.write("list.txt", "good 9007199254740992\n");
  std::string language;
  for (int i = 0; i < 10'000; ++i) language += "good\n";
  std::vector<std::string> flags = {"--epsilon", "3000", "--sanitized", bad,
                                    "--prior",   list,   "--public",    folder_.write("good.txt", language),
                                    "--attack",  "hmm",  "--json"};
  EXPECT_EQ(at(json_of(attack(flags, bad)), {"attacks", "hmm", "recovered"}), "0");
  flags.push_back("--as-published");
  EXPECT_EQ(at(json_of(attack(flags, bad)), {"attacks", "hmm", "recovered"}), "1");
}

// film and movie are equally near to picture, and no pair of the public text decides: the list does.
TEST_F(TextAttack, ThePriorReachesAttacksInContext) {
  const std::string vectors = folder_.write("w.txt", "film 0 0\nmovie 1 0\npicture 0.5 0\nthe 50 50\n");
  const std::string clean = folder_.write("c.txt", "the movie\n");
  const std::string seen = folder_.write("d.txt", "the picture\n");
  const std::string other = folder_.write("p.txt", "the the\n");
  const auto recovered = [&](const std::string& list) {
    const Ran ran = run({"text", "attack", clean, "--vectors", vectors, "--epsilon", "2", "--sanitized", seen,
                         "--public", other, "--prior", list, "--attack", "hmm", "--json"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    return at(json_of(ran), {"attacks", "hmm", "recovered"});
  };
  EXPECT_EQ(recovered(folder_.write("movie.txt", "movie 1000\n")), "2");
  EXPECT_EQ(recovered(folder_.write("film.txt", "film 1000\n")), "1");
}

TEST_F(TextAttack, TakesTextWithNothingToAttack) {
  const std::string nothing = folder_.write("n.txt", "Zorro\n\n?!\n");
  const Ran json = attack({"--epsilon", "1", "--public", public_, "--json"}, nothing);
  ASSERT_EQ(json.status, 0) << json.err;
  EXPECT_EQ(at(json_of(json), {"attacks", "hmm", "recovery"}), "null");
  EXPECT_EQ(at(json_of(json), {"attacks", "bayes", "recovery"}), "null");
  EXPECT_EQ(number_at(json_of(json), {"attacks", "bayes", "privacy"}), 1);
  EXPECT_THAT(attack({"--epsilon", "1"}, nothing).out, HasSubstr("nothing to attack"));
  const Ran blank = attack({"--epsilon", "1", "--json"}, folder_.write("b.txt", "\n\n"));
  EXPECT_EQ(at(json_of(blank), {"attacks", "bayes", "privacy"}), "null");
}

TEST_F(TextAttack, TakesAVocabularyOfOneWord) {
  const Ran ran = attack({"--limit", "1", "--epsilon", "1", "--public", public_, "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(number_at(json_of(ran), {"attacks", "hmm", "recovery", "mean"}), 1);
}

TEST_F(TextAttack, RefusesBadInput) {
  for (const char* epsilon : {"0", "-1", "nan", "x"}) EXPECT_EQ(attack({"--epsilon", epsilon}).status, 2) << epsilon;
  EXPECT_EQ(attack({}).status, 2);
  EXPECT_EQ(attack({"--epsilon", "1", "--attack", "bert"}).status, 2);
  EXPECT_EQ(attack({"--epsilon", "1", "--attack", "bayes,"}).status, 2);
  EXPECT_EQ(attack({"--epsilon", "1", "--documents", "-1"}).status, 2);
  EXPECT_EQ(attack({"--epsilon", "1", "--seed", "-1"}).status, 2);
  EXPECT_EQ(attack({"--epsilon", "1", "--runs", "10"}).status, 2) << "dchi alone is simulated";
  EXPECT_EQ(attack({"--epsilon", "1", "--mechanism", "dchi", "--runs", "0"}).status, 2);
  EXPECT_EQ(attack({"--epsilon", "1", "--public-column", "x"}).status, 2);
  const Ran large = attack({"--epsilon", "1", "--mechanism", "dchi", "--runs", "2000000"});
  EXPECT_EQ(large.status, 2);
  EXPECT_THAT(large.err, HasSubstr("limit"));
  EXPECT_NE(attack({"--epsilon", "1"}, folder_ / "nothing").status, 0);
  EXPECT_EQ(attack({"--epsilon", "1"}, folder_.write("empty.txt", "")).status, 1);
  EXPECT_EQ(attack({"--epsilon", "1", "--public", folder_.write("p.txt", "Zorro\n")}).status, 1);
}

TEST_F(TextAttack, NamesTheDocumentAndNeverQuotesIt) {
  const std::string bad = folder_.write("bad.txt", "film\nsecret \xFF\n");
  const std::string two = folder_.write("two.txt", "film\nmovie\n");
  for (const Ran& ran : {attack({"--epsilon", "1"}, bad), attack({"--epsilon", "1", "--sanitized", bad}, two),
                         attack({"--epsilon", "1", "--public", bad})}) {
    EXPECT_EQ(ran.status, 1);
    EXPECT_THAT(ran.err, AllOf(HasSubstr("2"), Not(HasSubstr("secret"))));
  }
  const Ran other = attack({"--epsilon", "1", "--sanitized", two});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, AllOf(HasSubstr("4 documents"), HasSubstr("has 2")));
}

class AttackOnALabelledText : public TextAttack {
 protected:
  AttackOnALabelledText() {
    EXPECT_EQ(run({"text", "sanitize", clean_, "--vectors", vectors_, "--mechanism", "tem", "--gamma", "4",
                   "--epsilon", "7.5", "--language", "en", "-o", out_, "--quiet"})
                  .status,
              0);
  }
  std::string out_ = folder_ / "out.txt";
};

TEST_F(AttackOnALabelledText, TakesMechanismEpsilonAndLanguageFromTheLabel) {
  const Ran ran = attack({"--sanitized", out_, "--gamma", "4", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(at(json_of(ran), {"mechanism"}), "tem");
  EXPECT_EQ(at(json_of(ran), {"epsilon"}), "7.5");
  EXPECT_EQ(at(json_of(ran), {"language"}), "en");
  const Ran same = attack(
      {"--sanitized", out_, "--gamma", "4", "--mechanism", "tem", "--epsilon", "7.50", "--language", "en", "--json"});
  EXPECT_EQ(same.out, ran.out);
}

TEST_F(AttackOnALabelledText, RefusesWhatTheLabelContradictsWithBothValues) {
  const auto refused = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--sanitized", out_});
    const Ran ran = attack(more);
    EXPECT_EQ(ran.status, 2);
    return ran.err;
  };
  EXPECT_THAT(refused({"--gamma", "4", "--epsilon", "3"}), HasSubstr("epsilon 7.5, not 3"));
  EXPECT_THAT(refused({"--mechanism", "santext"}), HasSubstr("mechanism tem, not santext"));
  EXPECT_THAT(refused({"--gamma", "2"}), HasSubstr("largest_distance 4, not 2"));
  EXPECT_THAT(refused({"--gamma", "4", "--as-published"}), HasSubstr("mechanism tem, not tem, as published"));
  EXPECT_THAT(refused({"--gamma", "4", "--language", "zh"}), HasSubstr("language en, not zh"));
  EXPECT_THAT(refused({"--gamma", "4", "--limit", "4"}), HasSubstr("vectors "));
  EXPECT_EQ(attack({"--sanitized", folder_.write("bare.txt", folder_.read("out.txt"))}).status, 2) << "no label";
}

TEST_F(AttackOnALabelledText, RefusesALabelThatIsNotOfThisText) {
  folder_.write("out.txt", "the film\n");
  EXPECT_EQ(attack({"--sanitized", out_, "--gamma", "4"}).status, 1);
  ASSERT_EQ(
      run({"text", "sanitize", clean_, "--vectors", vectors_, "--epsilon", "2", "--shuffle", "-o", out_}).status, 0);
  const Ran shuffled = attack({"--sanitized", out_});
  EXPECT_EQ(shuffled.status, 2);
  EXPECT_THAT(shuffled.err, HasSubstr("random order"));
}

}  // namespace text_attack_command_test
}  // namespace gauze::cli
