#include "gauze/patterns/job/hidden_release.h"

#include <algorithm>

#include "gauze/base/cpu_time.h"
#include "gauze/patterns/audit/audit_json.h"
#include "gauze/patterns/hiding/hiding_json.h"
#include "gauze/patterns/job/hiding_label.h"

namespace gauze::patterns {
namespace {

/// Judges the file as it will be published: it is read again, and put back into order if it was shuffled.
Result<void> judge_written(const BasketFile& file, const BasketRelease& release, HidingResult& result) {
  GAUZE_TRY(std::string ordered, in_original_order(release.bytes, release.marks, file.reading()));
  GAUZE_TRY(const BasketFile written, BasketFile::parse(std::move(ordered), file.reading()));
  GAUZE_TRY(const Database aligned, align(file.database(), written.database()));
  if (aligned.items != result.released.items || aligned.marks != result.released.marks ||
      aligned.anonymous != result.released.anonymous)
    return make_error(ErrorCode::internal, "the written file does not read back as it was meant");
  result.level = judge(aligned, result.patterns);
  return {};
}

/// `marks`, and `decoys` and `deletions` where there are some, as [row, name].
struct ChangeLists {
  Json marks = Json::array();  ///< all changes but decoys
  Json decoys = Json::array();
  Json deletions;  ///< where marks and deletions are mixed
};

ChangeLists changes_of(const Database& database, const HidingResult& result) {
  ChangeLists lists;
  const bool mixed = std::any_of(result.edits.begin(), result.edits.end(),
                                 [](const Edit& edit) { return edit.operation == Operation::mark; });
  for (const Edit& edit : result.edits) {
    Json one = Json::array({Json(edit.row + 1), Json(database.names[edit.item])});
    if (mixed && edit.operation == Operation::remove) lists.deletions.push(one);
    (edit.operation == Operation::decoy ? lists.decoys : lists.marks).push(std::move(one));
  }
  return lists;
}

}  // namespace

Result<HiddenBaskets> hide_in_file(const BasketFile& file, const SensitiveList& sensitive,
                                   const HidingRequest& request, Progress& progress) {
  const HidingOptions& options = request.options;
  HiddenBaskets hidden{.options = options, .result = {}};
  const double started = cpu_seconds();
  GAUZE_TRY(hidden.result, hide(file.database(), sensitive, options, progress));
  hidden.hiding_seconds = cpu_seconds() - started;
  HidingResult& result = hidden.result;
  GAUZE_TRY(BasketRelease written, write_release(file, result.edits, options.mark_style, request.order));
  GAUZE_TRY_VOID(judge_written(file, written, result));
  const auto is_mark = [](const Edit& edit) { return edit.operation != Operation::remove; };
  if (options.mark_style == MarkStyle::anchored && std::any_of(result.edits.begin(), result.edits.end(), is_mark))
    result.warnings.push_back(Warning::of_privacy(
        "anchored_marks", "the marks name their items: whoever fills them in reads what stood there"));
  hidden.reads_back_by_itself = reads_back_by_itself(written.bytes, file.reading());
  if (!hidden.reached() && !request.even_below_level) return hidden;
  GAUZE_TRY(HidingMetrics metrics, measure_hiding(file.database(), result.released, itemsets_of(result.patterns),
                                                  options.min_count, options.min_support, progress));
  for (Warning& one : metrics.warnings()) result.warnings.push_back(std::move(one));
  hidden.release.emplace(HiddenRelease{.file = std::move(written),
                                       .label = make_label(options, result, request.order),
                                       .metrics = std::move(metrics)});
  return hidden;
}

Json to_json(const Database& database, const HiddenBaskets& hidden) {
  const HidingResult& result = hidden.result;
  ChangeLists changes = changes_of(database, result);
  Json object = Json::object({{"marks", std::move(changes.marks)},
                              {"marks_total", result.changes()},
                              {"rows_touched", result.rows_touched()},
                              {"hiding_failure", hiding_failure(result.patterns)}});
  if (hidden.release) add_metrics(object, hidden.release->metrics);
  object.set("patterns", to_json(database, result.patterns)).set("level", word_of(kLevelWords, result.level));
  if (result.decoys.wanted > 0)
    object.set("decoys", Json::object({{"wanted", result.decoys.wanted},
                                       {"possible", result.decoys.possible},
                                       {"placed", result.decoys.placed},
                                       {"marks", std::move(changes.decoys)}}));
  if (!changes.deletions.is_null()) object.set("deletions", std::move(changes.deletions));
  if (hidden.nothing_to_hide()) object.set("nothing_to_hide", true);
  if (result.objective) object.set("objective", *result.objective).set("bound", *result.bound);
  if (hidden.options.trace) object.set("trace", trace_json(database, result));
  return object;
}

}  // namespace gauze::patterns
