/// A figure with its 95 % interval over repetitions; null where it is undefined.
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly sd?: number;
}
export type MaybeEstimate = Estimate | null | undefined;

/// JSON has no infinity: a figure that is there but has no number for its mean or an end is infinite there.
export function with_infinities(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(with_infinities);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, with_infinities(part)]));
  if (!("mean" in entries && "low" in entries && "high" in entries)) return entries;
  const mean = (entries.mean ?? Infinity) as number;
  return { ...entries, mean, low: entries.low ?? (mean === Infinity ? mean : -Infinity), high: entries.high ?? Infinity };
}

export function is_estimate(value: unknown): value is Estimate {
  return typeof value === "object" && value !== null && typeof (value as Estimate).mean === "number";
}

/// What a chart can draw: where an end is infinite only the mean is.
export function drawn(value: MaybeEstimate): Estimate | null {
  if (!is_estimate(value) || !Number.isFinite(value.mean)) return null;
  const bounded = Number.isFinite(value.low) && Number.isFinite(value.high);
  return bounded ? value : { mean: value.mean, low: value.mean, high: value.mean };
}

/// The mean, or null: what a chart draws.
export function mean_of(value: MaybeEstimate): number | null {
  return drawn(value)?.mean ?? null;
}
