/// The document of `gauze text stats`, as docs/formats/json-output.md says.
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface Spread {
  readonly mean: number;
  readonly q05: number | null; ///< null: only the mean is known
  readonly q50: number | null;
  readonly q95: number | null;
  readonly low?: number; ///< the 95 % interval of the mean, where words were drawn
  readonly high?: number;
}

/// How often the best guess is right. Drawn: of somebody who learnt from half of the draws, with an interval.
export interface Guesses {
  readonly uniform: number | null;
  readonly prior: number | null;
  readonly intervals?: { readonly uniform: Interval | null; readonly prior: Interval | null };
}

export interface WordFigures {
  readonly N: number;
  readonly S: number;
  readonly S_star: number | null; ///< null: not all words were drawn
  readonly distinct: number;
  readonly entropy: number;
}

export interface Result {
  readonly epsilon: number;
  readonly N: Spread;
  readonly S: Spread;
  readonly S_star: Spread;
  readonly distinct: Spread;
  readonly entropy: Spread;
  readonly bayes: Guesses;
  readonly words: Readonly<Record<string, WordFigures>>;
}

export interface TextDocument {
  readonly kind: "text-statistics";
  readonly mechanism: string;
  readonly as_published: boolean;
  readonly vocabulary: number;
  readonly dimensions: number;
  readonly vectors: string; ///< their fingerprint
  readonly eta: number;
  readonly runs: number;
  readonly exact: boolean;
  readonly sampled_words: number | null;
  readonly draws: number | null; ///< of each of these words
  readonly results: readonly Result[];
}

/// The success of a guess, with its interval where words were drawn.
export function guess_of(guesses: Guesses, prior: "uniform" | "prior") {
  const mean = guesses[prior];
  const interval = guesses.intervals?.[prior];
  return mean !== null && interval ? { mean, ...interval } : mean;
}

/// By epsilon, whatever the order on the command line was, and each once.
export function ordered(results: readonly Result[]): Result[] {
  const sorted = [...results].sort((a, b) => a.epsilon - b.epsilon);
  return sorted.filter(({ epsilon }, i) => epsilon !== sorted[i - 1]?.epsilon);
}

/// The two neighbouring epsilons between which the chance to stay rises most, or null when it rises nowhere.
export function cliff(results: readonly Result[]): readonly [Result, Result] | null {
  let best: readonly [Result, Result] | null = null;
  let most = 0;
  for (const [i, to] of results.entries()) {
    const from = results[i - 1];
    if (!from || to.N.mean - from.N.mean <= most) continue;
    most = to.N.mean - from.N.mean;
    best = [from, to];
  }
  return best;
}

/// Whether S is nothing but the number of different outputs: every output that was drawn reaches the chance eta.
export const outputs_are_distinct = ({ exact, eta, runs, draws }: TextDocument): boolean =>
  !exact && draws === runs && eta * runs <= 1;

/// The words that were asked for, in the order of the document.
export const words_of = (results: readonly Result[]): string[] => Object.keys(results[0]?.words ?? {});
