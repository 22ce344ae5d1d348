#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/collect/mechanisms/local_mechanism.h"
#include "gauze/collect/task/task_spec.h"
#include "gauze/encoder/gauze_encoder.h"
#include "gauze/files/json.h"
#include "gauze/label/label.h"
#include "gauze/label/warning.h"

namespace gauze::collect {

/// What a user is told before agreeing: both texts are bound to the task by their digest.
struct Statement {
  std::string en;
  std::string zh;
};

/// A task: what is asked of devices and by which law, as a document for people and a block for devices.
///
/// Privacy unit   : one device's value.
/// Neighbours     : any two values.
/// Guarantee      : each report costs cost_nano at most; what the task claims is not believed.
/// Proven         : docs/proofs/local-laws.md
/// Not covered    : that a device takes part, and when; how long encoding takes; a lost ledger of a device.
class Task {
 public:
  /// Chooses the mechanism if that is left to the planner, and fixes its law. `infeasible` when the mechanism is not allowed for so many
  /// values, and what check_task_spec() refuses.
  [[nodiscard]] static Result<Task> make(TaskSpec spec);
  /// Reads the document of a task back. `bad_data` when text, block and digest disagree, or when the law is none. A law that costs more
  /// than the task claims is read: see check_claim(); it is `cost_above_claim` when text and block disagree besides.
  [[nodiscard]] static Result<Task> parse(std::string_view json);

  /// `cost_above_claim` when a report costs more than the task says: nothing is encoded under it.
  [[nodiscard]] Result<void> check_claim() const;
  /// Besides what parse() looks at: that the claim holds, and that the statement is the one that belongs to the task. `bad_data` if not.
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] const TaskSpec& spec() const { return spec_; }
  [[nodiscard]] const LocalMechanism& mechanism() const { return *mechanism_; }
  [[nodiscard]] const LawOfValues& law() const { return law_; }
  [[nodiscard]] const gauze_task& loaded() const { return loaded_; }
  [[nodiscard]] const std::string& block() const { return block_; }
  [[nodiscard]] const std::string& hash() const { return hash_; }  ///< 64 hexadecimal digits: its name on the wire
  [[nodiscard]] const Statement& statement() const { return statement_; }
  [[nodiscard]] std::uint64_t cost_nano() const { return loaded_.cost_nano; }
  [[nodiscard]] bool is_draft() const { return !spec_.missing().empty(); }
  /// The bytes of a report.
  [[nodiscard]] std::size_t payload_bytes() const { return loaded_.payload_size; }

  /// The document, as it is written and shown.
  [[nodiscard]] Json to_json() const;
  /// What every output of the task says in its label: pure, any two inputs, the cost of one report.
  [[nodiscard]] PrivacyLabel label(std::string_view kind) const;
  [[nodiscard]] std::vector<Warning> warnings() const;

 private:
  Task() = default;
  [[nodiscard]] Json document() const;  ///< without digest and block
  [[nodiscard]] std::string make_block(const Json& document) const;
  [[nodiscard]] Result<void> load_block();
  [[nodiscard]] Result<void> compare_with_block(const Json& read);  ///< and takes the law from it

  TaskSpec spec_;
  const LocalMechanism* mechanism_ = nullptr;
  LawOfValues law_;
  Statement statement_;
  std::string block_;
  std::string hash_;
  gauze_task loaded_ = {};
};

/// {"report","permanent","window","lifetime"} in epsilon.
[[nodiscard]] Json epsilon_json(const TaskSpec& spec, std::uint64_t report_nano);

}  // namespace gauze::collect
