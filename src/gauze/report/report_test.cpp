#include "gauze/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "gauze/base/testing/source_folder.h"
#include "gauze/files/json.h"

namespace gauze {
namespace report_test {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kOpening = R"(<script type="application/json" id="gauze-document">)";

/// What a browser takes for the document: everything up to the next end tag.
std::string embedded(const std::string& page) {
  const auto begin = page.find(kOpening) + kOpening.size();
  return page.substr(begin, page.find("</script", begin) - begin);
}

std::size_t occurrences(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Report, HoldsTheDocument) {
  const Json document = Json::object({{"epsilon", 0.5}, {"file", "adult.data"}});
  EXPECT_EQ(embedded(render_report(document.dump())), R"({"epsilon":0.5,"file":"adult.data"})");
}

TEST(Report, IsThePageOfTheWebFolderAroundTheDocument) {
  std::ifstream file(std::string(gauze_source_folder) + "/web/dist/report.html", std::ios::binary);
  ASSERT_TRUE(file.is_open());
  std::ostringstream page;
  page << file.rdbuf();
  EXPECT_EQ(render_report("null"), page.str());
}

TEST(Report, NoValueClosesTheElementThatHoldsIt) {
  const std::string attack = "</script><script>alert(1)</script><!-- & \xE2\x80\xA8 \xE2\x80\xA9 -->";
  const std::string page = render_report(Json::object({{attack, attack}}).dump());
  EXPECT_EQ(occurrences(page, "alert(1)"), 2u);
  const std::string held = embedded(page);
  EXPECT_EQ(occurrences(held, "alert(1)"), 2u);
  EXPECT_THAT(held, Not(HasSubstr("<")));
  EXPECT_THAT(held, Not(HasSubstr(">")));
  EXPECT_THAT(held, Not(HasSubstr("&")));
  EXPECT_THAT(held, Not(HasSubstr("\xE2\x80\xA8")));
  EXPECT_THAT(held, Not(HasSubstr("\xE2\x80\xA9")));
}

TEST(Report, AnEscapedDocumentReadsBackToItself) {
  const std::string text = "</script> <b>&amp;</b> \xE2\x80\xA8\xE2\x80\xA9 \xE6\x80\xA7\xE5\x88\xAB \\ \" \n";
  const auto document = nlohmann::json{{"name", text}, {"numbers", {0.1, 1e-9, nullptr}}};
  EXPECT_EQ(nlohmann::json::parse(embedded(render_report(document.dump()))), document);
}

TEST(Report, DoesNotDependOnTheDocumentBeyondItsText) {
  const std::string small = render_report("{}");
  const std::string large = render_report(std::string(100'000, ' ') + "{}");
  EXPECT_EQ(large.size(), small.size() + 100'000);
}

TEST(Report, AsksTheNetworkForNothing) {
  const std::string page = render_report("null");
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, HasSubstr("script-src 'sha256-"));
  // Addresses occur as names of XML languages and in texts, never in an attribute that is fetched.
  EXPECT_FALSE(std::regex_search(page.substr(0, page.find("<style>")), std::regex("(src|href)=\"(https?:)?//")));
  EXPECT_THAT(page, Not(HasSubstr("<link rel=\"stylesheet\"")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_THAT(page, Not(HasSubstr("sourceMappingURL")));
}

TEST(Report, IsSmallEnoughToSend) { EXPECT_LT(render_report("null").size(), 1'200'000u); }

}  // namespace report_test
}  // namespace gauze
