type Maybe<T> = T | null | undefined;

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly distinct: number;
  readonly missing: number;
  readonly role: string;
  readonly reason: string;
  readonly normalized_mutual_information: Maybe<number>;
  readonly distinction: number;
  readonly separation: Maybe<number>;
  readonly availability: Maybe<number>;
  readonly risk: Maybe<number>;
}

export interface Combination {
  readonly columns: readonly string[];
  readonly uniques: number;
  readonly below_k: number;
  readonly smallest_class: number;
  readonly reaches_k: boolean;
  readonly loss: Maybe<number>;
}

export interface Tie {
  readonly column: string;
  readonly protected: string;
  readonly cramers_v: number;
}

/// The document of `gauze inspect --report`, as docs/formats/json-output.md says.
export interface InspectionDocument {
  readonly kind: "inspection";
  readonly file: string;
  readonly target: Maybe<string>;
  readonly k: number;
  readonly rows: number;
  readonly columns: readonly Column[];
  readonly combinations: readonly Combination[];
  readonly ties: readonly Tie[];
}

/// Columns that have this figure, the largest first, of equals the first.
export function ranked(columns: readonly Column[], figure: "normalized_mutual_information" | "risk"): readonly Column[] {
  return columns.filter((column) => typeof column[figure] === "number").sort((a, b) => (b[figure] ?? 0) - (a[figure] ?? 0));
}
