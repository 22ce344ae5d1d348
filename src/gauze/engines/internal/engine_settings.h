#pragma once

#include <cstdint>
#include <filesystem>

#include "gauze/engines/engine_options.h"

namespace gauze::engines {

/// The options of an engine with nothing left open.
struct EngineSettings {
  explicit EngineSettings(const EngineOptions& options);

  int threads;
  std::uint64_t memory;
  std::filesystem::path temporary;
  std::size_t values_in_memory;

  /// Of rows that are put into a random order, kept at once.
  [[nodiscard]] std::size_t shuffle_bytes() const { return memory / 4; }
};

}  // namespace gauze::engines
