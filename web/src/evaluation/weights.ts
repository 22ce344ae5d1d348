import type { Draws, Maybe, Scores } from "./document";

/// Recommending an epsilon from the scores of the repetitions, for any weights.

export const criteria = ["privacy", "utility", "fairness"] as const;
export type Criterion = (typeof criteria)[number];
export type Weights = Readonly<Record<Criterion, number>>;

export interface Share {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface Ranking {
  readonly epsilon: number;
  readonly wins: number;
  readonly rate: Share;
}

export interface Choice {
  readonly rankings: readonly Ranking[]; ///< in the order of the epsilons
  readonly repetitions: number; ///< those in which some score is defined
  readonly winner: Ranking | null;
  readonly runner_up: Ranking | null;
  readonly clear: boolean;
  readonly candidates: readonly number[]; ///< the winner, and those that cannot be told from it
}

const z95 = 1.959963984540054;

/// The 95 % Wilson interval of `wins` in `trials`.
export function wilson(wins: number, trials: number): Share {
  if (trials === 0) return { mean: 0, low: 0, high: 1 };
  const share = wins / trials;
  const z2 = z95 * z95;
  const centre = (share + z2 / (2 * trials)) / (1 + z2 / trials);
  const half = (z95 / (1 + z2 / trials)) * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials * trials));
  return {
    mean: share,
    low: wins === 0 ? 0 : Math.max(0, centre - half),
    high: wins === trials ? 1 : Math.min(1, centre + half),
  };
}

/// Weights that add up to 1 over the criteria that there are; all zero becomes equal.
export function normalise(weights: Partial<Weights>, available: readonly Criterion[] = criteria): Weights {
  const kept = criteria.map((name) => (available.includes(name) ? Math.max(0, weights[name] ?? 0) : 0));
  const sum = kept.reduce((a, b) => a + b, 0);
  const share = (i: number) => {
    const name = criteria[i];
    if (!name || !available.includes(name)) return 0;
    return sum > 0 ? (kept[i] ?? 0) / sum : 1 / available.length;
  };
  return { privacy: share(0), utility: share(1), fairness: share(2) };
}

/// One weight set to a value, the others shrunk or grown in proportion.
export function with_weight(weights: Weights, name: Criterion, value: number, available: readonly Criterion[]): Weights {
  const wanted = Math.min(1, Math.max(0, value));
  const others = available.filter((other) => other !== name);
  const rest = others.reduce((sum, other) => sum + weights[other], 0);
  const next: Partial<Record<Criterion, number>> = { [name]: wanted };
  for (const other of others) {
    next[other] = rest > 0 ? (weights[other] / rest) * (1 - wanted) : (1 - wanted) / others.length;
  }
  return normalise(next, available);
}

export function available_criteria(draws: Draws): Criterion[] {
  return criteria.filter((name) => draws[name] !== null && draws[name] !== undefined);
}

/// The weighted score; null where a criterion that counts is undefined.
function weighted(weights: Weights, value: (criterion: Criterion) => Maybe<number>): number | null {
  let score = 0;
  for (const name of criteria) {
    if (weights[name] === 0) continue;
    const part = value(name);
    if (part === null || part === undefined) return null;
    score += weights[name] * part;
  }
  return score;
}

function draw_of(scores: Maybe<Scores>, epsilon: number, repetition: number): Maybe<number> {
  return scores?.[epsilon]?.[repetition];
}

/// Of the same score the smaller epsilon is the better one. Scores that differ by less than rounding are the same.
const same = 1e-12;

/// The recommendation at these weights: in each repetition the epsilon with the highest score wins.
export function choose(epsilons: readonly number[], draws: Draws, weights: Weights): Choice {
  const order = epsilons.map((_, i) => i).sort((a, b) => (epsilons[a] ?? 0) - (epsilons[b] ?? 0));
  const wins = epsilons.map(() => 0);
  const length = Math.max(0, ...draws.privacy.map((scores) => scores.length));
  let repetitions = 0;
  for (let repetition = 0; repetition < length; ++repetition) {
    let best = -1;
    let best_score = -Infinity;
    for (const i of order) {
      const score = weighted(weights, (name) => draw_of(draws[name], i, repetition));
      if (score !== null && score > best_score + same) {
        best = i;
        best_score = score;
      }
    }
    if (best < 0) continue;
    wins[best] = (wins[best] ?? 0) + 1;
    repetitions += 1;
  }
  const rankings = epsilons.map((epsilon, i) => ({
    epsilon,
    wins: wins[i] ?? 0,
    rate: wilson(wins[i] ?? 0, repetitions),
  }));
  if (repetitions === 0) {
    return { rankings, repetitions, winner: null, runner_up: null, clear: false, candidates: [] };
  }
  const sorted = [...rankings].sort((a, b) => b.wins - a.wins || a.epsilon - b.epsilon);
  const winner = sorted[0] ?? null;
  const runner_up = sorted[1] ?? null;
  const low = winner?.rate.low ?? 0;
  const candidates = rankings.filter((one) => one === winner || one.rate.high >= low);
  return {
    rankings,
    repetitions,
    winner,
    runner_up,
    clear: winner !== null && (runner_up === null || low > runner_up.rate.high),
    candidates: candidates.map(({ epsilon }) => epsilon).sort((a, b) => a - b),
  };
}

/// The mean of the repetitions, by epsilon; null where none is defined.
export function means(scores: Maybe<Scores>): (number | null)[] {
  return (scores ?? []).map((draws) => {
    const known = draws.filter((value): value is number => typeof value === "number");
    return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
  });
}

export interface Region {
  readonly epsilon: number;
  readonly index: number;
  readonly corners: readonly Weights[]; ///< a convex polygon in the weight triangle
}

/// Where in the weight space each epsilon has the highest mean score. A score is linear in the weights, so each region
/// is the triangle cut by one straight line for every other epsilon. With two criteria the triangle is a line.
export function regions(epsilons: readonly number[], draws: Draws): Region[] {
  const available = available_criteria(draws);
  const mean = { privacy: means(draws.privacy), utility: means(draws.utility), fairness: means(draws.fairness) };
  const corner = (name: Criterion): Weights => normalise({ [name]: 1 }, available);
  const known = epsilons.map((_, i) => available.every((name) => typeof mean[name][i] === "number"));
  const result: Region[] = [];
  epsilons.forEach((epsilon, i) => {
    if (!known[i]) return;
    let polygon: Weights[] = available.map(corner);
    epsilons.forEach((other, j) => {
      if (j === i || !known[j] || polygon.length === 0) return;
      const lead = (weights: Weights) =>
        available.reduce((sum, name) => sum + weights[name] * ((mean[name][i] ?? 0) - (mean[name][j] ?? 0)), 0);
      const equal = available.every((name) => Math.abs((mean[name][i] ?? 0) - (mean[name][j] ?? 0)) < same);
      if (equal) polygon = other < epsilon ? [] : polygon;
      else polygon = cut(polygon, lead);
    });
    if (polygon.length >= available.length) result.push({ epsilon, index: i, corners: polygon });
  });
  return result;
}

/// The part of a convex polygon in which the linear function is not negative (Sutherland and Hodgman).
function cut(polygon: readonly Weights[], lead: (weights: Weights) => number): Weights[] {
  const kept: Weights[] = [];
  const edges = polygon.length === 2 ? 1 : polygon.length;
  polygon.forEach((from, i) => {
    const here = lead(from);
    if (here >= 0) kept.push(from);
    if (i >= edges) return;
    const to = polygon[(i + 1) % polygon.length];
    if (!to) return;
    const there = lead(to);
    if ((here > 0 && there < 0) || (here < 0 && there > 0)) {
      const part = here / (here - there);
      kept.push({
        privacy: from.privacy + (to.privacy - from.privacy) * part,
        utility: from.utility + (to.utility - from.utility) * part,
        fairness: from.fairness + (to.fairness - from.fairness) * part,
      });
    }
  });
  return kept;
}
