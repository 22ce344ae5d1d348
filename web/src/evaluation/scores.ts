import { chart, type Chart } from "../shell/chart";
import { remembered } from "../shell/context";
import { checks } from "../shell/controls";
import { tip, tooltip } from "../shell/axes";
import { h } from "../shell/dom";
import { is_estimate, mean_of, type MaybeEstimate } from "../shell/estimate";
import { exact, figure } from "../shell/format";
import { series_style } from "../shell/look";
import type { Section } from "../shell/page";
import { fairness_score, utility_parts, type EpsilonResult } from "./document";
import { epsilon_chart, type Series } from "./epsilon_chart";
import { epsilon_choices, first_epsilon, type View } from "./view";

interface Side {
  readonly key: string;
  readonly name: string;
  readonly value: (result: EpsilonResult) => MaybeEstimate;
}

/// What can be scored: the criteria, with utility in its parts.
function sides(view: View): Side[] {
  const { t, results } = view;
  const all: Side[] = [
    { key: "privacy", name: t("privacy"), value: ({ privacy }) => privacy.score },
    ...utility_parts.map((part) => ({
      key: part,
      name: t(`utility.part.${part}`),
      value: ({ utility }: EpsilonResult) => utility.parts[part],
    })),
    { key: "fairness", name: t("fairness"), value: ({ fairness }) => fairness_score(fairness) },
  ];
  return all.filter(({ value }) => results.some((result) => is_estimate(value(result))));
}

function score_lines(view: View): Chart {
  const { t, results } = view;
  const series: Series[] = [
    { key: "privacy", name: t("privacy"), values: results.map(({ privacy }) => privacy.score), style: 0 },
    { key: "utility", name: t("utility"), values: results.map(({ utility }) => utility.score), style: 1 },
    { key: "fairness", name: t("fairness"), values: results.map((one) => fairness_score(one.fairness)), style: 2,
      reason: t("reason.fairness_score") },
    { key: "score", name: t("integrated"), values: results.map(({ score }) => score), emphasis: true },
  ];
  const shown = series.filter(({ values }) => values.some((value) => is_estimate(value)));
  return epsilon_chart(view, {
    id: "scores",
    title: t("scores.chart"),
    note: t("scores.note"),
    axis: { min: 0, max: 1, name: t("score") },
    series: () => shown,
  });
}

function radar(view: View): Chart {
  const { context, t, results } = view;
  const all = sides(view);
  const ends = [results[0]?.epsilon, first_epsilon(view), results[results.length - 1]?.epsilon];
  const first = new Set(ends.filter((one): one is number => one !== undefined).map(String));
  let chosen = remembered(context, "radar", first);
  const controls = checks(t("radar.choose"), epsilon_choices(view), chosen, (next) => {
    chosen = next;
    context.memory.set("radar", next);
    self.redraw();
  });
  const self = chart(context, {
    id: "radar",
    title: t("radar.chart"),
    note: t("radar.note"),
    controls,
    draw: (look, width, hidden) => {
      const picked = results.filter(({ epsilon }) => chosen.has(String(epsilon)));
      const name_of = ({ epsilon }: EpsilonResult) => t("epsilon_is", { epsilon: exact(epsilon) });
      const styles = new Map(picked.map((result, i) => [result, series_style(look, i)]));
      const whole = picked.filter((result) => all.every(({ value }) => is_estimate(value(result))));
      const drawn = whole.filter((result) => !hidden.has(name_of(result)));
      return {
        option: {
          tooltip: tooltip(look, "item", (params) => {
            const result = drawn[(params as { dataIndex: number }).dataIndex];
            if (!result) return "";
            return tip(name_of(result), all.map(({ name, value }) => {
              const mean = mean_of(value(result));
              return { name, value: mean === null ? t("shell.undefined") : figure(mean) };
            }));
          }),
          radar: {
            indicator: all.map(({ name }) => ({ name, min: 0, max: 1 })),
            center: ["50%", "52%"],
            radius: width < 480 ? "50%" : "68%",
            axisName: { color: look.ink, fontSize: 12 },
            axisLine: { lineStyle: { color: look.line } },
            splitLine: { lineStyle: { color: look.line } },
            splitArea: { show: false },
            splitNumber: 4,
          },
          series: [{
            type: "radar",
            emphasis: { focus: "none" },
            data: drawn.map((result) => {
              const { color, dash, symbol } = styles.get(result) ?? series_style(look, 0);
              return {
                name: name_of(result),
                value: all.map(({ value }) => mean_of(value(result))),
                symbol,
                symbolSize: 6,
                lineStyle: { color, type: dash, width: 2 },
                itemStyle: { color },
                areaStyle: { color, opacity: 0.06 },
              };
            }),
          }],
        },
        legend: whole.map((result) => {
          const { color, dash } = styles.get(result) ?? series_style(look, 0);
          return { name: name_of(result), color, dash };
        }),
        data: {
          columns: [
            { key: "epsilon", label: t("epsilon"), kind: "exact" },
            ...all.map(({ key, name }) => ({ key, label: name, kind: "estimate" }) as const),
          ],
          rows: picked.map((result) => [result.epsilon, ...all.map(({ value }) => value(result))]),
        },
        summary: t("radar.summary", { epsilons: drawn.map(({ epsilon }) => exact(epsilon)).join(", ") || "–" }),
        height: width < 480 ? 300 : 380,
      };
    },
  });
  return self;
}

function anchors(view: View): HTMLElement | null {
  const { t, document, context } = view;
  const rows = (["privacy", "utility", "fairness"] as const).flatMap((name) => {
    const anchor = document.anchors?.[name];
    if (name === "fairness" && !view.results.some(({ fairness }) => fairness)) return [];
    return anchor ? [{ name, ...anchor }] : [];
  });
  if (rows.length === 0) return null;
  const language = context.language === "en" ? null : "en"; // the document says these in English
  return h(
    "div",
    { class: "card", id: "anchors" },
    h("h3", {}, t("anchors.title")),
    h("p", { class: "note" }, t(`anchors.kind.${document.setting.score_kind === "as-published" ? "published" : "absolute"}`)),
    h(
      "dl",
      { class: "anchors" },
      rows.map(({ name, zero, one }) => [
        h("dt", {}, t(name)),
        h("dd", {}, h("b", {}, "0 "), h("span", { lang: language }, zero)),
        h("dd", {}, h("b", {}, "1 "), h("span", { lang: language }, one)),
      ]),
    ),
  );
}

export function scores_section(view: View): Section | null {
  if (view.results.length === 0) return null;
  const { t } = view;
  return {
    id: "scores",
    title: t("scores.title"),
    lead: t("scores.lead"),
    body: [score_lines(view).element, anchors(view), sides(view).length >= 3 ? radar(view).element : null],
  };
}
