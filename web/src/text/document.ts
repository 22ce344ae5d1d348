/// The document of `gauze text stats`, as docs/formats/json-output.md says.
export interface Spread {
  readonly mean: number;
  readonly q05: number;
  readonly q50: number;
  readonly q95: number;
  readonly low?: number; ///< the 95 % interval of the mean, where words were drawn
  readonly high?: number;
}

export interface WordFigures {
  readonly N: number;
  readonly S: number;
  readonly S_star: number | null;
  readonly distinct: number;
  readonly entropy: number | null;
}

export interface Result {
  readonly epsilon: number;
  readonly N: Spread;
  readonly S: Spread;
  readonly S_star: Spread | null;
  readonly distinct: Spread;
  readonly entropy: Spread | null;
  readonly bayes: { readonly uniform: number | null; readonly prior: number | null };
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
  readonly results: readonly Result[];
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
export const outputs_are_distinct = ({ exact, eta, runs }: TextDocument): boolean => !exact && eta * runs <= 1;

/// The words that were asked for, in the order of the document.
export const words_of = (results: readonly Result[]): string[] => Object.keys(results[0]?.words ?? {});
