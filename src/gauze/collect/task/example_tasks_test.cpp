// Every specification of a task in examples/ is read, complete, and makes a task that says what it is.
#include <gtest/gtest.h>

#include <filesystem>

#include "gauze/base/testing/source_folder.h"
#include "gauze/collect/task/task.h"
#include "gauze/files/atomic_file.h"

namespace gauze::collect::example_tasks_test {
namespace {

TEST(ExampleTasks, AreCompleteAndReadBack) {
  const std::filesystem::path examples = std::filesystem::path(gauze_source_folder) / "examples";
  int read = 0;
  for (const char* folder : {"collect", "device-c"}) {
    for (const auto& entry : std::filesystem::directory_iterator(examples / folder)) {
      if (entry.path().extension() != ".yaml") continue;
      const auto spec = parse_task_spec(*read_file(entry.path()), entry.path().filename().string());
      ASSERT_TRUE(spec) << spec.error().message;
      const auto task = Task::make(*spec);
      ASSERT_TRUE(task) << task.error().message;
      EXPECT_FALSE(task->is_draft()) << entry.path();
      const auto again = Task::parse(task->to_json().dump(2));
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_EQ(again->hash(), task->hash());
      EXPECT_TRUE(again->check());
      ++read;
    }
  }
  EXPECT_GE(read, 2);
}

}  // namespace
}  // namespace gauze::collect::example_tasks_test
