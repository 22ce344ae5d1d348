import type { ReportKind } from "../shell/app";
import type { Context } from "../shell/context";
import { h } from "../shell/dom";
import { count, exact } from "../shell/format";
import type { Section } from "../shell/page";
import { cell_text, table } from "../shell/table";
import type { Cell } from "../shell/table_data";
import { band_chart, cost_curve, series_chart } from "./charts";
import { lost_at, series_figures, type PatternsDocument } from "./document";
import { patterns_en } from "./messages_en";
import { patterns_zh } from "./messages_zh";

function overview_section(context: Context, document: PatternsDocument): Section {
  const { t } = context;
  const ran = document.algorithms.filter(({ runs }) => runs.length > 0);
  const skipped = document.algorithms.filter(({ skipped: reason }) => reason);
  const bands = ran[0]?.runs[0]?.bands ?? [];
  const rows = ran.flatMap(({ algorithm, runs }): Cell[][] => {
    const run = runs[0];
    if (!run) return [];
    return [[
      algorithm, run.marks_total, run.rows_touched, run.removed, run.hiding_failure, run.reached ? run.level : t("not_reached"),
      ...run.bands.map(lost_at), run.seconds,
    ]];
  });
  const overview = table(context, {
    id: "overview",
    title: t("overview.table"),
    data: {
      columns: [
        { key: "algorithm", label: t("algorithm"), kind: "text" },
        { key: "changes", label: t("changes"), kind: "count" },
        { key: "rows", label: t("rows"), kind: "count" },
        { key: "removed", label: t("removed"), kind: "percent" },
        { key: "hiding_failure", label: t("failure"), kind: "percent" },
        { key: "level", label: t("level"), kind: "text" },
        ...bands.map(({ factor }) => ({
          key: `lost_${factor}`, label: t("lost_at", { factor: exact(factor) }), kind: "count" as const,
        })),
        { key: "seconds", label: t("seconds"), kind: "figure" },
      ],
      rows,
    },
  });
  const patterns = table(context, {
    id: "patterns",
    title: t("overview.patterns"),
    data: {
      columns: [
        { key: "pattern", label: t("pattern"), kind: "text" },
        { key: "before", label: t("before"), kind: "count" },
        { key: "threshold", label: t("threshold"), kind: "count" },
      ],
      rows: document.patterns.map(({ text, before, min_count }) => [text, before, min_count]),
    },
  });
  return {
    id: "overview",
    title: t("overview.title"),
    lead: t("overview.lead", { total: cell_text(context, "count", bands[0]?.others) ?? t("uncounted") }),
    body: h(
      "div",
      {},
      overview,
      skipped.map(({ algorithm, skipped: reason }) => h("p", {}, `${t("skipped")}: ${algorithm} (${reason ?? ""})`)),
      patterns,
    ),
  };
}

function series_sections(context: Context, { series }: PatternsDocument): Section[] {
  if (!series) return [];
  const { t } = context;
  return (["thresholds", "numbers"] as const).filter((kind) => series[kind].length > 0).map((kind) => ({
    id: kind,
    title: t(`series.${kind}.title`),
    lead: t(`series.${kind}.lead`),
    body: h("div", {}, series_figures.map((figure) => series_chart(context, kind, series[kind], figure).element)),
  }));
}

/// The report of `gauze patterns compare`.
export const patterns: ReportKind = {
  matches: (document) =>
    typeof document === "object" && document !== null && "kind" in document && document.kind === "patterns-comparison",
  file_stem: "gauze-patterns",
  messages: [{ en: patterns_en, zh: patterns_zh }],
  build: (context, value) => {
    const document = value as PatternsDocument;
    const { t } = context;
    const ran = document.algorithms.filter(({ runs }) => runs.length > 0);
    return {
      title: t("title"),
      subtitle: t("title.of", {
        file: document.file, rows: count(document.transactions), count: count(document.min_count), level: document.level,
      }),
      marking: { word: t("internal.word"), text: t("internal.text") },
      sections: [
        { id: "costs", title: t("curve.title"), lead: t("curve.lead"), body: cost_curve(context, ran).element },
        overview_section(context, document),
        { id: "band", title: t("band.title"), lead: t("band.lead"), body: band_chart(context, ran).element },
        ...series_sections(context, document),
      ],
    };
  },
};
