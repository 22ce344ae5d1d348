import assert from "node:assert/strict";
import { test } from "node:test";
import { figure_of, height_of, lost_at, type Band, type Run } from "../../src/patterns/document";

const band: Band = {
  factor: 1, min_count: 2, itemsets: 250, others: 200,
  misses_cost: { literal: null, ideal: 0.015 }, lost: { literal: null, ideal: 3 },
};

test("losses are a number where they were counted", () => {
  assert.equal(lost_at(band), 3);
  assert.equal(height_of(lost_at(band)), 3);
});

test("losses that were not counted are an estimate, or unknown", () => {
  const sampled = { ...band, lost: { literal: null, ideal: null }, misses_cost: { literal: null, ideal: { mean: 0.5, low: 0.25, high: 0.75 } } };
  assert.deepEqual(lost_at(sampled), { mean: 100, low: 50, high: 150 });
  assert.equal(height_of(lost_at(sampled)), 100);
  assert.equal(lost_at({ ...sampled, others: null }), null);
  assert.equal(lost_at({ ...sampled, misses_cost: { literal: null, ideal: null } }), null);
  assert.equal(height_of(null), null);
});

test("a series shows losses, changes and failures of a run, and nothing where there was none", () => {
  const run: Run = {
    margin: 0, marks_total: 7, rows_touched: 6, level: "H1", reached: true, hiding_failure: 0.25, seconds: 0, removed: 0,
    artifactual_ignoring_unknown: 0, bands: [band],
  };
  assert.equal(figure_of(run, "lost"), 3);
  assert.equal(figure_of(run, "changes"), 7);
  assert.equal(figure_of(run, "failure"), 0.25);
  assert.equal(figure_of(undefined, "changes"), null);
});
