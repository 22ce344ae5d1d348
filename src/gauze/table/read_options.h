#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gauze/table/decimal_sign.h"

namespace gauze::table {

/// How an input is to be read. What is not given is found out from the file.
struct ReadOptions {
  std::optional<std::string> delimiter = {};  ///< CSV: one ASCII character
  std::optional<std::string> quote = {};      ///< CSV: one ASCII character; the empty text: nothing is quoted
  std::optional<bool> header = {};            ///< CSV: whether the first line holds names
  std::vector<std::string> names = {};        ///< names of the columns, instead of those in the file
  std::vector<std::string> null_tokens = {};  ///< missing besides `?`, the empty text and NULL
  std::optional<std::string> encoding = {};   ///< "utf-8", "utf-16", "gb18030", "latin-1"
  std::optional<DecimalSign> decimal = {};    ///< of numbers that are stored as text
};

}  // namespace gauze::table
