#pragma once
// What a ReportStore is made of; for report_store*.cpp alone.

#include <memory>
#include <mutex>

#include "gauze/server/store/internal/aggregates.h"
#include "gauze/server/store/internal/block_index.h"
#include "gauze/server/store/internal/block_writer.h"
#include "gauze/server/store/internal/database.h"
#include "gauze/server/store/internal/group_queue.h"
#include "gauze/server/store/internal/report_families.h"
#include "gauze/server/store/internal/sealed_rows.h"
#include "gauze/server/store/report_store.h"

namespace gauze::server {

struct ReportStore::Parts {
  explicit Parts(Options given, Acceptance taken) : options(std::move(given)), acceptance(std::move(taken)) {}

  Options options;
  Acceptance acceptance;
  std::unique_ptr<internal::Database> database;
  std::unique_ptr<internal::SealedRows> state_rows;
  std::unique_ptr<internal::ReportFamilies> families;
  std::unique_ptr<internal::BlockIndex> index;
  std::unique_ptr<internal::Aggregates> aggregates;
  std::unique_ptr<internal::BlockWriter> writer;
  std::unique_ptr<internal::GroupQueue> queue;
  std::mutex sweep_mutex;  ///< one sweep, check or backup at a time
  mutable std::mutex figures_mutex;
  StoreFigures figures;

  void step(std::string_view name) const {
    if (options.between_steps) options.between_steps(name);
  }
  [[nodiscard]] std::int64_t today() const;
  /// Removes what the register says is being swept; each part of it may have been done before.
  [[nodiscard]] Result<void> finish_removals();
  [[nodiscard]] Result<void> add_up_what_no_state_covers(const TaskDirectory& tasks);
};

/// Keeps a family from being dropped while it is read. Not held: it was taken out of use before.
class FamilyReading {
 public:
  FamilyReading(const internal::ReportFamilies& families, internal::ReportFamilyPointer family)
      : family_(std::move(family)), lock_(family_->being_read) {
    if (!families.is_live(family_->date)) lock_.unlock();
  }
  [[nodiscard]] bool is_held() const { return lock_.owns_lock(); }
  [[nodiscard]] const internal::ReportFamily& family() const { return *family_; }

 private:
  internal::ReportFamilyPointer family_;
  std::shared_lock<std::shared_mutex> lock_;
};

}  // namespace gauze::server
