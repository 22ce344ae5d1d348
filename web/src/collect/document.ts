import type { Estimate } from "../shell/estimate";

/// The document of `gauze collect simulate`, as docs/formats/json-output.md says.
export interface Simulated {
  readonly mechanism: string;
  readonly mse: Estimate;
  readonly theory: number;
  readonly ratio: number;
  readonly coverage95: number;
  readonly bytes: number;
}

export interface CollectDocument {
  readonly kind: "collect-simulation";
  readonly task: string;
  readonly question: "frequency" | "mean";
  readonly size: number | null; ///< how many values; of a mean null
  readonly epsilon: number;
  readonly users: number;
  readonly repetitions: number;
  readonly distribution: string;
  readonly results: readonly Simulated[];
}

/// The root of a mean squared error: in the unit of what is estimated.
export function root(mse: Estimate): Estimate {
  const of = (value: number) => Math.sqrt(Math.max(0, value));
  return { mean: of(mse.mean), low: of(mse.low), high: of(mse.high) };
}

/// The mechanism with the smallest error, the first of equals.
export function best_of(results: readonly Simulated[]): Simulated | undefined {
  return results.reduce<Simulated | undefined>((best, one) => (!best || one.mse.mean < best.mse.mean ? one : best), undefined);
}
