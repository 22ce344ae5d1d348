import { chart, type Chart } from "../shell/chart";
import { category_axis, tip, tooltip } from "../shell/axes";
import { is_estimate, mean_of, type MaybeEstimate } from "../shell/estimate";
import { exact, figure } from "../shell/format";
import { on_ramp } from "../shell/look";
import type { Section } from "../shell/page";
import { h } from "../shell/dom";
import { fairness_score, type EpsilonResult } from "./document";
import type { View } from "./view";

interface Side {
  readonly key: string;
  readonly name: string;
  readonly value: (result: EpsilonResult) => MaybeEstimate;
}

interface CellApi {
  readonly coord: (place: [number, number]) => [number, number];
  readonly size: (extent: [number, number]) => [number, number];
}

/// One score over all pairs of k and epsilon: the darker a cell, the lower its score; the score stands in it.
function heat_map(view: View, side: Side): Chart {
  const { context, t, all } = view;
  const ks = [...new Set(all.map(({ k }) => k ?? 0))].sort((a, b) => a - b);
  const epsilons = [...new Set(all.map(({ epsilon }) => epsilon))].sort((a, b) => a - b);
  const above = new Set(all.filter(({ above_ceiling }) => above_ceiling).map(({ epsilon }) => epsilon));
  return chart(context, {
    id: `heat-${side.key}`,
    title: t("heat.chart", { score: side.name }),
    draw: (look, width) => ({
      option: {
        grid: { left: 56, right: 12, top: 8, bottom: 48 },
        tooltip: tooltip(look, "item", (params) => {
          const result = all[(params as { dataIndex: number }).dataIndex];
          if (!result) return "";
          const mean = mean_of(side.value(result));
          return tip(t("pair", { epsilon: exact(result.epsilon), k: result.k ?? 0 }), [
            { name: side.name, value: mean === null ? t("shell.undefined") : figure(mean) },
          ]);
        }),
        xAxis: category_axis(look, t("epsilon"), epsilons.map((epsilon) => `${exact(epsilon)}${above.has(epsilon) ? "!" : ""}`)),
        yAxis: { ...category_axis(look, "k", ks.map(String)), nameGap: 36 },
        series: [{
          type: "custom",
          data: all.map(({ k, epsilon }) => [epsilons.indexOf(epsilon), ks.indexOf(k ?? 0)]),
          renderItem: ({ dataIndex }: { dataIndex: number }, api: CellApi) => {
            const result = all[dataIndex];
            if (!result) return null;
            const [x, y] = api.coord([epsilons.indexOf(result.epsilon), ks.indexOf(result.k ?? 0)]);
            const [wide, high] = api.size([1, 1]);
            const mean = mean_of(side.value(result));
            const chosen = result.epsilon === view.document.recommendation?.epsilon && result.k === view.document.recommendation.k;
            const fill = mean === null ? look.paper : on_ramp(look, mean);
            return {
              type: "rect",
              shape: { x: x - wide / 2 + 1, y: y - high / 2 + 1, width: wide - 2, height: high - 2 },
              style: { fill, stroke: chosen ? look.ink : look.line, lineWidth: chosen ? 3 : 1 },
              textContent: {
                type: "text",
                style: {
                  text: mean === null ? "–" : wide < 44 ? mean.toFixed(2) : figure(mean),
                  fill: mean === null ? look.ink : mean > 0.45 ? "#101820" : "#ffffff",
                  fontSize: wide < 44 ? 9 : 12,
                  fontFamily: look.font,
                },
              },
              textConfig: { position: "inside" },
            };
          },
        }],
      },
      legend: [],
      data: {
        columns: [
          { key: "k", label: "k", kind: "exact" },
          { key: "epsilon", label: t("epsilon"), kind: "exact" },
          { key: side.key, label: side.name, kind: "estimate" },
        ],
        rows: all.map((result) => [result.k ?? 0, result.epsilon, side.value(result)]),
      },
      summary: t("heat.summary", { score: side.name, ks: ks.join(", "), epsilons: epsilons.map(exact).join(", ") }),
      height: 72 + ks.length * (width < 480 ? 34 : 40),
    }),
  });
}

/// All pairs of k and epsilon, where several k were tried.
export function heat_section(view: View): Section | null {
  const { t, all } = view;
  if (!all.some(({ k }) => typeof k === "number")) return null;
  const sides: Side[] = [
    { key: "score", name: t("integrated"), value: ({ score }) => score },
    { key: "privacy", name: t("privacy"), value: ({ privacy }) => privacy.score },
    { key: "utility", name: t("utility"), value: ({ utility }) => utility.score },
    { key: "fairness", name: t("fairness"), value: ({ fairness }) => fairness_score(fairness) },
  ];
  const shown = sides.filter(({ value }) => all.some((result) => is_estimate(value(result))));
  return {
    id: "heat",
    title: t("heat.title"),
    lead: t("heat.lead", { k: view.document.recommendation?.k ?? view.document.setting.k }),
    body: [h("div", { class: "heat" }, shown.map((side) => heat_map(view, side).element))],
  };
}
