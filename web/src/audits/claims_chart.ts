import { grid, tip, tooltip, value_axis, type TipLine } from "../shell/axes";
import { chart, type Chart, type Option } from "../shell/chart";
import type { Context } from "../shell/context";
import { figure } from "../shell/format";
import type { Look } from "../shell/look";
import type { Beside } from "./document";

const finite = (value: number | null): number | null => (value !== null && Number.isFinite(value) ? value : null);

/// Names down the side, the first one on top.
export function name_axis(look: Look, names: readonly string[], width: number): Option {
  return {
    type: "category", data: [...names], inverse: true, axisTick: { show: false }, axisLine: { lineStyle: { color: look.soft } },
    axisLabel: { color: look.ink, fontSize: 12, interval: 0, width: Math.round(width * 0.42), overflow: "truncate" },
  };
}

interface DrawApi {
  value(dimension: number): number;
  coord(point: [number, number]): [number, number];
}

/// A horizontal line from one value to another in each row.
export function spans(name: string, rows: readonly { readonly at: number; readonly from: number; readonly to: number; readonly color: string }[], thickness: number): Option {
  return {
    type: "custom", name, silent: true, z: 1, encode: { x: [1, 2], y: 0 }, data: rows.map(({ at, from, to }) => [at, from, to]),
    tooltip: { show: false },
    renderItem: (params: { dataIndex: number }, api: DrawApi) => {
      const [x1, y] = api.coord([api.value(1), api.value(0)]);
      const [x2] = api.coord([api.value(2), api.value(0)]);
      const color = rows[params.dataIndex]?.color ?? "";
      return { type: "line", shape: { x1, y1: y, x2, y2: y }, style: { stroke: color, lineWidth: thickness, opacity: 0.55 } };
    },
  };
}

/// Each claim with the epsilon that was audited, and the way between them: red where the audit has crossed the claim.
export function claims_chart(context: Context, rows: readonly Beside[]): Chart {
  const { t } = context;
  return chart(context, {
    id: "claims",
    title: t("claims.chart"),
    draw: (look, width) => {
      const [audited_color = look.ink, claimed_color = look.ink] = look.series;
      const crossed = rows.filter((row) => row.crossed);
      const color = (row: Beside) => (row.crossed ? look.warning : audited_color);
      const points = (of: (row: Beside) => number | null) =>
        rows.flatMap((row, at) => {
          const value = finite(of(row));
          return value === null ? [] : [{ value: [value, at], itemStyle: { color: color(row) } }];
        });
      const between = rows.flatMap((row, at) => {
        const from = finite(row.audited);
        const to = finite(row.claimed);
        return from === null || to === null ? [] : [{ at, from, to, color: color(row) }];
      });
      return {
        option: {
          grid: { ...grid, left: 12, bottom: 44, right: 24 },
          xAxis: { ...value_axis(look, { min: 0 }), name: t("epsilon"), nameLocation: "middle", nameGap: 28 },
          yAxis: name_axis(look, rows.map(({ name }) => name), width),
          tooltip: tooltip(look, "item", (params) => {
            const place = (params as { value?: [number, number] }).value?.[1];
            const row = place === undefined ? undefined : rows[place];
            if (!row) return "";
            const lines: TipLine[] = [];
            if (row.audited !== null) lines.push({ name: t("audited"), value: figure(row.audited), color: color(row) });
            lines.push({ name: t("claimed"), value: row.claimed === null ? t("claims.none") : figure(row.claimed), color: claimed_color });
            if (row.delta !== null) lines.push({ name: t("at_delta"), value: figure(row.delta) });
            if (row.reach !== null) lines.push({ name: t("reach"), value: figure(row.reach) });
            return tip(row.name, lines);
          }),
          series: [
            spans("between", between, 3),
            { type: "scatter", name: t("audited"), data: points(({ audited }) => audited), symbol: "circle", symbolSize: 9, emphasis: { disabled: true } },
            {
              type: "scatter", name: t("claimed"), symbol: "rect", symbolSize: [4, 16], itemStyle: { color: claimed_color }, emphasis: { disabled: true },
              data: rows.flatMap((row, at) => (finite(row.claimed) === null ? [] : [[row.claimed, at]])),
            },
          ],
        },
        legend: [
          { name: t("audited"), color: audited_color, shape: "dot", fixed: true },
          { name: t("claimed"), color: claimed_color, shape: "box", fixed: true },
          ...(crossed.length > 0 ? [{ name: t("crossed"), color: look.warning, shape: "dot" as const, fixed: true }] : []),
        ],
        data: {
          columns: [
            { key: "claim", label: t("claim"), kind: "text" },
            { key: "audited_epsilon_lower", label: t("audited"), kind: "figure", reason: t("reason.no_bound") },
            { key: "claimed_epsilon", label: t("claimed"), kind: "figure", reason: t("claims.none") },
            { key: "delta", label: t("at_delta"), kind: "figure", reason: t("reason.no_bound") },
            { key: "reach", label: t("reach"), kind: "figure", reason: t("reason.no_reach") },
            { key: "crossed", label: t("crossed"), kind: "text" },
          ],
          rows: rows.map(({ name, audited, claimed, delta, reach: far, crossed: over }) => [name, audited, claimed, delta, far, over]),
        },
        summary: crossed.length > 0
          ? t("claims.summary.crossed", { names: crossed.map(({ name }) => name).join(", ") })
          : t("claims.summary.held", { count: rows.length }),
        height: 96 + rows.length * (rows.length > 20 ? 20 : 30),
      };
    },
  });
}
