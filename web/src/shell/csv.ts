import { is_estimate } from "./estimate";
import { Undefined, type Cell, type TableData } from "./table_data";

/// One field by RFC 4180. Text that a spreadsheet would take for a formula gets an apostrophe in front: the values
/// come from data that somebody else wrote.
export function csv_field(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  const formula = /^[=@\t\r]/.test(value) || (/^[+-]/.test(value) && !/^[+-][\d.,%\s+–-]*$/.test(value));
  const text = formula ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replace(/"/g, '""')}"` : text;
}

function plain(cell: Cell): string {
  if (cell === null || cell === undefined || cell instanceof Undefined || is_estimate(cell)) return "";
  return csv_field(cell);
}

/// A table as CSV with full digits. An estimate takes four columns; what is undefined is an empty field.
export function to_csv(table: TableData): string {
  const header = table.columns.flatMap(({ key, kind }) =>
    kind === "estimate" || kind === "estimate-percent" ? [key, `${key}_low`, `${key}_high`, `${key}_sd`] : [key],
  );
  const rows = table.rows.map((row) =>
    table.columns.flatMap(({ kind }, i) => {
      const cell = row[i] ?? null;
      if (kind !== "estimate" && kind !== "estimate-percent") return [plain(cell)];
      if (!is_estimate(cell)) return [plain(cell), "", "", ""];
      return [cell.mean, cell.low, cell.high, cell.sd ?? ""].map(String);
    }),
  );
  return [header.map(csv_field), ...rows].map((fields) => fields.join(",") + "\r\n").join("");
}
