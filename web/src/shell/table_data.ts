import type { Estimate } from "./estimate";

/// A figure that does not exist, and why.
export class Undefined {
  constructor(readonly reason: string) {}
}

export type Cell = string | number | boolean | null | undefined | Estimate | Undefined;
export type Kind = "text" | "figure" | "count" | "percent" | "exact" | "estimate" | "estimate-percent";

export interface Column {
  readonly key: string; ///< the name in a CSV file, the same in every language
  readonly label: string; ///< what the reader sees
  readonly kind: Kind;
  readonly reason?: string; ///< why a cell of this column is undefined, when it is
}

/// What a table shows, a chart stands on, and a CSV file holds.
export interface TableData {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}
