#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "gauze/base/error.h"
#include "gauze/server/config/curator_config.h"

namespace gauze::server {

struct NewCurator {
  std::filesystem::path folder;  ///< refused when it is there
  std::string host =
      "127.0.0.1";  ///< where the listeners are, and in their certificates beside localhost and 127.0.0.1
  std::array<std::uint16_t, 3> ports{};  ///< device, analyst, admin; 0: any free one at each start
  bool sm = false;
  bool spares_loopback = false;
};

/// What was made; all paths are absolute.
struct CuratorFiles {
  std::filesystem::path config;
  std::filesystem::path ca;
  std::filesystem::path example_task;
  std::map<std::string, std::filesystem::path> tokens;  ///< admin-1, admin-2, analyst, enrolment
};

/// Makes a folder with everything a curator needs to run: a development authority and three certificates, a key-encryption key, tokens,
/// curator.yaml, an example task. It appears whole or not at all.
[[nodiscard]] Result<CuratorFiles> make_curator_folder(const NewCurator& request);

}  // namespace gauze::server
