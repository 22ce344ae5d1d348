import type { ReportKind } from "../shell/app";
import type { Context } from "../shell/context";
import { h } from "../shell/dom";
import { count, exact } from "../shell/format";
import type { Section } from "../shell/page";
import { table } from "../shell/table";
import { histogram, quantile_chart } from "./charts";
import type { NoiseDocument, Panel } from "./document";
import { noise_en } from "./messages_en";
import { noise_zh } from "./messages_zh";

function overview_section(context: Context, { panels }: NoiseDocument): Section {
  const { t } = context;
  const examples = panels[0]?.examples ?? [];
  return {
    id: "overview", title: t("overview.title"), lead: t("overview.lead"),
    body: table(context, {
      id: "overview",
      title: t("overview.table"),
      data: {
        columns: [
          { key: "epsilon", label: "ε", kind: "text" },
          { key: "half", label: t("overview.half"), kind: "figure" },
          ...examples.map(({ before }) => ({ key: `after_${before}`, label: t("overview.before", { before: count(before) }), kind: "figure" as const })),
        ],
        rows: panels.map(({ epsilon, interval95, examples: own }) => [exact(epsilon), interval95[1], ...own.map(({ after }) => after)]),
      },
    }),
  };
}

function panel_section(context: Context, document: NoiseDocument, panel: Panel, place: number): Section {
  const { t } = context;
  const cost = panel.cost_of_draws;
  const paid = typeof cost?.epsilon === "number"
    ? t(typeof cost.delta === "number" && cost.delta > 0 ? "panel.cost.delta" : "panel.cost", {
      draws: count(document.draws), epsilon: exact(cost.epsilon), ...(typeof cost.delta === "number" ? { delta: exact(cost.delta) } : {}),
    })
    : t("panel.cost.none", { draws: count(document.draws) });
  return {
    id: `epsilon-${place}`, title: t("panel.title", { epsilon: exact(panel.epsilon) }), lead: t("panel.lead"),
    body: [histogram(context, panel, place).element, quantile_chart(context, panel, place).element, h("p", { class: "cost" }, paid)],
  };
}

/// The report of `gauze noise --plot`.
export const noise: ReportKind = {
  matches: (document) => typeof document === "object" && document !== null && "kind" in document && document.kind === "noise-plot",
  file_stem: "gauze-noise",
  messages: [{ en: noise_en, zh: noise_zh }],
  build: (context, value) => {
    const document = value as NoiseDocument;
    const { t } = context;
    return {
      title: t("title"),
      subtitle: t("title.of", { mechanism: document.mechanism, sensitivity: exact(document.sensitivity), draws: count(document.draws) }),
      marking: null,
      sections: [
        overview_section(context, document),
        ...document.panels.map((panel, place) => panel_section(context, document, panel, place + 1)),
        { id: "reading", title: t("reading.title"), body: h("p", {}, t("reading.text", { draws: count(document.draws) })) },
      ],
    };
  },
};
