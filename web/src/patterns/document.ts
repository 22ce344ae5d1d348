/// The document of `gauze patterns compare`, as docs/formats/json-output.md says.
export interface Band {
  readonly factor: number;
  readonly min_count: number;
  readonly itemsets: number;
  readonly others: number; ///< of these, those that hold no sensitive pattern
  readonly lost: { readonly literal: number; readonly ideal: number };
}

export interface Run {
  readonly margin: number;
  readonly marks_total: number;
  readonly rows_touched: number;
  readonly level: string;
  readonly reached: boolean;
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

export interface PatternsDocument {
  readonly kind: "patterns-comparison";
  readonly file: string;
  readonly transactions: number;
  readonly items: number;
  readonly min_count: number;
  readonly level: string;
  readonly patterns: readonly { readonly text: string; readonly before: number; readonly min_count: number }[];
  readonly algorithms: readonly AlgorithmResult[];
}

/// Other frequent itemsets that a run lost at the threshold itself.
export const lost_of = (run: Run): number => run.bands[0]?.lost.ideal ?? 0;
