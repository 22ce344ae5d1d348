#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/schema/hierarchies/hierarchy.h"

namespace gauze::schema {

/// A hierarchy as it lies in a file: text in the style of ARX, without a header, one line a ground value, column i is
/// level i. docs/formats/hierarchies.md
struct HierarchyFile {
  Hierarchy hierarchy;
  bool made_from_data = false;  ///< the file says so in its first line; such a hierarchy is not public
  char delimiter = ';';
};

/// The first line of files that were made from data. It is the only line that is a comment.
inline constexpr std::string_view kMadeFromData = "# gauze: made from data";

/// Reads the text of a file. The delimiter is `;`, tab, `|` or `,`, found out unless given: the first of these, in this
/// order, that cuts every line of the beginning into the same number of pieces, at least two. Values may stand in double
/// quotes ("" for a quote inside); blanks around them and blank lines do not count; line ends may be CRLF; a byte order
/// mark is skipped. Total: any bytes give a hierarchy or `bad_data` with the line. Values are not quoted in errors.
[[nodiscard]] Result<HierarchyFile> parse_hierarchy(std::string_view text, std::string name,
                                                    std::optional<char> delimiter = std::nullopt);

/// The same from a file of at most 512 MiB.
[[nodiscard]] Result<HierarchyFile> read_hierarchy_file(const std::filesystem::path& path, std::string name,
                                                        std::optional<char> delimiter = std::nullopt);

/// The text of a file, delimited by `;`. parse_hierarchy gives the same hierarchy back.
[[nodiscard]] std::string format_hierarchy(const Hierarchy& hierarchy, bool made_from_data);

/// Writes a file that appears whole or not at all.
[[nodiscard]] Result<void> write_hierarchy_file(const std::filesystem::path& path, const Hierarchy& hierarchy,
                                                bool made_from_data);

}  // namespace gauze::schema
