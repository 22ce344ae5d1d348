#include "gauze/server/api/routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/base/testing/source_folder.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"

namespace gauze::server {
namespace routes_test {

TEST(Routes, TheDocumentOfTheDocsIsTheOneThatIsServed) {
  const auto published = read_file(std::string(gauze_source_folder) + "/docs/formats/curator-openapi.json");
  ASSERT_TRUE(published) << published.error().message;
  EXPECT_EQ(*published, openapi_document()) << "GET /v1/openapi.json writes docs/formats/curator-openapi.json";
}

TEST(Routes, EveryRouteIsInTheDocumentWithItsStatuses) {
  const auto document = read_json(openapi_document());
  ASSERT_TRUE(document);
  const Json& paths = *document->find("paths");
  for (const Route& route : routes()) {
    const Json* path = paths.find(route.path);
    ASSERT_NE(path, nullptr) << route.path;
    const std::string method = route.method == "POST" ? "post" : route.method == "DELETE" ? "delete" : "get";
    const Json* operation = path->find(method);
    ASSERT_NE(operation, nullptr) << route.path;
    ASSERT_NE(operation->find("security"), nullptr) << route.path;
    const bool is_open = route.access == Access::anybody || route.access == Access::nobody;
    EXPECT_TRUE(is_open || operation->find("security")->elements()->size() > 0) << route.path;
    const Json& answers = *operation->find("responses");
    for (const char* status : {"400", "429"}) EXPECT_NE(answers.find(status), nullptr) << route.path;
  }
}

TEST(Routes, APathIsOneSegmentForEachName) {
  const Route* approve = nullptr;
  for (const Route& route : routes())
    if (route.action == Action::approve_task) approve = &route;
  ASSERT_NE(approve, nullptr);
  EXPECT_EQ(match(*approve, "/v1/tasks/pages/approve"), "pages");
  EXPECT_EQ(match(*approve, "/v1/tasks/北京 a/approve"), "北京 a");
  for (const char* path : {"/v1/tasks//approve", "/v1/tasks/approve", "/v1/tasks/a/b/approve", "/v1/tasks/a/approve/",
                           "/V1/tasks/a/approve", ""})
    EXPECT_EQ(match(*approve, path), std::nullopt) << path;
}

TEST(Routes, NoTwoAreTheSame) {
  std::set<std::string> known;
  for (const Route& route : routes()) {
    for (const auto& [listener, word] : kListenerWords) {
      if (!route.listeners[static_cast<std::size_t>(listener)]) continue;
      const std::string what = fmt::format("{} {} {}", route.method, route.path, word);
      EXPECT_TRUE(known.insert(what).second) << what;
    }
  }
}

}  // namespace routes_test
}  // namespace gauze::server
