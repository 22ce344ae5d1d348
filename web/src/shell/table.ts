import type { Context } from "./context";
import { to_csv } from "./csv";
import { h, type Child } from "./dom";
import { download_csv } from "./download";
import { is_estimate } from "./estimate";
import { count, exact, figure, percent } from "./format";
import { Undefined, type Cell, type Column, type Kind, type TableData } from "./table_data";

function number_text(kind: Kind, value: number): string {
  switch (kind) {
    case "count":
      return count(value);
    case "percent":
    case "estimate-percent":
      return percent(value);
    case "exact":
      return exact(value);
    default:
      return figure(value);
  }
}

/// "undefined", with the reason on hand for eye and ear.
export function undefined_mark(context: Context, reason: string): HTMLElement {
  return h(
    "span",
    { class: "undefined", title: reason },
    context.t("shell.undefined"),
    h("span", { class: "reason" }, ` (${reason})`),
  );
}

/// "0.812 (0.790 – 0.830)".
export function cell_text(context: Context, kind: Kind, cell: Cell): string | null {
  if (cell === null || cell === undefined || cell instanceof Undefined) return null;
  if (typeof cell === "string") return cell;
  if (typeof cell === "boolean") return context.t(cell ? "shell.yes" : "shell.no");
  if (typeof cell === "number") return number_text(kind, cell);
  return `${number_text(kind, cell.mean)} (${number_text(kind, cell.low)} – ${number_text(kind, cell.high)})`;
}

function cell_content(context: Context, column: Column, cell: Cell): Child {
  if (is_estimate(cell)) {
    const text = (value: number) => number_text(column.kind, value);
    return [
      h("span", { class: "mean" }, text(cell.mean)),
      " ",
      h("span", { class: "interval" }, `(${text(cell.low)} – ${text(cell.high)})`),
    ];
  }
  const text = cell_text(context, column.kind, cell);
  if (text !== null) return text;
  const reason = cell instanceof Undefined ? cell.reason : column.reason;
  return undefined_mark(context, reason ?? context.t("shell.no_value"));
}

/// The bare table, in a box of its own that scrolls sideways when the screen is narrow.
export function plain_table(context: Context, title: string, data: TableData): HTMLElement {
  const head = data.columns.map((column, i) =>
    h("th", { scope: "col", class: column.kind === "text" || i === 0 ? "" : "number" }, column.label),
  );
  const dense = data.columns.filter(({ kind }) => kind.startsWith("estimate")).length > 3;
  const body = data.rows.map((row) =>
    h(
      "tr",
      {},
      data.columns.map((column, i) => {
        const content = cell_content(context, column, row[i] ?? null);
        if (i === 0) return h("th", { scope: "row", class: column.kind === "text" ? "name" : "" }, content);
        return h("td", { class: column.kind === "text" ? "" : "number" }, content);
      }),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": context.t("shell.scrolls", { title }) },
    h("table", { class: dense ? "dense" : "" }, h("caption", { class: "hidden" }, title), h("thead", {}, h("tr", {}, head)), h("tbody", {}, body)),
  );
}

export function csv_button(context: Context, id: string, title: string, data: () => TableData, text?: string): HTMLElement {
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": context.t("shell.download_csv_of", { title }),
      "data-download": `${id}.csv`,
      click: () => download_csv(`${context.file_stem}-${id}`, to_csv(data())),
    },
    text ?? context.t("shell.download_csv"),
  );
}

export interface TableSpec {
  readonly id: string;
  readonly title: string;
  readonly note?: Child;
  readonly data: TableData;
}

/// A table with its title and its download.
export function table(context: Context, { id, title, note, data }: TableSpec): HTMLElement {
  return h(
    "figure",
    { class: "card", id: `table-${id}` },
    h(
      "figcaption",
      {},
      h("h3", {}, title),
      h("div", { class: "tools" }, csv_button(context, id, title, () => data)),
    ),
    plain_table(context, title, data),
    note ? h("p", { class: "note" }, note) : null,
  );
}
