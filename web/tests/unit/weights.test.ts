import assert from "node:assert/strict";
import { test } from "node:test";
import type { Draws } from "../../src/evaluation/document";
import { weights_after_key, weights_at } from "../../src/evaluation/triangle";
import {
  choose, criteria, means, normalise, regions, wilson, with_weight, type Weights,
} from "../../src/evaluation/weights";

function close(actual: number, expected: number, tolerance = 1e-9): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
}

const sum = ({ privacy, utility, fairness }: Weights) => privacy + utility + fairness;

test("the Wilson interval has its published values", () => {
  // Newcombe (1998), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
  const published: [number, number, number, number][] = [
    [81, 263, 0.2553, 0.3662], [15, 148, 0.0624, 0.1605], [0, 20, 0, 0.1611], [1, 29, 0.0061, 0.1718],
  ];
  for (const [wins, trials, low, high] of published) {
    const interval = wilson(wins, trials);
    close(interval.low, low, 5e-5);
    close(interval.high, high, 5e-5);
  }
});

test("the Wilson interval of all wins ends at 1, of none begins at 0", () => {
  assert.equal(wilson(30, 30).high, 1);
  assert.equal(wilson(0, 30).low, 0);
  assert.deepEqual(wilson(0, 0), { mean: 0, low: 0, high: 1 });
});

test("weights add up to 1 over the criteria that there are", () => {
  const weights = normalise({ privacy: 2, utility: 1, fairness: 1 });
  assert.deepEqual(weights, { privacy: 0.5, utility: 0.25, fairness: 0.25 });
  assert.deepEqual(normalise({ privacy: 0.4, utility: 0.3, fairness: 0.3 }, ["privacy", "utility"]).fairness, 0);
  close(sum(normalise({ privacy: 0.4, utility: 0.3, fairness: 0.3 }, ["privacy", "utility"])), 1);
  assert.deepEqual(normalise({}), { privacy: 1 / 3, utility: 1 / 3, fairness: 1 / 3 });
});

test("a slider moves the other weights in proportion", () => {
  const weights = with_weight({ privacy: 0.4, utility: 0.4, fairness: 0.2 }, "privacy", 0.7, criteria);
  close(weights.privacy, 0.7);
  close(weights.utility, 0.2);
  close(weights.fairness, 0.1);
  const all = with_weight({ privacy: 1, utility: 0, fairness: 0 }, "privacy", 0.5, criteria);
  close(all.utility, 0.25);
});

// Two epsilons, four repetitions. Epsilon 1 is private, epsilon 2 is useful.
const draws: Draws = {
  privacy: [[0.9, 0.9, 0.9, 0.9], [0.5, 0.5, 0.5, 0.5]],
  utility: [[0.3, 0.3, 0.3, 0.7], [0.8, 0.8, 0.8, 0.8]],
  fairness: [[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]],
};

test("in each repetition the highest weighted score wins", () => {
  const even = choose([1, 2], draws, normalise({ privacy: 1, utility: 1, fairness: 1 }));
  // 0.9 + 0.3 < 0.5 + 0.8 three times, 0.9 + 0.7 > 1.3 once.
  assert.deepEqual(even.rankings.map(({ wins }) => wins), [1, 3]);
  assert.equal(even.winner?.epsilon, 2);
  assert.equal(even.runner_up?.epsilon, 1);
  assert.equal(choose([1, 2], draws, normalise({ privacy: 1 })).winner?.epsilon, 1);
});

test("of equal scores the smaller epsilon wins, wherever it stands", () => {
  assert.deepEqual(choose([1, 2], draws, normalise({ fairness: 1 })).rankings.map(({ wins }) => wins), [4, 0]);
  assert.deepEqual(choose([2, 1], draws, normalise({ fairness: 1 })).rankings.map(({ wins }) => wins), [0, 4]);
});

test("a winner is clear when its interval lies above that of the runner-up", () => {
  const scores = (wins: number, of: number): Draws => ({
    privacy: [Array.from({ length: of }, (_, i) => (i < wins ? 1 : 0)), Array.from({ length: of }, () => 0.5)],
    utility: [Array.from({ length: of }, () => 0), Array.from({ length: of }, () => 0)],
    fairness: null,
  });
  for (const wins of [16, 19, 20, 21, 25, 30]) {
    const choice = choose([1, 2], scores(wins, 30), normalise({ privacy: 1 }, ["privacy", "utility"]));
    assert.equal(choice.clear, wilson(wins, 30).low > wilson(30 - wins, 30).high, `${wins} of 30`);
    assert.equal(choice.candidates.length, choice.clear ? 1 : 2);
  }
});

test("an undefined score cannot win, and a repetition without any is left out", () => {
  const holes: Draws = { ...draws, fairness: [[null, 0.5, null, 0.5], [0.1, 0.1, null, 0.9]] };
  const choice = choose([1, 2], holes, normalise({ fairness: 1 }));
  assert.equal(choice.repetitions, 3);
  assert.deepEqual(choice.rankings.map(({ wins }) => wins), [1, 2]);
  assert.equal(choose([1, 2], holes, normalise({ privacy: 1 })).repetitions, 4);
  const nothing: Draws = { ...draws, fairness: [[null], [null]] };
  assert.equal(choose([1, 2], nothing, normalise({ fairness: 1 })).winner, null);
});

test("means pass over what is undefined", () => {
  assert.deepEqual(means([[1, null, 3], [null]]), [2, null]);
  assert.deepEqual(means(null), []);
});

test("every point of the triangle lies in the region of the epsilon with the highest mean score", () => {
  let seed = 5;
  const uniform = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const epsilons = [0.1, 0.5, 1, 2, 5];
  const random_scores = () => epsilons.map(() => [uniform()]);
  const random_draws: Draws = { privacy: random_scores(), utility: random_scores(), fairness: random_scores() };
  const found = regions(epsilons, random_draws);
  const inside = (corners: readonly Weights[], point: Weights) => {
    const flat = corners.map(({ privacy, utility }) => [privacy, utility] as const);
    const sides = flat.map(([x, y], i) => {
      const [nx, ny] = flat[(i + 1) % flat.length] ?? [x, y];
      return (nx - x) * (point.utility - y) - (ny - y) * (point.privacy - x);
    });
    return sides.every((side) => side >= -1e-9) || sides.every((side) => side <= 1e-9);
  };
  for (let i = 0; i < 500; ++i) {
    const point = normalise({ privacy: uniform(), utility: uniform(), fairness: uniform() });
    const best = choose(epsilons, random_draws, point).winner?.epsilon;
    assert.ok(found.some(({ epsilon, corners }) => epsilon === best && inside(corners, point)));
    assert.equal(found.filter(({ corners }) => inside(corners, point)).length, 1);
  }
});

test("with two criteria the regions are pieces of a line", () => {
  const line = regions([1, 2], { ...draws, fairness: null });
  assert.deepEqual(line.map(({ corners }) => corners.length), [2, 2]);
  assert.ok(line.every(({ corners }) => corners.every((weights) => weights.fairness === 0)));
  const [first] = line;
  close(Math.max(...(first?.corners.map(({ privacy }) => privacy) ?? [])), 1);
  close(Math.min(...(first?.corners.map(({ privacy }) => privacy) ?? [])), 0.5); // 0.4 p = 0.4 (1 - p)
});

const spots = { privacy: { x: 100, y: 0 }, utility: { x: 0, y: 200 }, fairness: { x: 200, y: 200 } };

test("a spot in the triangle has its weights, one outside those of the edge", () => {
  assert.deepEqual(weights_at(spots.utility, spots, criteria), { privacy: 0, utility: 1, fairness: 0 });
  const middle = weights_at({ x: 100, y: 400 / 3 }, spots, criteria);
  for (const name of criteria) close(middle[name], 1 / 3);
  const below = weights_at({ x: 100, y: 260 }, spots, criteria);
  assert.equal(below.privacy, 0);
  close(sum(below), 1);
});

test("arrow keys move the weights and stay inside", () => {
  const start = { privacy: 0.4, utility: 0.3, fairness: 0.3 };
  close(weights_after_key("ArrowUp", start, 0.1, criteria)?.privacy ?? 0, 0.5);
  close(weights_after_key("ArrowLeft", start, 0.1, criteria)?.utility ?? 0, 0.4);
  close(weights_after_key("ArrowRight", start, 0.9, criteria)?.fairness ?? 0, 0.6);
  assert.equal(weights_after_key("Enter", start, 0.1, criteria), null);
  const two = weights_after_key("ArrowRight", { privacy: 0.95, utility: 0.05, fairness: 0 }, 0.1, ["privacy", "utility"]);
  close(two?.utility ?? 0, 0.15);
});
