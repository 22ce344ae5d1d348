import { category_axis, grid, tip, tooltip, value_axis } from "../shell/axes";
import { chart, type Chart } from "../shell/chart";
import type { Context } from "../shell/context";
import { count, figure } from "../shell/format";
import { best_of, root, type Simulated } from "./document";

/// Measured errors as bars, those of the formula as marks on them.
export function error_chart(context: Context, results: readonly Simulated[]): Chart {
  const { t } = context;
  return chart(context, {
    id: "errors",
    title: t("errors.chart"),
    draw: (look, width) => {
      const best = best_of(results);
      const [bar = look.ink, mark = look.ink] = look.series;
      return {
        option: {
          grid: { ...grid, bottom: 34 },
          xAxis: category_axis(look, t("mechanism"), results.map(({ mechanism }) => mechanism)),
          yAxis: value_axis(look, { name: t("error"), min: 0 }),
          tooltip: tooltip(look, "axis", (params) => {
            const at = (params as { dataIndex: number }[])[0]?.dataIndex ?? 0;
            const one = results[at];
            if (!one) return "";
            return tip(one.mechanism, [
              { name: t("errors.measured"), value: figure(root(one.mse).mean), color: bar },
              { name: t("errors.formula"), value: figure(Math.sqrt(one.theory)), color: mark },
              { name: t("bytes"), value: count(one.bytes) },
            ]);
          }),
          series: [
            {
              type: "bar", name: t("errors.measured"), data: results.map(({ mse }) => root(mse).mean), itemStyle: { color: bar },
              barMaxWidth: 48, emphasis: { disabled: true },
            },
            {
              type: "scatter", name: t("errors.formula"), data: results.map(({ theory }) => Math.sqrt(theory)), symbol: "rect",
              symbolSize: [width < 480 ? 22 : 34, 4], itemStyle: { color: mark }, emphasis: { disabled: true },
            },
          ],
        },
        legend: [
          { name: t("errors.measured"), color: bar, dash: "solid" },
          { name: t("errors.formula"), color: mark, dash: "solid" },
        ],
        data: {
          columns: [
            { key: "mechanism", label: t("mechanism"), kind: "text" },
            { key: "error", label: t("error"), kind: "estimate" },
            { key: "theory", label: t("theory"), kind: "figure" },
          ],
          rows: results.map(({ mechanism, mse, theory }) => [mechanism, root(mse), Math.sqrt(theory)]),
        },
        summary: best ? t("errors.summary", { best: best.mechanism, error: figure(root(best.mse).mean) }) : "",
        height: width < 480 ? 300 : 360,
      };
    },
  });
}

/// Error against the bytes of a report, each point with its name.
export function bytes_chart(context: Context, results: readonly Simulated[]): Chart {
  const { t } = context;
  return chart(context, {
    id: "bytes",
    title: t("bytes.chart"),
    draw: (look, width) => {
      const best = best_of(results);
      const [color = look.ink] = look.series;
      return {
        option: {
          grid: { ...grid, bottom: 34, right: 48 },
          xAxis: {
            ...value_axis(look, { min: 1 }), type: "log", name: t("bytes"), nameLocation: "middle", nameGap: 28,
            nameTextStyle: { color: look.soft, fontSize: 12 },
          },
          yAxis: value_axis(look, { name: t("error"), min: 0 }),
          tooltip: tooltip(look, "item", (params) => {
            const one = results[(params as { dataIndex: number }).dataIndex];
            if (!one) return "";
            return tip(one.mechanism, [
              { name: t("error"), value: figure(root(one.mse).mean), color },
              { name: t("bytes"), value: count(one.bytes) },
            ]);
          }),
          series: [
            {
              type: "scatter", data: results.map(({ bytes, mse }) => [bytes, root(mse).mean]), symbolSize: 10, itemStyle: { color },
              label: {
                show: true, position: "right", color: look.ink, fontSize: 12,
                formatter: ({ dataIndex }: { dataIndex: number }) => results[dataIndex]?.mechanism ?? "",
              },
              labelLayout: { hideOverlap: true },
              emphasis: { disabled: true },
            },
          ],
        },
        legend: [],
        data: {
          columns: [
            { key: "mechanism", label: t("mechanism"), kind: "text" },
            { key: "bytes", label: t("bytes"), kind: "count" },
            { key: "error", label: t("error"), kind: "estimate" },
          ],
          rows: results.map(({ mechanism, bytes, mse }) => [mechanism, bytes, root(mse)]),
        },
        summary: best ? t("bytes.summary", { best: best.mechanism, bytes: count(best.bytes) }) : "",
        height: width < 480 ? 280 : 340,
      };
    },
  });
}
