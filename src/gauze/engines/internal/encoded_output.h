#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/files/text_output.h"
#include "gauze/table/encoding.h"
#include "gauze/table/text_form.h"

namespace gauze::engines {

/// Whole lines on their way into a file, in its encoding.
class EncodedOutput {
 public:
  /// So many bytes are worth a write.
  static constexpr std::size_t kBlock = std::size_t{1} << 18U;

  [[nodiscard]] static Result<EncodedOutput> create(const std::string& target, table::Encoding encoding);
  /// A line of the names of columns.
  [[nodiscard]] Result<void> write_names(std::span<const std::string_view> names, const table::TextForm& form);
  [[nodiscard]] Result<void> write(std::string_view lines);
  [[nodiscard]] Result<void> commit() { return output_.commit(); }

 private:
  EncodedOutput(TextOutput output, table::Encoding encoding) : output_(std::move(output)), encoding_(encoding) {}

  TextOutput output_;
  table::Encoding encoding_;
};

}  // namespace gauze::engines
