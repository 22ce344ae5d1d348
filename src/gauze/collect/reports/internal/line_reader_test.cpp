#include "gauze/collect/reports/internal/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "gauze/collect/reports/testing/report_files.h"

namespace gauze::collect::internal {
namespace line_reader_test {

using testing::base64;
using testing::direct_task;
using testing::line_of;

const std::string kHash(64, 'a');

std::string line(const std::string& task, const std::string& period, const std::string& payload) {
  return R"({"task":")" + task + R"(","period":)" + period + R"(,"payload":")" + payload + R"("})";
}

bool reads(const std::string& text) {
  ReportLine out;
  return parse_report_line(text, out);
}

TEST(ReportLine, ReadsBackWhatIsWritten) {
  EXPECT_TRUE(rc::check("any payload", [](const std::vector<unsigned char>& payload, std::uint32_t period) {
    const std::string bytes(payload.begin(), payload.end());
    ReportLine usual;
    RC_ASSERT(parse_report_line(line(kHash, std::to_string(period), base64(bytes)), usual));
    RC_ASSERT(usual.payload == payload && usual.period == period);
    // The same in another order, which goes another way through the program.
    ReportLine other;
    RC_ASSERT(parse_report_line(
        fmt::format(R"( {{ "payload":"{}","period" : {},"task":"{}"}} )", base64(bytes), period, kHash), other));
    RC_ASSERT(other.payload == payload && other.period == period && other.task == usual.task);
  }));
}

TEST(ReportLine, RefusesAnythingElse) {
  EXPECT_TRUE(reads(line(kHash, "4294967295", "AQ==")));
  for (const std::string& wrong : {std::string(),
                                   std::string("{}"),
                                   std::string("[]"),
                                   std::string("1"),
                                   line(kHash, "4294967296", "AQ=="),
                                   line(kHash, "-1", "AQ=="),
                                   line(kHash, "1.0", "AQ=="),
                                   line(kHash, "1e3", "AQ=="),
                                   line(kHash, "01", "AQ=="),
                                   line(kHash, "\"1\"", "AQ=="),
                                   line(kHash, "null", "AQ=="),
                                   line(kHash, "", "AQ=="),
                                   line(kHash, " ", "AQ=="),
                                   line(std::string(63, 'a'), "1", "AQ=="),
                                   line(std::string(64, 'A'), "1", "AQ=="),
                                   line(std::string(64, 'g'), "1", "AQ=="),
                                   line(kHash, "1", "AQ="),
                                   line(kHash, "1", "AQ"),
                                   line(kHash, "1", "AR=="),
                                   line(kHash, "1", "AQA"),
                                   line(kHash, "1", "AQF="),
                                   line(kHash, "1", "A==="),
                                   line(kHash, "1", "===="),
                                   line(kHash, "1", "AQ==AQ=="),
                                   line(kHash, "1", "A Q="),
                                   line(kHash, "1", "AQ-_"),
                                   line(kHash, "1", "AQ==") + "x",
                                   line(kHash, "1", "AQ==") + line(kHash, "1", "AQ=="),
                                   line(kHash, "1", R"(AQ==","payload":"AQ==)"),
                                   line(kHash, "1", R"(AQ==","more":")"),
                                   R"({"task":")" + kHash + R"(","period":1})"})
    EXPECT_FALSE(reads(wrong)) << wrong;
}

TEST(ReportLine, TakesEscapesOfJson) { EXPECT_TRUE(reads(line(kHash, "1", "\\u0041Q=="))); }

TEST(ScanLines, KeepsPayloadsOfOnePeriodTogether) {
  const ReportTask task = direct_task(300);
  const std::string text =
      line_of(task, 1, "ab") + line_of(task, 1, "cd") + line_of(task, 2, "ef") + "wrong\n" + line_of(task, 1, "gh");
  ScannedLines out;
  scan_lines(text, task, out);
  ASSERT_EQ(out.found.runs.size(), 3U);
  EXPECT_EQ(out.found.runs[0].count, 2U);
  EXPECT_EQ(std::string(out.found.runs[0].reports, out.found.runs[0].reports + 4), "abcd");
  EXPECT_EQ(std::string(out.found.runs[2].reports, out.found.runs[2].reports + 2), "gh");
  EXPECT_EQ(out.found.rejected.malformed, 1U);
}

}  // namespace line_reader_test
}  // namespace gauze::collect::internal
