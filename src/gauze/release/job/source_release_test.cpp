#include "gauze/release/job/source_release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/schema/testing/small_tables.h"

namespace gauze::release {
namespace source_release_test {

using ::testing::Contains;

/// A source of rows in memory that shows its bytes.
class RowsInMemory : public table::DeclaredSource {
 public:
  explicit RowsInMemory(std::uint64_t rows) : rows_(rows) {}
  [[nodiscard]] Result<table::TupleCounts> group(Progress&, const ByteWitness& witness) override {
    if (witness) witness("the bytes");
    return schema::make_tuples({{"a0"}, {"a1"}}, {rows_, rows_ / 2});
  }
  [[nodiscard]] Result<void> read(table::RowSink& rows, Progress&, const ByteWitness& witness) override {
    if (witness) witness("the bytes");
    const std::string_view cells[] = {"a0"};
    for (std::uint64_t row = 0; row < rows_; ++row) rows.add(cells);
    return {};
  }
  [[nodiscard]] std::string assumption() const override { return "whoever wrote it is trusted"; }

 private:
  std::uint64_t rows_;
};

schema::Policy policy() {
  return schema::parse_policy(
             "version: 1\ncolumns:\n  a: {role: quasi, values: [a0, a1]}\nprivacy: {k: 2}\n"
             "release: {mode: grid, levels: {a: 0}}\nprovenance: {quasi: public, hierarchies: public, levels: public, k: "
             "public, epsilon: public}\n")
      .value();
}

TEST(SourceRelease, ComesWithItsLabelAndWhatTheSourceTakesForGranted) {
  const schema::Policy asked = policy();
  const auto plan = ReleasePlan::make(asked, {.epsilon = 1, .delta = 0});
  ASSERT_TRUE(plan) << plan.error().message;
  RowsInMemory source(1'000);
  Progress progress;
  std::string seen;
  const auto made = release_source(
      SecureRandom::of_thread(), source, *plan, asked, [&](std::string_view piece) { seen += piece; }, progress);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(seen, "the bytes");
  EXPECT_TRUE(made->label.check_rules());
  EXPECT_THAT(made->label.does_not_cover, Contains("whoever wrote it is trusted"));
  EXPECT_GE(made->release.histogram.cells.size(), 2U) << "a thousand rows are not cut away";
  EXPECT_TRUE(made->warnings.empty());
}

TEST(SourceRelease, AnEmptyOneIsWarnedOf) {
  const schema::Policy asked = policy();
  const auto plan = ReleasePlan::make(asked, {.epsilon = 100, .delta = 0});
  ASSERT_TRUE(plan) << plan.error().message;
  RowsInMemory source(0);
  Progress progress;
  SeededRandom random(7);
  const auto made = simulate_source(random, source, *plan, asked, {}, progress);
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(made->release.histogram.cells.size(), 0U);
  ASSERT_EQ(made->warnings.size(), 1U);
  EXPECT_EQ(made->warnings[0].code, "empty_release");
}

}  // namespace source_release_test
}  // namespace gauze::release
