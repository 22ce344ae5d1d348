import type { ReportKind } from "../shell/app";
import type { Context } from "../shell/context";
import { h } from "../shell/dom";
import { count } from "../shell/format";
import type { Section } from "../shell/page";
import { table } from "../shell/table";
import { column_bars } from "./charts";
import { ranked, type InspectionDocument } from "./document";
import { inspection_en } from "./messages_en";
import { inspection_zh } from "./messages_zh";

function bar_sections(context: Context, document: InspectionDocument): Section[] {
  const { t } = context;
  const sections: Section[] = [];
  for (const [id, figure] of [["relevance", "normalized_mutual_information"], ["risk", "risk"]] as const) {
    const columns = ranked(document.columns, figure);
    const first = columns[0];
    if (!first) continue;
    sections.push({
      id, title: t(`${id}.title`), lead: t(`${id}.lead`, { target: document.target ?? "" }),
      body: column_bars(context, {
        id, title: t(`${id}.chart`), name: t(`${id}.name`), summary: t(`${id}.summary`, { first: first.name }), columns,
        of: (column) => column[figure] ?? 0,
      }).element,
    });
  }
  return sections;
}

function columns_section(context: Context, { columns }: InspectionDocument): Section {
  const { t } = context;
  return {
    id: "columns", title: t("columns.title"), lead: t("columns.lead"),
    body: table(context, {
      id: "columns", title: t("columns.table"),
      data: {
        columns: [
          { key: "column", label: t("column"), kind: "text" },
          { key: "role", label: t("role"), kind: "text" },
          { key: "availability", label: t("availability"), kind: "count", reason: t("reason.no_availability") },
          { key: "distinct", label: t("distinct"), kind: "count" },
          { key: "missing", label: t("missing"), kind: "count" },
          { key: "distinction", label: t("distinction"), kind: "percent" },
          { key: "separation", label: t("separation"), kind: "percent", reason: t("reason.no_pairs") },
          { key: "reason", label: t("why"), kind: "text" },
        ],
        rows: columns.map(({ name, role, availability, distinct, missing, distinction, separation, reason }) => [
          name, role, availability, distinct, missing, distinction, separation, reason,
        ]),
      },
    }),
  };
}

function combinations_section(context: Context, { combinations, k }: InspectionDocument): Section | null {
  const { t } = context;
  if (combinations.length === 0) return null;
  return {
    id: "combinations", title: t("combinations.title"), lead: t("combinations.lead", { k: count(k) }),
    body: table(context, {
      id: "combinations", title: t("combinations.table"),
      data: {
        columns: [
          { key: "columns", label: t("combinations.columns"), kind: "text" },
          { key: "uniques", label: t("combinations.uniques"), kind: "count" },
          { key: "below_k", label: t("combinations.below_k", { k: count(k) }), kind: "count" },
          { key: "smallest_class", label: t("combinations.smallest"), kind: "count" },
          { key: "loss", label: t("combinations.loss", { k: count(k) }), kind: "figure", reason: t("reason.nothing_left") },
        ],
        rows: combinations.map((one) => [one.columns.join(", "), one.uniques, one.below_k, one.smallest_class, one.reaches_k ? one.loss : null]),
      },
    }),
  };
}

function ties_section(context: Context, { ties }: InspectionDocument): Section | null {
  const { t } = context;
  if (ties.length === 0) return null;
  return {
    id: "ties", title: t("ties.title"), lead: t("ties.lead"),
    body: table(context, {
      id: "ties", title: t("ties.table"),
      data: {
        columns: [
          { key: "column", label: t("column"), kind: "text" },
          { key: "protected", label: t("ties.protected"), kind: "text" },
          { key: "cramers_v", label: t("ties.v"), kind: "figure" },
        ],
        rows: ties.map((tie) => [tie.column, tie.protected, tie.cramers_v]),
      },
    }),
  };
}

/// The report of `gauze inspect`.
export const inspection: ReportKind = {
  matches: (document) => typeof document === "object" && document !== null && "kind" in document && document.kind === "inspection",
  file_stem: "gauze-inspection",
  messages: [{ en: inspection_en, zh: inspection_zh }],
  build: (context, value) => {
    const document = value as InspectionDocument;
    const { t } = context;
    const sections: (Section | null)[] = [
      ...bar_sections(context, document),
      columns_section(context, document),
      combinations_section(context, document),
      ties_section(context, document),
      { id: "reading", title: t("reading.title"), body: h("p", {}, t("reading.text")) },
    ];
    return {
      title: t("title"),
      subtitle: t("title.of", { file: document.file, rows: count(document.rows), columns: count(document.columns.length) }),
      marking: { word: t("internal.word"), text: t("internal.text") },
      sections: sections.filter((section): section is Section => section !== null),
    };
  },
};
