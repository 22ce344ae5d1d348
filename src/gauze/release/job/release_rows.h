#pragma once

#include <cstdint>
#include <memory>

#include "gauze/files/json.h"
#include "gauze/release/job/published_release.h"
#include "gauze/release/job/release_job.h"
#include "gauze/release/job/release_plan.h"
#include "gauze/table/row_stream.h"

namespace gauze::release {

/// The rows of a release as they are written (docs/guide/release.md). Counts: one per class, with values, count and interval, and
/// the remainder as the last one, `(other)`, of which nothing is told where no total was measured; a value that reads like
/// that name gets a backslash. Records: each combination as often as its count says. Plan and release must outlive it.
[[nodiscard]] std::unique_ptr<table::RowStream> rows_of(const ReleasePlan& plan, const Release& release);
/// Of the published method: the rows of the table, each as often as it was drawn, with generalised quasi-identifiers.
[[nodiscard]] std::unique_ptr<table::RowStream> rows_of(const PublishedRows& published);

/// How many records a release of records has.
[[nodiscard]] std::int64_t record_count(const Release& release);

/// What a release tells about itself, for programs (docs/formats/json-output.md): nothing of it compares with the data.
[[nodiscard]] Json to_json(const ReleasePlan& plan, const Release& release);

}  // namespace gauze::release
