type Maybe<T> = T | null | undefined;

/// A part of the line: what was drawn in it, and what the law says of as many draws.
export interface Bin {
  readonly low: number;
  readonly high: number;
  readonly drawn: number;
  readonly expected: number;
}

/// The same share of draws lies at or below both.
export interface Quantile {
  readonly share: number;
  readonly law: number;
  readonly drawn: number;
}

export interface Panel {
  readonly epsilon: number;
  readonly variance: number;
  readonly interval95: readonly [number, number];
  readonly bins: readonly Bin[];
  readonly quantiles: readonly Quantile[];
  readonly examples: readonly { readonly before: number; readonly after: number }[];
  readonly cost_of_draws: Maybe<{ readonly epsilon: Maybe<number>; readonly delta: Maybe<number> }>;
}

/// The document of `gauze noise --plot`, as docs/formats/json-output.md says.
export interface NoiseDocument {
  readonly kind: "noise-plot";
  readonly mechanism: string;
  readonly sensitivity: number;
  readonly draws: number;
  readonly panels: readonly Panel[];
}
