#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/byte_source.h"
#include "gauze/files/json.h"
#include "gauze/label/commitment.h"
#include "gauze/label/label.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/ledger/charge_book.h"
#include "gauze/ledger/request.h"
#include "gauze/publish/labelled_output.h"

namespace gauze::publish {

/// Who pays for a release.
struct Account {
  /// The file of a ledger, or one that is open: what the threads of a server share (GroupCommit).
  std::variant<std::filesystem::path, std::shared_ptr<ChargeBook>> ledger;
  std::string dataset;
  std::string analyst = "owner";
  std::string purpose = {};               ///< stands in the ledger
  std::optional<RequestId> request = {};  ///< under which it is charged, and drawn, once
  bool resume = false;  ///< a server after its restart: takes up its own reservation of that request
};

/// The digest of a request: what was asked, by whom, under which policy or schema (its bytes). Nothing private belongs into
/// `parameters`, and no place of a file.
[[nodiscard]] std::string request_digest(std::string_view command, const Json& parameters, std::string_view analyst,
                                         std::string_view document);

/// One release on its way out: begin, reserve, read and draw, finish. Every command and server goes this way.
///
/// Charged        : before private data is read, and never refunded; on the disk by then. Whatever fails afterwards leaves the
///                  charge, and aftermath() says so.
/// Labelled       : no output appears without its label, and no label that breaks a rule appears at all. A label says which
///                  entry of the ledger it was paid by, or that it was not recorded.
/// Committed      : in the ledger, once output and label are in their places.
/// Steps          : what pays for a training counts its steps in the ledger first, and puts the checkpoint or the model that holds
///                  them in place second: a crash between the two loses those steps, and never lets one out that is not counted.
/// Not covered    : whether the cost is what the release costs, and whether the caller reads before it reserves.
/// Thread safety  : one thread at a time; several publications may share a ledger that several threads may use.
class Publication {
 public:
  struct Request {
    std::optional<Account> account = {};  ///< none: not recorded
    bool seeded = false;  ///< drawn from a seed: the label promises nothing, and nothing can be charged
    std::vector<std::string> outputs = {};  ///< where outputs will go: whether something can be put there is tried
  };

  /// Opens the ledger and tries the places of the outputs; touches nothing private. `usage` for a seeded release that someone
  /// would be charged for, and what LabelledOutput refuses.
  [[nodiscard]] static Result<Publication> begin(Request request);

  /// Charges. A refusal is data: what is left, what would be allowed. Another privacy unit than the dataset's, and a cost that
  /// no budget can be charged for, are `invalid_parameter`. Without an account nothing happens.
  /// An empty unit is the dataset's: the label will name it. A request that was answered before is a refusal that carries
  /// the stored label and digest; nothing may be drawn again (RepeatedAnswer gives it out).
  /// `planned_steps`: of a training, each of which must go through progress() before what it gave is put anywhere.
  [[nodiscard]] tl::expected<void, Refusal> reserve(const PrivacyCost& cost, std::uint64_t planned_steps = 0);
  /// In place of reserve(), for a training that is continued: takes up its reservation and charges nothing. `invalid_parameter`
  /// unless it was made on the account's dataset for this cost, unit, neighbours and number of steps.
  [[nodiscard]] Result<void> take_up(std::int64_t reservation, const PrivacyCost& cost, std::uint64_t planned_steps);
  /// How many planned steps were not counted when this publication last looked.
  [[nodiscard]] std::uint64_t steps_left() const { return planned_steps_ - counted_steps_; }
  /// The number of the reservation.
  [[nodiscard]] std::int64_t reservation() const { return grant_ ? grant_->entry : 0; }

  /// Counts steps in the ledger: before each checkpoint and before the model, since the one before or the one it was
  /// continued from. `budget_exhausted` when that is more than is left; then nothing may be put in place. Without a charge nothing
  /// happens.
  [[nodiscard]] Result<void> progress(std::uint64_t steps);
  /// Puts a checkpoint of counted steps with its label in place; the release goes on.
  [[nodiscard]] Result<void> put_checkpoint(PrivacyLabel label, LabelledOutput& output);

  /// Binds bytes under the key that the ledger keeps with the charge, for a file that must be known again; and whether these are
  /// they. Only where something is charged.
  [[nodiscard]] std::string commitment_to(std::string_view purpose, std::string_view bytes) const;
  [[nodiscard]] bool is_commitment_to(std::string_view purpose, std::string_view bytes,
                                      std::string_view commitment) const;

  /// What the bytes of the input are to be shown to as they are read: the label is bound to them, under the key that the ledger
  /// keeps with the charge. None without a charge: nothing is bound. To be used up before open() or finish().
  [[nodiscard]] ByteWitness witness_of_input();
  /// The same for one of several inputs, each under its own name.
  [[nodiscard]] ByteWitness witness_of_input(const std::string& name);
  void bind_policy(std::string_view bytes);

  /// Completes the label: what a seed takes away, the entry of the ledger, commitments. For answers that are streamed: it is
  /// the label to be shown before the first byte. finish() does it otherwise.
  [[nodiscard]] Result<void> open(PrivacyLabel& label);
  /// Has the answer itself kept with the commit, so that a repeated request gives it again: up to 1 MiB, and only under a
  /// request id. finish() does so with the bytes of a single output.
  void keep_answer(std::string answer) { answer_ = std::move(answer); }
  /// Puts every output with the label in its place, then commits the charge. Several outputs share the label, each bound to
  /// its own bytes; the one given back is that of the last.
  [[nodiscard]] Result<void> finish(PrivacyLabel& label, std::span<LabelledOutput> outputs);

  /// Whether somebody has been charged.
  [[nodiscard]] bool is_charged() const { return grant_.has_value(); }
  /// What stays done if anything fails from now on, for the end of a message; empty when nothing was charged.
  [[nodiscard]] std::string aftermath() const;
  /// {"dataset","entry","charged","left","head"}, or null when nothing is recorded.
  [[nodiscard]] Json to_json() const;
  /// "charged epsilon 1 to 'visits', entry 3; left ...", or that nothing was recorded.
  [[nodiscard]] std::string text() const;

 private:
  Publication() = default;
  [[nodiscard]] Result<void> commit(const Outcome& outcome);
  [[nodiscard]] Result<ChargeRequest> charge_request(const PrivacyCost& cost) const;

  Request request_;
  std::shared_ptr<ChargeBook> ledger_;  ///< none: nobody is charged
  std::optional<CommitmentKey> key_;
  std::optional<Grant> grant_;
  Charge stated_;
  std::string head_;
  std::unique_ptr<Commitment> input_;  ///< to what witness_of_input() is shown
  std::map<std::string, std::unique_ptr<Commitment>> inputs_;
  std::optional<std::string> policy_;
  std::optional<PrivacyLabel::Commitments> commitments_;  ///< of the first label, for all of them
  std::uint64_t planned_steps_ = 0;
  std::uint64_t counted_steps_ = 0;
  bool is_counted_ = false;  ///< steps that nothing was put in place for yet
  std::optional<std::string> answer_;
  bool opened_ = false;
  bool written_ = false;
  bool committed_ = false;
};

/// Takes every promise out of a label whose output was drawn from a seed.
void mark_seeded(PrivacyLabel& label);

}  // namespace gauze::publish
