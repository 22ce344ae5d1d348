#pragma once

/// The folder of the sources: the build links it into every test and benchmark, which find data beside it.
extern const char gauze_source_folder[];  // NOLINT(readability-identifier-naming)
