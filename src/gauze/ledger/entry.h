#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/label/label.h"
#include "gauze/ledger/terms/dataset_terms.h"
#include "gauze/ledger/terms/privacy_filter.h"

namespace gauze {

/// What an entry of the ledger records.
enum class EntryKind {
  create,    ///< a dataset with its terms
  reserve,   ///< a charge before the data is read
  commit,    ///< that the release of a reservation took place
  spend,     ///< a charge with its release
  share,     ///< the share of an analyst
  delegate,  ///< a share that one analyst gives to another
  declare,   ///< the neighbour relation of a dataset from format 1, which had none
  progress,  ///< steps of a training that are about to be persisted, of those a reservation paid for
};

[[nodiscard]] std::string_view to_string(EntryKind kind);

/// One entry. What it holds beyond the first five members depends on its kind.
struct Entry {
  std::int64_t number = 0;  ///< from 1, without gaps, over the whole file
  std::int64_t time = 0;    ///< seconds since 1970; never before that of the entry before
  EntryKind kind = EntryKind::spend;
  std::string dataset;
  /// 32 random hexadecimal digits: the same charge at the same time has another hash, so that a file that was rolled
  /// back and filled again has another head. Empty in entries of format 1.
  std::string nonce;

  std::optional<DatasetTerms> terms;  ///< create

  std::string analyst;  ///< reserve, spend, share; delegate: who gives
  std::string purpose;  ///< reserve, spend
  std::string unit;     ///< reserve, spend: whom the cost is about, which is the dataset's unit
  Neighbours neighbours = Neighbours::not_applicable;  ///< reserve, spend: of the cost as stated; declare
  Charge charge;                                       ///< reserve, spend: as stated
  Charge charged;                 ///< reserve, spend: under the dataset's relation (terms/neighbour_relation.h)
  Cost cost;                      ///< reserve, spend: what it took from the dataset
  Cost spent;                     ///< reserve, spend: all that was taken from the dataset, this one included
  std::int64_t queries = 0;       ///< reserve, spend: charges on the dataset, this one included
  std::int64_t window_index = 0;  ///< reserve, spend, of datasets with a window: which one, from creation on
  std::int64_t window_spent = 0;  ///< and what was spent in it, this one included
  std::optional<std::int64_t> corrects;  ///< reserve, spend: an earlier entry that charged too little
  std::string key_digest;                ///< reserve, spend: of the commitment key kept with it; empty without one
  std::string request;                   ///< reserve, spend: the id of the request; empty without one
  std::string request_digest;            ///< reserve, spend: of what was asked under that id (request.h)
  std::int64_t planned_steps = 0;        ///< reserve: the steps of a training that it pays for; 0: it pays for none

  std::int64_t reservation = 0;  ///< commit, progress: the entry that reserved
  std::int64_t steps = 0;        ///< progress: how many

  std::string label_sha256;   ///< commit, spend: of the label's text, kept with the entry; empty without one
  std::string output_sha256;  ///< commit, spend: of the output; empty where none was named
  std::string answer_sha256;  ///< commit, spend: of the answer kept with the entry; empty without one

  std::int64_t share = 0;  ///< share: its new size; delegate: how much is given; units of Currency::share
  std::string receiver;    ///< delegate: who receives

  [[nodiscard]] bool is_of_format_1() const { return nonce.empty(); }
  /// The first version of the format that has all its keys.
  [[nodiscard]] int format() const;
  /// Whether something that was released is kept with it.
  [[nodiscard]] bool keeps_outcome() const { return !label_sha256.empty() || !answer_sha256.empty(); }
  [[nodiscard]] bool is_charge() const { return kind == EntryKind::reserve || kind == EntryKind::spend; }

  /// The one JSON text of this entry, which its hash is made of (docs/formats/ledger.md).
  [[nodiscard]] std::string canonical() const;
  /// Reads that text and no other: a `bad_data` error for anything that canonical() would write differently.
  [[nodiscard]] static Result<Entry> parse(std::string_view body);
};

/// An entry with its place in the chain.
struct ChainedEntry {
  Entry entry;
  std::string hash;
};

/// Fresh from the operating system's generator.
[[nodiscard]] Result<std::string> make_nonce();
/// Whether the text could be a nonce.
[[nodiscard]] bool is_nonce(std::string_view text);

/// The last time an entry can have: the end of the year 9999.
inline constexpr std::int64_t kLastTime = 253'402'300'799;

/// The hash before the first entry: 64 zeros.
[[nodiscard]] const std::string& genesis_hash();
/// The hash of an entry with this body after an entry with that hash: SHA-256 in 64 hexadecimal digits.
[[nodiscard]] std::string chain_hash(std::string_view previous, std::string_view body);
/// Whether the text could be a hash.
[[nodiscard]] bool is_hash(std::string_view text);
/// What an entry holds of a commitment key: it tells nothing of a random key of 32 bytes.
[[nodiscard]] std::string digest_of_key(std::string_view key_hex);

}  // namespace gauze
