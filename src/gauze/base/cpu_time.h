#pragma once

namespace gauze {

/// Seconds of processor time that this process has used, all threads together.
[[nodiscard]] double cpu_seconds();

}  // namespace gauze
