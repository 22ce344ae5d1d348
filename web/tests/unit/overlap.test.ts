import assert from "node:assert/strict";
import { test } from "node:test";
import { shared_by } from "../../src/patterns/overlap";

test("lines on top of each other take turns", () => {
  const line = [[1, 2], [3, 4]] as const;
  const shared = shared_by([line, [[1, 5], [3, 6]], line, line]);
  assert.deepEqual(shared.map(({ sharers, turn }) => [sharers, turn]), [[3, 0], [1, 0], [3, 1], [3, 2]]);
});

test("points on top of each other are counted from below", () => {
  const shared = shared_by([[[1, 2], [3, 4]], [[1, 2], [3, 5]], [[1, 2]]]);
  assert.deepEqual(shared.map(({ above }) => above), [[2, 0], [1, 0], [0]]);
  assert.deepEqual(shared.map(({ below }) => below), [[0, 0], [1, 0], [2]]);
  assert.deepEqual(shared.map(({ sharers }) => sharers), [1, 1, 1], "a common point is no common stretch");
});

test("a common stretch is enough, wherever it is", () => {
  const shared = shared_by([[[1, 0], [2, 0], [3, 1]], [[0, 9], [1, 0], [2, 0]]]);
  assert.deepEqual(shared.map(({ sharers, turn }) => [sharers, turn]), [[2, 0], [2, 1]]);
});
