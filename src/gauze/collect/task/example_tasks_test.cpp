// Every specification of a task in examples/ is read, complete, and makes a task that says what it is.
#include <gtest/gtest.h>

#include <filesystem>

#include "gauze/base/testing/source_folder.h"
#include "gauze/collect/task/any_task.h"
#include "gauze/files/atomic_file.h"

namespace gauze::collect::example_tasks_test {
namespace {

TEST(ExampleTasks, AreCompleteAndReadBack) {
  const std::filesystem::path examples = std::filesystem::path(gauze_source_folder) / "examples";
  int read = 0;
  for (const char* folder : {"collect", "device-c"}) {
    for (const auto& entry : std::filesystem::directory_iterator(examples / folder)) {
      if (entry.path().extension() != ".yaml") continue;
      const auto spec = parse_any_task_spec(*read_file(entry.path()), entry.path().filename().string());
      ASSERT_TRUE(spec) << spec.error().message;
      const auto any = make_any_task(*spec);
      ASSERT_TRUE(any) << any.error().message;
      const DeviceTask& task = device_task(*any);
      EXPECT_FALSE(task.is_draft()) << entry.path();
      const auto again = parse_any_task(task.to_json().dump(2));
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_EQ(device_task(*again).hash(), task.hash());
      EXPECT_TRUE(check_any_task(*again));
      ++read;
    }
  }
  EXPECT_GE(read, 3);
}

}  // namespace
}  // namespace gauze::collect::example_tasks_test
