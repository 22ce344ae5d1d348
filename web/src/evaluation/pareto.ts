import { grid, tip, tooltip, value_axis } from "../shell/axes";
import { chart, type Chart, type Option } from "../shell/chart";
import { mean_of } from "../shell/estimate";
import { exact, figure } from "../shell/format";
import { on_ramp, type Look } from "../shell/look";
import { cell_text } from "../shell/table";
import type { EpsilonResult } from "./document";
import { fairness_score } from "./document";
import { own_epsilons, type View } from "./view";

interface Point {
  readonly result: EpsilonResult;
  readonly x: number;
  readonly y: number;
  readonly fairness: number | null;
  readonly front: boolean;
}

interface DrawApi {
  coord(point: [number, number]): [number, number];
}

/// The 95 % intervals of both scores as thin crosses.
function crosses(look: Look, points: readonly Point[]): Option {
  return {
    type: "custom",
    silent: true,
    z: 1,
    data: points.map(({ x, y }) => [x, y]),
    tooltip: { show: false },
    renderItem: ({ dataIndex }: { dataIndex: number }, api: DrawApi) => {
      const point = points[dataIndex];
      const across = point?.result.privacy.score;
      const up = point?.result.utility.score;
      if (!point || !across || !up) return null;
      const line = (from: [number, number], to: [number, number]) => {
        const [x1, y1] = api.coord(from);
        const [x2, y2] = api.coord(to);
        return { type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: look.soft, lineWidth: 1, opacity: 0.8 } };
      };
      return {
        type: "group",
        children: [
          line([across.low, point.y], [across.high, point.y]),
          line([point.x, up.low], [point.x, up.high]),
        ],
      };
    },
  };
}

export function pareto_chart(view: View): Chart {
  const { context, t, results, document } = view;
  const front = new Set(own_epsilons(view, document.recommendation?.pareto));
  const points = results.flatMap((result): Point[] => {
    const x = mean_of(result.privacy.score);
    const y = mean_of(result.utility.score);
    if (x === null || y === null) return [];
    const fairness = mean_of(fairness_score(result.fairness));
    return [{ result, x, y, fairness, front: front.has(result.epsilon) }];
  });
  const with_fairness = points.some(({ fairness }) => fairness !== null);
  const known = points.flatMap(({ fairness }) => (fairness === null ? [] : [fairness]));
  const low = Math.min(...known);
  const high = Math.max(...known);
  const place = (fairness: number | null) => (fairness === null || high === low ? 0.5 : (fairness - low) / (high - low));
  return chart(context, {
    id: "pareto",
    title: t("pareto.chart"),
    note: with_fairness ? t("pareto.note_fairness", { low: figure(low), high: figure(high) }) : t("pareto.note"),
    draw: (look, width) => {
      const color = (point: Point) => (with_fairness ? on_ramp(look, place(point.fairness)) : look.accent);
      const on_front = points.filter((point) => point.front).sort((a, b) => a.x - b.x);
      const xs = points.flatMap(({ result }) => [result.privacy.score?.low ?? 0, result.privacy.score?.high ?? 1]);
      const ys = points.flatMap(({ result }) => [result.utility.score?.low ?? 0, result.utility.score?.high ?? 1]);
      const padded = (values: number[]) => {
        const from = Math.min(...values);
        const to = Math.max(...values);
        const pad = Math.max(0.02, (to - from) * 0.08);
        return { min: Math.max(0, Math.floor((from - pad) * 10) / 10), max: Math.min(1, Math.ceil((to + pad) * 10) / 10) };
      };
      const across = padded(xs);
      const from_right = across.min + 0.965 * (across.max - across.min);
      return {
        option: {
          grid: { ...grid, bottom: 34 },
          xAxis: { ...value_axis(look, across), name: t("pareto.x"), nameLocation: "middle", nameGap: 28,
            nameTextStyle: { color: look.soft, fontSize: 12 } },
          yAxis: value_axis(look, { ...padded(ys), name: t("pareto.y") }),
          tooltip: tooltip(look, "item", (params) => {
            const point = points[(params as { dataIndex: number }).dataIndex];
            if (!point || (params as { seriesType: string }).seriesType !== "scatter") return "";
            const { result } = point;
            const text = (value: Parameters<typeof cell_text>[2]) =>
              cell_text(context, "estimate", value) ?? t("shell.undefined");
            return tip(t("epsilon_is", { epsilon: exact(result.epsilon) }), [
              { name: t("privacy"), value: text(result.privacy.score) },
              { name: t("utility"), value: text(result.utility.score) },
              ...(with_fairness ? [{ name: t("fairness"), value: text(fairness_score(result.fairness)) }] : []),
              { name: t("pareto.front"), value: t(point.front ? "shell.yes" : "shell.no") },
            ]);
          }),
          series: [
            crosses(look, points),
            {
              type: "line",
              z: 2,
              silent: true,
              showSymbol: false,
              data: on_front.map(({ x, y }) => [x, y]),
              lineStyle: { color: look.ink, type: "dashed", width: 1.4 },
            },
            {
              type: "scatter",
              z: 3,
              data: points.map((point) => ({
                value: [point.x, point.y],
                symbolSize: with_fairness ? 12 + 14 * place(point.fairness) : 16,
                itemStyle: {
                  color: color(point),
                  borderColor: point.front ? look.ink : look.line,
                  borderWidth: point.front ? 2.4 : 1,
                },
                label: {
                  show: true,
                  // At the right edge there is room on the left only.
                  position: point.x > from_right ? "left" : "right",
                  distance: 4,
                  offset: point.x > from_right ? [0, 0] : [0, -9],
                  formatter: exact(point.result.epsilon),
                  color: look.ink,
                  fontWeight: point.front ? 700 : 400,
                  fontSize: 12,
                },
              })),
              labelLayout: { moveOverlap: "shiftY", hideOverlap: true },
              emphasis: { disabled: true },
            },
          ],
        },
        legend: [
          { name: t("pareto.front"), color: look.ink, dash: "dashed", fixed: true },
          { name: t("pareto.on_front"), color: look.ink, shape: "ring", fixed: true },
        ],
        data: {
          columns: [
            { key: "epsilon", label: t("epsilon"), kind: "exact" },
            { key: "privacy", label: t("privacy"), kind: "estimate" },
            { key: "utility", label: t("utility"), kind: "estimate" },
            ...(with_fairness ? [{ key: "fairness", label: t("fairness"), kind: "estimate" } as const] : []),
            { key: "front", label: t("pareto.on_front"), kind: "text" },
          ],
          rows: points.map(({ result, front: is_front }) => [
            result.epsilon, result.privacy.score, result.utility.score,
            ...(with_fairness ? [fairness_score(result.fairness)] : []), is_front,
          ]),
        },
        summary: t("pareto.summary", { epsilons: on_front.map(({ result }) => exact(result.epsilon)).join(", ") || "–" }),
        height: width < 480 ? 320 : 400,
      };
    },
  });
}
