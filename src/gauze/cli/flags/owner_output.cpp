#include "gauze/cli/flags/owner_output.h"

#include "gauze/files/atomic_file.h"

namespace gauze::cli {

Result<void> write_for_owner(Invocation& invocation,
                             const std::function<Result<void>(const publish::ByteSink&)>& make) {
  const auto path = invocation.optional_text("output");
  if (!path || *path == "-")
    return make([&](std::string_view bytes) -> Result<void> {
      invocation.out().write(bytes);
      return {};
    });
  GAUZE_TRY(AtomicFile file, AtomicFile::create(*path));
  GAUZE_TRY_VOID(make([&](std::string_view bytes) { return file.write(bytes); }));
  return file.commit();
}

}  // namespace gauze::cli
