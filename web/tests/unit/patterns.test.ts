import assert from "node:assert/strict";
import { test } from "node:test";
import { height_of, lost_at, type Band } from "../../src/patterns/document";

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
