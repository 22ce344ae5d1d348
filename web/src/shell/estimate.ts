/// A figure with its 95 % interval over repetitions; null where it is undefined.
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly sd?: number;
}
export type MaybeEstimate = Estimate | null | undefined;

export function is_estimate(value: unknown): value is Estimate {
  return typeof value === "object" && value !== null && typeof (value as Estimate).mean === "number";
}

/// The mean, or null: what a chart draws.
export function mean_of(value: MaybeEstimate): number | null {
  return is_estimate(value) ? value.mean : null;
}
