import assert from "node:assert/strict";
import { test } from "node:test";
import { cliff, guess_of, ordered, outputs_are_distinct, words_of, type Result, type TextDocument } from "../../src/text/document";
import { text_en } from "../../src/text/messages_en";

const spread = (mean: number) => ({ mean, q05: mean, q50: mean, q95: mean });
const result = (epsilon: number, stays: number, words = {}): Result => ({
  epsilon, N: spread(stays), S: spread(1), S_star: spread(1), distinct: spread(1), entropy: spread(1), bayes: { uniform: null, prior: null }, words,
});

test("results are put in order, and an epsilon that was given twice is there once", () => {
  const results = ordered([result(3, 0.7), result(0.5, 0.1), result(3, 0.7), result(10, 1)]);
  assert.deepEqual(results.map(({ epsilon }) => epsilon), [0.5, 3, 10]);
  assert.deepEqual(ordered([]), []);
});

test("the cliff is the steepest step up", () => {
  const results = [result(1, 0.01), result(2, 0.14), result(3, 0.71), result(5, 0.99)];
  assert.deepEqual(cliff(results)?.map(({ epsilon }) => epsilon), [2, 3]);
  assert.equal(cliff([result(1, 0.5)]), null);
  assert.equal(cliff([result(1, 0.5), result(2, 0.5)]), null, "level ground");
  assert.equal(cliff([]), null);
});

test("words keep their order, and any word is a word", () => {
  const figures = { N: 1, S: 1, S_star: null, distinct: 1, entropy: 1 };
  const words = JSON.parse(`{"film":${JSON.stringify(figures)},"__proto__":${JSON.stringify(figures)}}`) as Result["words"];
  assert.deepEqual(words_of([result(1, 1, words)]), ["film", "__proto__"]);
  assert.deepEqual(words_of([]), []);
});

test("S is told apart from the number of different outputs only where it differs", () => {
  const document = { exact: false, eta: 0.01, runs: 100, draws: 100 } as TextDocument;
  assert.equal(outputs_are_distinct(document), true);
  assert.equal(outputs_are_distinct({ ...document, runs: 1000, draws: 1000 }), false);
  assert.equal(outputs_are_distinct({ ...document, draws: 1000 }), false);
  assert.equal(outputs_are_distinct({ ...document, exact: true }), false);
});

test("a guess has its interval where words were drawn", () => {
  assert.equal(guess_of({ uniform: 0.5, prior: null }, "uniform"), 0.5);
  const intervals = { uniform: { low: 0.4, high: 0.6 }, prior: null };
  assert.deepEqual(guess_of({ uniform: 0.5, prior: null, intervals }, "uniform"), { mean: 0.5, low: 0.4, high: 0.6 });
  assert.equal(guess_of({ uniform: 0.5, prior: null, intervals }, "prior"), null);
});

test("every part of the reading guide has a name and a text", () => {
  const keys = Object.keys(text_en).filter((key) => key.startsWith("reading.") && !["reading.title", "reading.lead"].includes(key));
  const names = keys.filter((key) => key.endsWith(".name")).map((key) => key.slice(0, -".name".length));
  assert.deepEqual(keys.filter((key) => !key.endsWith(".name")).sort(), names.sort());
});
