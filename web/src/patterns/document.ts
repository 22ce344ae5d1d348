import { is_estimate, type Estimate } from "../shell/estimate";

/// The document of `gauze patterns compare`, as docs/formats/json-output.md says.
export interface Band {
  readonly factor: number;
  readonly min_count: number;
  readonly itemsets: number | null;
  readonly others: number | null; ///< of these, those that hold no sensitive pattern
  readonly misses_cost: { readonly literal: number | Estimate | null; readonly ideal: number | Estimate | null };
  readonly lost: { readonly literal: number | null; readonly ideal: number | null };
}

export interface Run {
  readonly margin: number;
  readonly marks_total: number;
  readonly rows_touched: number;
  readonly level: string;
  readonly reached: boolean;
  readonly hiding_failure: number; ///< share of the patterns that are found all the same
  readonly seconds: number;
  readonly removed: number;
  readonly artifactual_ignoring_unknown: number;
  readonly bands: readonly Band[];
}

export interface AlgorithmResult {
  readonly algorithm: string;
  readonly skipped?: string;
  readonly runs: readonly Run[];
}

/// The same work with another threshold, or with the first patterns of the list alone.
export interface SeriesPoint {
  readonly min_count: number;
  readonly min_support: number;
  readonly patterns: number;
  readonly algorithms: readonly { readonly algorithm: string; readonly run?: Run; readonly skipped?: string }[];
}

export interface PatternsDocument {
  readonly kind: "patterns-comparison";
  readonly file: string;
  readonly transactions: number;
  readonly items: number;
  readonly min_count: number;
  readonly level: string;
  readonly patterns: readonly { readonly text: string; readonly before: number; readonly min_count: number }[];
  readonly algorithms: readonly AlgorithmResult[];
  readonly series?: { readonly thresholds: readonly SeriesPoint[]; readonly numbers: readonly SeriesPoint[] };
}

/// Other frequent itemsets that were lost at a threshold: their number, or where they are too many to count an estimate, or null.
export function lost_at({ others, misses_cost: { ideal: share }, lost }: Band): number | Estimate | null {
  if (lost.ideal !== null) return lost.ideal;
  if (others === null || !is_estimate(share)) return null;
  return { mean: others * share.mean, low: others * share.low, high: others * share.high };
}

/// Where a line is drawn.
export function height_of(lost: number | Estimate | null): number | null {
  return is_estimate(lost) ? lost.mean : lost;
}

/// The same at the threshold itself.
export function lost_of(run: Run): number | Estimate | null {
  const [first] = run.bands;
  return first ? lost_at(first) : null;
}

/// What a series may show of each run.
export const series_figures = ["lost", "changes", "failure"] as const;
export type SeriesFigure = (typeof series_figures)[number];

export function figure_of(run: Run | undefined, figure: SeriesFigure): number | Estimate | null {
  if (!run) return null;
  if (figure === "changes") return run.marks_total;
  return figure === "failure" ? run.hiding_failure : lost_of(run);
}
