#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/baskets/edit.h"

namespace gauze::patterns {

/// In which order transactions come out: that of the original, which links the two files row by row, or a uniformly random
/// one by the secure generator.
enum class RowOrder { kept, shuffled };

/// A file with its changes, and the changes by themselves: the owner's key, with which the original comes back.
struct BasketRelease {
  std::string bytes;
  std::string marks;  ///< CSV: row,position,item,operation,text; the last two lines are checks
};

/// Applies changes to the bytes of a file; everything else stays as it was, and read back with `file.reading()` it is the
/// database with these changes and no others. Of several changes of one item in a row the last counts.
///
/// mark and remove are about all places of the item in the row, also where an original mark stands for it. A decoy stands
/// where the item would stand: at its place in a row that is in rising order, else at one that cannot be guessed.
/// Shuffled, whole lines change places: header, comments and line ends stay; a last line without an end gets one. Rows and
/// positions in the marks are those before.
/// `invalid_parameter` for an item that is not there (or, for a decoy, is there or marked), for anonymous marks in a
/// matrix, and for shuffling a long table, whose column of transactions says which is which in any order; `unsupported` for
/// transactions without bytes.
[[nodiscard]] Result<BasketRelease> write_release(const BasketFile& file, std::span<const Edit> edits,
                                                  MarkStyle style, RowOrder order = RowOrder::kept);

/// Undoes them, byte for byte. `bad_data` when the file is not the release that the marks were written with, and when what
/// comes back is not the original: the marks hold the SHA-256 of both. The format is found out unless given, whichever fits the
/// marks; one that is given and is not that of the release is `invalid_parameter`. Delimiter and encoding of a file that does
/// not read back by itself must be given.
[[nodiscard]] Result<std::string> restore(std::string_view released, std::string_view marks,
                                          const BasketReading& reading = {});

/// The release with its transactions in the order of the original: as it is unless it was shuffled. `bad_data` when the marks
/// are those of another file.
[[nodiscard]] Result<std::string> in_original_order(std::string_view released, std::string_view marks,
                                                    const BasketReading& reading = {});

/// Whether a reader who is told nothing takes the released bytes for the same format, delimiter and encoding, and of a long
/// table the same columns, as `reading` (of the original, BasketFile::reading). Where not, the release needs a word about its format: a CSV may have
/// lost its last comma.
[[nodiscard]] bool reads_back_by_itself(std::string_view released, const BasketReading& reading);

}  // namespace gauze::patterns
