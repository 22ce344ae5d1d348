// make_documents.mjs FOLDER: writes the documents that the tests show, always the same ones. The figures are plausible,
// not measured. Each document stresses one thing; see `documents` at the end.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const all_epsilons = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10];
const repetitions = 30;

/// Mulberry32: the same numbers on every machine.
function stream(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

const round = (value) => Number(value.toPrecision(6));
const clamp = (value, low = 0, high = 1) => Math.min(high, Math.max(low, value));

function make(options) {
  const random = stream(options.seed);
  const { epsilons = all_epsilons, attributes, target, k = 5 } = options;
  const fair = attributes.length > 0 && target !== null;

  /// An estimate around a value; the interval is that of the spread over 95 % of repetitions.
  const estimate = (value, sd, low = 0, high = 1) => {
    const mean = clamp(value + (random.normal() * sd) / 8, low, high);
    return {
      mean: round(mean), low: round(clamp(mean - 1.96 * sd, low, high)), high: round(clamp(mean + 1.96 * sd, low, high)), sd: round(sd),
    };
  };
  const draws_of = (value, sd) => Array.from({ length: repetitions }, () => round(clamp(value + random.normal() * sd)));
  const of_draws = (draws) => {
    const mean = draws.reduce((a, b) => a + b, 0) / draws.length;
    const sd = Math.sqrt(draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (draws.length - 1));
    const sorted = [...draws].sort((a, b) => a - b);
    return { mean: round(mean), low: sorted[0], high: sorted[sorted.length - 1], sd: round(sd) };
  };

  const weights = fair ? { privacy: 0.4, utility: 0.3, fairness: 0.3 } : { privacy: 0.5, utility: 0.5, fairness: 0 };
  const draws = {
    privacy: epsilons.map((e) => draws_of(1 - 0.62 * Math.tanh(e / 3.2), 0.006)),
    utility: epsilons.map((e) => draws_of(0.34 + 0.5 * (1 - Math.exp(-1.6 * e)), 0.012 + 0.02 / (1 + 4 * e))),
    fairness: fair ? epsilons.map((e) => draws_of(0.7 + 0.12 * Math.exp(-((Math.log10(e) - 0.1) ** 2) * 3), 0.03)) : null,
  };
  const score_draws = epsilons.map((_, i) =>
    draws.privacy[i].map((privacy, r) =>
      weights.privacy * privacy + weights.utility * draws.utility[i][r] + (fair ? weights.fairness * draws.fairness[i][r] : 0),
    ),
  );
  const wins = epsilons.map(() => 0);
  for (let r = 0; r < repetitions; ++r) {
    let best = 0;
    for (let i = 1; i < epsilons.length; ++i) if (score_draws[i][r] > score_draws[best][r]) best = i;
    wins[best] += 1;
  }
  const wilson = (count) => {
    const z = 1.959963984540054;
    const p = count / repetitions;
    const middle = (p + (z * z) / (2 * repetitions)) / (1 + (z * z) / repetitions);
    const half = (z / (1 + (z * z) / repetitions)) * Math.sqrt((p * (1 - p)) / repetitions + (z * z) / (4 * repetitions ** 2));
    return { mean: round(p), low: round(Math.max(0, middle - half)), high: round(Math.min(1, middle + half)), sd: round(Math.sqrt(p * (1 - p))) };
  };
  const rates = wins.map(wilson);
  const order = epsilons.map((_, i) => i).sort((a, b) => wins[b] - wins[a] || a - b);
  const [winner, second = order[0]] = order;

  const model = (e, top) => {
    const gain = 1 - Math.exp(-2 * e);
    const figure = (base, more) => estimate(base + more * gain, 0.004 + 0.012 / (1 + 3 * e));
    return {
      accuracy: figure(0.752, top - 0.752), balanced_accuracy: figure(0.55, 0.15), precision: figure(0.5, 0.14),
      recall: figure(0.3, 0.22), f1: figure(0.36, 0.2), auc: figure(0.6, 0.22),
    };
  };
  const rate = (base, e, sd = 0.03) => estimate(base, sd / (0.4 + Math.sqrt(e)));
  const attribute_figures = (groups, e, j) => ({
    eod_sum: rate(0.2 + 0.16 * j + 0.1 / (1 + e), e), eod_max: rate(0.13 + 0.11 * j + 0.07 / (1 + e), e), eod_mean: rate(0.1 + 0.08 * j + 0.05 / (1 + e), e),
    equal_opportunity: rate(0.14, e), demographic_parity: rate(0.17, e), predictive_parity: rate(0.06, e),
    groups: Object.fromEntries(
      groups.map(({ name, size, at, no_positive }) => [
        name,
        {
          size, tpr: no_positive ? null : rate(0.3 + 0.3 * at, e), fpr: rate(0.04 + 0.1 * at, e),
          selection_rate: rate(0.1 + 0.2 * at, e), precision: no_positive ? null : rate(0.6, e),
          count_error: estimate(0.02 / e / Math.sqrt(size / 100), 0.05 / e / Math.sqrt(size / 100), -5, 5),
          undefined: no_positive ? ["tpr", "precision"] : [], small: size < 30,
        },
      ]),
    ),
  });
  const box = (spread, extra = {}) => ({
    low: round(-1.7 * spread), q1: round(-0.45 * spread), median: round(0.01 * spread), q3: round(0.47 * spread), high: round(1.8 * spread), ...extra,
  });
  const bins = [[5, 19, 12], [20, 79, 31], [80, 319, 52], [320, 1279, 40], [1280, null, 9]];
  const with_target = (value) => (target === null ? null : value);
  const quasi = options.quasi;

  const results = epsilons.map((e, i) => ({
    epsilon: e,
    tvd: estimate(0.36 * Math.exp(-1.1 * e) + 0.004, 0.05 / (1 + 6 * e)),
    tvd_raw: estimate(0.44 * Math.exp(-1.0 * e) + 0.005, 0.05 / (1 + 6 * e)),
    classes: estimate(144 - 20 / (1 + 5 * e), 2 / (1 + e), 0, 144),
    k_noisy: estimate(5 - 3 / (1 + 2 * e), 1.2 / (1 + e), 0, 50),
    total: estimate(options.rows + 40 / e, 30 / e, 0, 1e9),
    privacy: {
      score: of_draws(draws.privacy[i]), k_true: k, epsilon: e, delta: 0, linkage: estimate(0.0044 + 0.02 * Math.tanh(e / 4), 0.0006),
      membership: estimate(0.7 * Math.tanh(e / 2) * 0.5, 0.012), membership_bound: options.as_published ? null : round(Math.tanh(e / 2)),
    },
    utility: {
      score: of_draws(draws.utility[i]),
      parts: {
        distribution: estimate(1 - 0.36 * Math.exp(-1.1 * e), 0.02), detail: estimate(0.684, 0.001), marginals: estimate(1 - 0.3 * Math.exp(-1.4 * e), 0.02),
        model: with_target(estimate(0.4 + 0.45 * (1 - Math.exp(-2 * e)), 0.03)),
      },
      generalisation_loss: { total: 0.316, columns: Object.fromEntries(quasi.map((name, j) => [name, round(0.2 + 0.11 * j)])) },
      marginals: {
        1: estimate(0.06 * Math.exp(-e), 0.01 / (1 + e)), 2: estimate(0.16 * Math.exp(-e), 0.012 / (1 + e)),
        3: quasi.length > 2 ? estimate(0.24 * Math.exp(-e), 0.014 / (1 + e)) : null,
      },
      range_queries: { error: estimate(0.3 * Math.exp(-1.2 * e) + 0.01, 0.02 / (1 + e), 0, 9), queries: 200 },
      relative_error: {
        all: box(0.32 / e ** 0.9, { outliers: Array.from({ length: 14 }, () => round(((random.uniform() < 0.5 ? -1 : 1.5) * (0.62 + random.uniform() * 0.5)) / e ** 0.9)) }),
        by_size: bins.map(([from, to, classes]) => ({ from, to, classes, ...box(3.4 / e / Math.sqrt(from * (to ?? 2 * from))) })),
      },
      chi_square: Object.fromEntries(quasi.map((name) => [name, { statistic: estimate(8 + 60 / e, 20 / e, 0, 1e6), rejected: round(clamp(0.05 + 0.5 / (1 + e))) }])),
      models: with_target({ logistic: model(e, 0.812), trees: model(e, 0.828) }),
    },
    fairness: fair
      ? { score: of_draws(draws.fairness[i]), ...Object.fromEntries(attributes.map(({ name, groups }, j) => [name, attribute_figures(groups, e, j)])) }
      : null,
    score: of_draws(score_draws[i]),
    win_rate: rates[i],
  }));

  const clear = rates[winner].low > rates[second].high;
  const candidates = epsilons.filter((_, i) => i === winner || rates[i].high >= rates[winner].low);
  const share = epsilons.map((e) => Math.exp(-((Math.log10(e) - 0.1) ** 2) * 2));
  const whole = share.reduce((a, b) => a + b, 0);
  const weighting = (i, win_rate, is_clear) => ({ epsilon: epsilons[Math.min(i, epsilons.length - 1)], win_rate, clear: is_clear });
  const baseline_model = (accuracy) => ({ accuracy, balanced_accuracy: 0.72, precision: 0.67, recall: 0.54, f1: 0.6, auc: 0.86 });
  const baseline_groups = (groups) =>
    Object.fromEntries(groups.map(({ name, size, at, no_positive }) => [name, {
      size, tpr: no_positive ? null : round(0.35 + 0.3 * at), fpr: round(0.03 + 0.09 * at), selection_rate: round(0.1 + 0.2 * at),
      precision: no_positive ? null : 0.64, undefined: no_positive ? ["tpr", "precision"] : [], small: size < 30,
    }]));
  const method = (name, epsilon, own_k, accuracy) => ({
    name, k: own_k, epsilon, generalisation_loss: own_k ? 0.316 : 0, suppressed: own_k ? 0.012 : 0, tvd: estimate(own_k ? 0.02 : 0.11, 0.01),
    fairness: fair ? Object.fromEntries(attributes.map((one) => [one.name, { eod_sum: estimate(0.25, 0.02), eod_max: estimate(0.18, 0.02) }])) : null,
    models: with_target({ logistic: { ...model(1, accuracy), retention: estimate(0.98, 0.006) }, trees: { ...model(1, accuracy + 0.01), retention: estimate(0.985, 0.006) } }),
  });
  const heights = quasi.map((_, j) => (j === 0 ? 3 : 2));
  const nodes = heights.reduce((all, height) => all.flatMap((levels) => Array.from({ length: height + 1 }, (_, level) => [...levels, level])), [[]])
    .map((levels) => {
      const part = levels.reduce((sum, level, j) => sum + level / heights[j], 0) / levels.length;
      const smallest = Math.max(1, Math.round(1 + 700 * part ** 4));
      return {
        levels, classes: Math.max(1, Math.round(900 * (1 - part) ** 3)), smallest, below_k: smallest < k ? round(0.2 * (1 - part) ** 2) : 0,
        loss: round(part), chosen: levels.every((level) => level === 1),
      };
    });

  return {
    internal: true,
    setting: {
      file: options.file, rows: options.rows, test_rows: target === null ? null : Math.round(options.rows * 0.3), quasi,
      levels: Object.fromEntries(quasi.map((name) => [name, 1])), k, mode: "grid", output: "counts", noise: "laplace", neighbours: "add-remove", unit: "row",
      delta: 0, as_published: options.as_published ?? false, noise_scale: 1, target, positive: with_target(options.positive),
      protected: attributes.filter(({ crossed }) => !crossed).map(({ name }) => name), minimum_group: 30, repetitions, seed: 1, weights, cells: 144,
      score_kind: options.as_published ? "as-published" : "absolute",
    },
    anchors: {
      privacy: { zero: "An attacker links every record and knows who is in the table.", one: "An attacker does no better than by guessing." },
      utility: { zero: "The release tells nothing about the table.", one: "The release is as good as the raw table." },
      fairness: { zero: "One group gets every error.", one: "All groups are treated alike." },
    },
    epsilons: results,
    warnings: [{ code: "rows_outside", message: `12 of ${options.rows} rows lie outside the declared domain (${attributes[0]?.name ?? "age"})` }],
    requirements: {
      asked: ["tvd<=0.05"], certainty: 0.9, epsilon: epsilons[Math.min(3, epsilons.length - 1)], smallest_tried: false, share: 1, share_at_least: 0.905, unmet: [], text: "",
    },
    recommendation: {
      epsilon: epsilons[winner], win_rate: rates[winner].mean, clear, runner_up: epsilons[second], candidates,
      text: clear ? `Epsilon ${epsilons[winner]} wins.` : `No clear winner among ${candidates.join(", ")}.`,
      by_weighting: { balanced: weighting(5, 0.6, false), privacy: weighting(0, 0.9, true), utility: weighting(10, 0.8, true), fairness: weighting(6, 0.4, false) },
      weight_space: Object.fromEntries(epsilons.map((e, i) => [e, round(share[i] / whole)])),
      weight_space_intervals: Object.fromEntries(epsilons.map((e, i) => [e, estimate(share[i] / whole, 0.01)])),
      pareto: epsilons.filter((_, i) => i !== 2 && i !== 6),
    },
    draws,
    baselines: {
      majority: with_target({ accuracy: 0.759 }),
      unprotected: with_target({
        models: { logistic: baseline_model(0.8154), trees: baseline_model(0.8347) },
        fairness: fair
          ? Object.fromEntries(attributes.map(({ name, groups }, j) => [name, {
              eod_sum: round(0.2 + 0.15 * j), eod_max: round(0.14 + 0.1 * j), eod_mean: round(0.1 + 0.07 * j), equal_opportunity: 0.13,
              demographic_parity: 0.18, predictive_parity: 0.05, groups: baseline_groups(groups),
            }]))
          : null,
      }),
    },
    disparity: attributes.length === 0 ? null
      : Object.fromEntries(attributes.map(({ name, groups }) => [name, Object.fromEntries(groups.map(({ name: group, size, at }) =>
          [group, { rows: size * 3 + 7, suppression_rate: round(0.02 * (1 - at)), generalisation_loss: round(0.3 + 0.05 * at), risk: round(0.004 + 1 / (size + 40)) }]))])),
    classes: {
      count: 144, smallest: k, largest: 2312, empty_cells: 3,
      sizes: [[1, 1, 0], [2, 3, 0], [4, 7, 3], [8, 15, 7], [16, 31, 14], [32, 63, 22], [64, 127, 31], [128, 255, 28], [256, 511, 20], [512, 1023, 13], [1024, 2047, 5], [2048, 4095, 1]]
        .map(([from, to, classes]) => ({ from, to, classes, rows: Math.round(classes * from * 1.4) })),
    },
    lattice: { columns: quasi, heights, complete: true, nodes },
    comparison: { epsilon: 1, methods: [method("k-anonymity", null, k, 0.81), method("differential-privacy", 1, null, 0.79), method("hybrid", 1, k, 0.8)] },
    label: {
      format: "gauze-label", version: 1, warning: "INTERNAL, no guarantee: compares with the raw data",
      released: { kind: "evaluation of noisy counts", count: 1 }, mechanism: "laplace", parameters: { k }, privacy_unit: "one row",
      neighbours: "add-remove", definition: "internal", cost: { epsilon: null, delta: null, rho: null }, covers: [],
      does_not_cover: ["Everything on this page: it is computed from the raw data.", "Whoever sees it can learn about single persons."],
      provenance: { epsilon: "public", k: "public", levels: "public", weights: "public" }, budget: { recorded: false },
      producer: { name: "gauze", version: "0.1.0" }, digest: "0".repeat(64),
    },
  };
}

/// Several k with every epsilon: each as the document of one, a little less useful the larger k is.
function several_ks(options, ks) {
  const parts = ks.map((k, i) => make({ ...options, k, seed: options.seed + i }));
  const document = parts[0];
  document.epsilons = parts.flatMap((part, i) => part.epsilons.map((one) => ({ epsilon: one.epsilon, k: ks[i], above_ceiling: one.epsilon > 0.5, ...one })));
  for (const key of ["privacy", "utility", "fairness"])
    document.draws[key] = document.draws[key] ? parts.flatMap((part) => part.draws[key]) : null;
  const found = document.recommendation;
  const [k] = ks;
  const pair = (epsilon) => ({ epsilon, k });
  const by_pair = (shares) => Object.fromEntries(Object.entries(shares).map(([epsilon, share]) => [`${k}/${epsilon}`, share]));
  Object.assign(found, {
    k, epsilon: 0.5, clear: false, runner_up: pair(0.3), candidates: [pair(0.3), pair(0.5)], pareto: found.pareto.map(pair),
    weight_space: by_pair(found.weight_space), weight_space_intervals: by_pair(found.weight_space_intervals),
  });
  for (const one of Object.values(found.by_weighting)) Object.assign(one, { k });
  document.setting.ks = ks;
  document.scenario = {
    name: "medical", weighting: "privacy", profile: "medical", ceiling: 0.5, text: "",
    advice: [
      { source: "closing list", epsilon: 0.5, tried: true, won: 0.41, above_ceiling: false },
      { source: "Table 4.7", epsilon: 1, tried: false, won: null, above_ceiling: true },
    ],
  };
  return document;
}

const group = (name, size, at, no_positive = false) => ({ name, size, at, no_positive });
const sex = { name: "sex", groups: [group("Male", 6532, 0.9), group("Female", 3236, 0.2)] };
const race = { name: "race", groups: [group("White", 8342, 0.7), group("Black", 937, 0.3), group("Asian-Pac-Islander", 312, 0.8), group("Amer-Indian-Eskimo", 93, 0.2), group("Other", 24, 0.1, true)] };
const cross = (a, b) => ({
  name: `${a.name} x ${b.name}`, crossed: true,
  groups: a.groups.flatMap((x) => b.groups.map((y) => group(`${x.name} x ${y.name}`, Math.round((x.size * y.size) / 9768), (x.at + y.at) / 2, y.no_positive))),
});
const adult = { seed: 7, file: "adult.data", rows: 32561, quasi: ["age", "education", "marital-status"], target: "income", positive: ">50K", attributes: [sex, race, cross(sex, race)] };

const attack = "</script><img src=x onerror=\"window.hacked=1\">";
const hostile_sex = { name: `${attack}{a|b}`, groups: [group(`Male ${attack}`, 900, 0.9), group("=cmd|' /C calc'!A0", 700, 0.2), group("<!-- \u2028 & &lt;b&gt; __proto__", 400, 0.4)] };
const chinese_sex = { name: "性别", groups: [group("男", 5210, 0.8), group("女", 4877, 0.3)] };
const chinese_region = { name: "地区", groups: [group("华东（含上海、江苏、浙江）", 4100, 0.7), group("西北", 820, 0.2), group("内蒙古自治区锡林郭勒盟东乌珠穆沁旗", 75, 0.5)] };

/// Undefined figures wherever the format allows one.
function with_nulls(document) {
  for (const [i, result] of document.epsilons.entries()) {
    if (i < 2) {
      result.score = result.win_rate = result.tvd = result.tvd_raw = result.k_noisy = null;
      result.utility.score = result.privacy.linkage = result.privacy.membership = null;
      result.utility.relative_error.all = null;
      result.fairness.score = null;
      Object.assign(result.fairness.sex, { eod_sum: null, eod_max: null, eod_mean: null, equal_opportunity: null });
      for (const metrics of Object.values(result.utility.models)) metrics.auc = metrics.precision = null;
      document.draws.fairness[i] = document.draws.fairness[i].map(() => null);
    }
    result.privacy.linkage = { mean: 0.1, low: 0.05, high: null, sd: null };
    result.utility.range_queries.error = null;
    result.utility.chi_square.age.statistic = result.utility.chi_square.age.rejected = null;
    for (const key of ["low", "q1", "median", "q3", "high"]) result.utility.relative_error.by_size[0][key] = null;
  }
  document.requirements = {
    asked: ["eod.sex<=0.01"], certainty: 0.9, epsilon: null, unmet: [{ requirement: "eod.sex<=0.01", epsilon: 2, value: null, share: 0 }], text: "",
  };
  document.setting.levels = null;
  document.setting.mode = "select";
  document.lattice = null;
  document.comparison = null;
  document.recommendation.weight_space_intervals = null;
  document.baselines.unprotected.fairness.sex.eod_max = null;
  return document;
}

function compare_only() {
  const { internal, setting, comparison, baselines, label } = make({ ...adult, seed: 23 });
  return { internal, setting, comparison, baselines, label };
}

/// Nine ways to hide patterns, the last of which was not run, and two series.
function patterns(name) {
  const random = stream(31);
  const factors = [1, 1.05, 1.1, 1.25, 1.5];
  const names = ["border", "psh", "gih", "minfia", "maxfia", "iga", "swa", "random"];
  const run = (place, margin) => ({
    margin, marks_total: 700 + 40 * place + 3 * margin, rows_touched: 690 + 30 * place + 2 * margin, level: "H2", reached: place !== 6, hiding_failure: place === 6 ? 0.5 : 0,
    seconds: round(0.02 + random.uniform() / 10), misses_cost: { literal: 0.01, ideal: 0.01 }, artifactual: 0,
    artifactual_ignoring_unknown: 0, removed: 0.0012, added: 0, dissimilarity: 0.0012, metrics_complete: true,
    bands: factors.map((factor, i) => ({
      factor, min_count: Math.ceil(441 * factor), itemsets: 575 - 60 * i, others: 570 - 60 * i, misses_cost: { literal: 0, ideal: 0 },
      lost: { literal: place + i + 5, ideal: place === 0 ? 0 : place * 2 + i + Math.floor(margin / 40) },
    })),
  });
  return {
    kind: "patterns-comparison", file: `${name}.dat`, transactions: 88162, items: 16470, min_count: 441, level: "H2",
    patterns: [{ text: name, before: 1200, min_count: 441 }, { text: "39 41 => 48", before: 7366, min_count: 441 }],
    algorithms: [
      ...names.map((algorithm, place) => ({ algorithm, runs: [0, 44, 110, 220].map((margin) => run(place, margin)) })),
      { algorithm: "exact", skipped: `too many choices ${name}`, runs: [] },
    ],
    series: {
      thresholds: [200, 300, 441].map((min_count) => ({
        min_count, min_support: round(min_count / 88162), patterns: 2,
        algorithms: names.map((algorithm, place) => ({ algorithm, run: run(place, 0) })),
      })),
      numbers: [1, 2].map((count) => ({
        min_count: 441, min_support: 0.005, patterns: count,
        algorithms: names.map((algorithm, place) => place === 7 ? { algorithm, skipped: name } : { algorithm, run: run(place, count) }),
      })),
    },
  };
}

/// What `gauze text stats` prints; with `sampled` so many of the words were drawn, and nothing was computed.
function text_statistics({ words, epsilons = [3, 0.5, 1, 2, 5, 8], sampled = null, prior = true }) {
  const vocabulary = sampled === "all" ? 300 : 20000;
  const interval = (mean, top) => ({ low: round(0.95 * mean), high: round(Math.min(top, 1.05 * mean)) });
  const spread = (mean, top = Infinity) => ({
    mean: round(mean), q05: round(0.6 * mean), q50: round(0.95 * mean), q95: round(Math.min(top, 1.5 * mean)),
    ...(sampled ? { ...interval(mean, top), sd: 0.1 } : {}),
  });
  const only_mean = (mean) => ({ ...spread(mean), q05: null, q50: null, q95: null, sd: null });
  const stays = (e, shift = 0) => 1 / (1 + Math.exp(-3 * (e - 2.5 - shift)));
  const guesses = (n) => {
    const uniform = sampled === "some" ? null : round(n);
    const by_list = sampled === "some" || !prior ? null : round(0.05 + 0.9 * n * n);
    const of = (mean) => (mean === null ? null : interval(mean, 1));
    return { uniform, prior: by_list, ...(sampled ? { intervals: { uniform: of(uniform), prior: of(by_list) } } : {}) };
  };
  const result = (epsilon) => {
    const n = stays(epsilon);
    const likely = 1 + 5 * n * (1 - n);
    return {
      epsilon, N: spread(n, 1), S: spread(likely), S_star: sampled === "some" ? only_mean(likely) : spread(likely),
      distinct: spread(100 - 99 * n, 100), entropy: spread(12 * (1 - n)), bayes: guesses(n),
      words: Object.fromEntries(words.map((word, i) => [word, {
        N: round(stays(epsilon, i / 4)), S: 2, S_star: sampled === "some" ? null : 3, distinct: round(100 - 99 * stays(epsilon, i / 4)), entropy: round(12 * (1 - n)),
      }])),
    };
  };
  return {
    kind: "text-statistics", mechanism: sampled ? "dchi" : "santext", as_published: !sampled && !prior, vocabulary, dimensions: 100,
    vectors: "dd4701cee085e644da50c7a05c43100358dbd1403389a4d80fb977e59b04d2de", eta: 0.01, runs: 100, exact: !sampled,
    sampled_words: { some: 200, all: 300 }[sampled] ?? null, draws: sampled ? 1000 : null, results: epsilons.map(result),
  };
}

/// What `gauze collect simulate` hands to the page.
function collection(task, question, names) {
  const results = names.map((mechanism, i) => {
    const theory = round(0.00002 * (1 + 0.4 * i));
    const mean = round(theory * (1 + (i % 2 ? 0.03 : -0.02)));
    return {
      mechanism, mse: { mean, low: round(0.8 * mean), high: round(1.2 * mean), sd: round(0.1 * mean) }, theory, ratio: round(mean / theory),
      coverage95: 0.947 + i / 1000, bytes: [1, 13, 128, 64, 2, 4][i] ?? 1,
    };
  });
  return {
    kind: "collect-simulation", task, question, size: question === "mean" ? null : 16, epsilon: 1, users: 100000, repetitions: 20,
    distribution: "zipf:1.1", results,
  };
}

/// What `gauze inspect --report` hands to the page; `bare` without a target.
function inspected(names, bare = false) {
  const column = (name, i) => ({
    name, type: i % 2 ? "text" : "integer", distinct: 70 - 7 * i, missing: 3 * i, uniqueness: 0.01, role: i === 0 ? "identifier" : "quasi", reason: `its name says '${name}'`,
    mutual_information: bare ? null : round(0.07 / (i + 1)), normalized_mutual_information: bare ? null : round(1 - i / (names.length - 1)), distinction: 0.01 * i,
    separation: i === 0 ? null : 0.5, least: null, largest: null, commonest: [], odd: null, availability: bare ? null : 5 - (i % 4), risk: bare ? null : round((1 - i / (names.length - 1)) * (5 - (i % 4))),
  });
  return {
    kind: "inspection", file: "people.csv", target: bare ? null : "income", k: 5, rows: 32561, columns: names.map(column),
    combinations: bare ? [] : [{ columns: names.slice(0, 3), uniques: 5161, below_k: 11013, smallest_class: 1, reaches_k: true, loss: 0.0911 }, { columns: names.slice(1, 4), uniques: 4563, below_k: 9817, smallest_class: 1, reaches_k: false, loss: 0 }],
    ties: bare ? [] : [{ column: names[1], protected: "sex", cramers_v: 0.649 }], twins: [],
  };
}

/// What `gauze noise --plot` hands to the page.
function noise_plot(mechanism, epsilons, cost) {
  return {
    kind: "noise-plot", mechanism, sensitivity: 1, draws: 10000,
    panels: epsilons.map((epsilon) => {
      const step = 7 / (30 * epsilon);
      const share = (x) => (x < 0 ? Math.exp(epsilon * x) / 2 : 1 - Math.exp(-epsilon * x) / 2);
      return {
        epsilon, variance: round(2 / epsilon ** 2), interval95: [round(-3 / epsilon), round(3 / epsilon)],
        bins: Array.from({ length: 61 }, (_, i) => {
          const low = (i - 30.5) * step;
          const expected = 10000 * (share(low + step) - share(low));
          return { low, high: low + step, drawn: Math.round(expected * (1 + (i % 3 - 1) / 20)), expected };
        }),
        quantiles: Array.from({ length: 99 }, (_, i) => {
          const at = (i + 1) / 100;
          const law = at < 0.5 ? Math.log(2 * at) / epsilon : -Math.log(2 * (1 - at)) / epsilon;
          return { share: at, law, drawn: law * (1 + (i % 5 - 2) / 100) };
        }),
        examples: [0, 1, 10, 100, 1000].map((before) => ({ before, after: before + round(0.7 / epsilon) })), cost_of_draws: cost,
      };
    }),
  };
}

/// What `gauze attack model` hands to the page. With `crossed` the alarm has gone off; `open` claims nothing.
function attacked({ names, groups, classes, crossed = false, open = false }) {
  const random = stream(71);
  const shares = [0.1, 0.01, 0.001];
  const around = (mean, half) => ({ mean: round(mean), low: round(clamp(mean - half)), high: round(clamp(mean + half)), sd: round(half / 2) });
  const group = (at, members) => ({ auc: members < 2 ? null : around(0.5 + 0.03 * at, 0.3 / Math.sqrt(members)), members, nonmembers: members + 3, small: members < 50 });
  const of = (gain) => (attack, i) => ({
    attack, auc: around(0.5 + gain * (i + 1), 0.012), accuracy: around(0.5 + 0.8 * gain * (i + 1), 0.01), advantage: around(1.6 * gain * (i + 1), 0.02),
    tpr_at_fpr: shares.map((fpr) => ({ fpr, tpr: fpr === 0.001 && attack === "gap" ? null : around(fpr * (1 + 30 * gain * (i + 1)), 0.4 * fpr), measurable: !(fpr === 0.001 && attack === "gap") })),
    epsilon_lower: round(crossed && i === names.length - 1 ? 1.9 : 0.05 * i), delta1: 1.4e-12, claimed_at_delta1: open ? null : 1.62,
    by_class: Object.fromEntries(classes.map((name, at) => [name, group(at, 400 - 130 * at)])),
    by_group: Object.fromEntries(groups.map((name, at) => [name, group(at, [2400, 1900, 31, 1][at] ?? 60)])),
    exposed: Array.from({ length: 10 }, (_, at) => ({ row: 1 + Math.floor(random.uniform() * 24000), score: round(6 - at / 2) })),
  });
  const curve = (attack, i) => ({
    attack, points: [[0, 0], ...Array.from({ length: 41 }, (_, at) => { const x = 10 ** (-4 + at / 10); return [round(x), round(Math.min(1, x ** (0.96 - 0.03 * i)))]; })],
  });
  return {
    kind: "attack", internal: true, model: "mlp", method: "dpsgd", shadows: 64, targets: 4, attacks: names.map(of(crossed ? 0.05 : 0.004)), roc: names.map(curve),
    gap: { train: around(0.652, 0.004), test: around(0.648, 0.004) }, claimed: { epsilon: open ? null : 1, delta: open ? null : 1e-5 }, advantage_bound: open ? null : 0.462128,
    unprotected: open ? null : { attacks: names.map(of(0.03)) }, alarm: { epsilon_lower: crossed ? 1.7 : 0, delta1: 1e-17, claimed_at_delta1: 1.66, rate: 1e-6 },
    holds: open ? null : !crossed, warnings: open ? [{ code: "no_claim", message: "There is no claim to compare with." }] : [],
  };
}

/// What every `gauze audit` hands to the page.
function audited(claim, epsilon, lower, more = {}) {
  return {
    claim, audited: { epsilon_lower: lower, confidence: 0.95, delta: 0, event: "value >= 3.25", left: 40211, right: 14870, runs: 500000, reach: 11.2 },
    claimed: { epsilon, delta: 0 }, alarm: { epsilon_lower: round(0.97 * lower), rate: 1e-6 }, holds: lower <= epsilon, ...more,
  };
}
const one_audit = (claim, more) => ({ kind: "audit", internal: true, warnings: [], ...audited(claim, 1, 0.981), ...more });
const self_audits = (name) => ({
  kind: "audit", internal: true, warnings: [], holds: false, alarm: { rate: 1e-6 },
  audits: [
    ...Array.from({ length: 24 }, (_, i) => audited(`noise laplace ${i}`, 0.1 * (i + 1), round(0.097 * (i + 1)))), audited(name, 1, 2.013),
    audited("text verify", 3, null, { audited: { epsilon_lower: 3, confidence: 1, delta: 0, event: null, left: null, right: null, runs: null, reach: null } }),
  ],
});

const documents = {
  full: () => make(adult),
  several_ks: () => several_ks({ ...adult, seed: 31 }, [2, 5, 10]),
  no_target: () => make({ ...adult, seed: 8, target: null, attributes: [], quasi: ["age", "education"] }),
  no_protected: () => make({ ...adult, seed: 9, attributes: [], as_published: true }),
  nulls: () => with_nulls(make({ ...adult, seed: 10 })),
  hostile: () => make({ ...adult, seed: 11, file: `${attack}.csv`, quasi: [attack, "__proto__", "constructor"], target: attack, positive: attack, attributes: [hostile_sex], epsilons: [0.5, 1, 2] }),
  chinese: () => make({ ...adult, seed: 12, file: "门诊记录.csv", quasi: ["年龄", "学历", "婚姻状况"], target: "收入", positive: "高于五万元", attributes: [chinese_sex, chinese_region] }),
  one_epsilon: () => make({ ...adult, seed: 13, epsilons: [1], attributes: [sex] }),
  compare: compare_only,
  patterns: () => patterns("面包 牛奶"),
  patterns_hostile: () => patterns(attack),
  text: () => text_statistics({ words: ["film", "医生", attack, "=1+1"] }),
  text_sampled: () => text_statistics({ words: [], epsilons: [2, 5, 10], sampled: "some" }),
  text_sampled_all: () => text_statistics({ words: ["film"], epsilons: [2, 5, 10], sampled: "all" }),
  collect: () => collection("home-page", "frequency", ["de", "olh", "oue", "she", "ss", "hr"]),
  collect_mean: () => collection(attack, "mean", ["duchi"]),
  attack: () => attacked({ names: ["loss", "entropy", "gap", "lira", "rmia"], groups: ["女", "男", attack, "__proto__"], classes: ["low", "high"] }),
  attack_crossed: () => attacked({ names: ["loss", "lira"], groups: [], classes: ["0", "1"], crossed: true }),
  attack_open: () => attacked({ names: ["loss"], groups: [], classes: [], open: true }),
  audit: () => one_audit(null),
  audit_pairs: () => one_audit(attack, { pair: "a row in a class of its own", pairs: [{ pair: "a row in a class of its own", epsilon_lower: 0.981 }, { pair: attack, epsilon_lower: 0 }] }),
  audit_self: () => self_audits(attack),
  inspection: () => inspected(["年龄", "relationship", attack, "hours-per-week", "__proto__"]),
  inspection_bare: () => inspected(["a", "b"], true),
  noise: () => noise_plot("laplace", [0.1, 1], { epsilon: 10000, delta: null }),
  noise_delta: () => noise_plot(attack, [1], null),
  text_one: () => text_statistics({ words: [attack, "constructor"], epsilons: [3], prior: false }),
};

const folder = process.argv[2];
if (!folder) {
  console.error("usage: node make_documents.mjs FOLDER");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (const [name, write] of Object.entries(documents)) {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(write()) + "\n");
}
