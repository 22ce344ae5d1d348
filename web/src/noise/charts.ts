import { grid, tip, tooltip, value_axis } from "../shell/axes";
import { chart, type Chart, type Option } from "../shell/chart";
import type { Context } from "../shell/context";
import { count, exact, figure, percent } from "../shell/format";
import type { Look } from "../shell/look";
import type { Panel } from "./document";

const middle = ({ low, high }: { low: number; high: number }): number => (low + high) / 2;

/// The axis below a chart, with its name in the middle.
function named_below(look: Look, axis: Option, name: string): Option {
  return { ...axis, name, nameLocation: "middle", nameGap: 28, nameTextStyle: { color: look.soft, fontSize: 12 } };
}

/// A number with two digits that is not smaller: where an axis may end.
function round_end(size: number): number {
  const unit = 10 ** (Math.floor(Math.log10(size)) - 1);
  return Number((Math.ceil(size / unit - 1e-9) * unit).toPrecision(2));
}

/// What was drawn as bars, the law as a line through them.
export function histogram(context: Context, panel: Panel, place: number): Chart {
  const { t } = context;
  return chart(context, {
    id: `histogram-${place}`,
    title: t("histogram.chart", { epsilon: exact(panel.epsilon) }),
    draw: (look, width, hidden) => {
      const [bar = look.ink, line = look.ink] = look.series;
      const { bins } = panel;
      const end = round_end(Math.max(...bins.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])));
      const shown = (name: string) => !hidden.has(name);
      return {
        option: {
          grid: { ...grid, bottom: 40, right: 20 },
          xAxis: {
            ...named_below(look, value_axis(look, { min: -end, max: end }), t("noise")),
            splitLine: { show: false },
          },
          yAxis: value_axis(look, { name: t("draws"), min: 0 }),
          tooltip: tooltip(look, "axis", (params) => {
            const at = (params as { dataIndex: number }[])[0]?.dataIndex ?? 0;
            const bin = bins[at];
            if (!bin) return "";
            return tip(`${figure(bin.low)} … ${figure(bin.high)}`, [
              { name: t("drawn"), value: count(bin.drawn), color: bar },
              { name: t("expected"), value: figure(bin.expected), color: line },
            ]);
          }),
          series: [
            {
              type: "bar", name: t("drawn"), data: shown(t("drawn")) ? bins.map((bin) => [middle(bin), bin.drawn]) : [], barCategoryGap: "8%",
              itemStyle: { color: bar }, emphasis: { disabled: true },
            },
            {
              type: "line", name: t("expected"), data: shown(t("expected")) ? bins.map((bin) => [middle(bin), bin.expected]) : [], showSymbol: false,
              lineStyle: { color: line, width: 2.5 }, itemStyle: { color: line }, emphasis: { disabled: true }, z: 3,
            },
          ],
        },
        legend: [
          { name: t("drawn"), color: bar, shape: "box" },
          { name: t("expected"), color: line, dash: "solid" },
        ],
        data: {
          columns: [
            { key: "low", label: t("from"), kind: "figure" },
            { key: "high", label: t("to"), kind: "figure" },
            { key: "drawn", label: t("drawn"), kind: "count" },
            { key: "expected", label: t("expected"), kind: "figure" },
          ],
          rows: bins.map(({ low, high, drawn, expected }) => [low, high, drawn, expected]),
        },
        summary: t("histogram.summary", { epsilon: exact(panel.epsilon), half: figure(panel.interval95[1]) }),
        height: width < 480 ? 280 : 340,
      };
    },
  });
}

/// Quantiles drawn against those of the law: points on the diagonal are draws from it.
export function quantile_chart(context: Context, panel: Panel, place: number): Chart {
  const { t } = context;
  return chart(context, {
    id: `quantiles-${place}`,
    title: t("quantiles.chart", { epsilon: exact(panel.epsilon) }),
    draw: (look, width) => {
      const [color = look.ink] = look.series;
      const { quantiles } = panel;
      const most = round_end(Math.max(...quantiles.flatMap(({ law, drawn }) => [Math.abs(law), Math.abs(drawn)]), 1e-12));
      return {
        option: {
          grid: { ...grid, bottom: 40, right: 20 },
          xAxis: named_below(look, value_axis(look, { min: -most, max: most }), t("quantiles.law")),
          yAxis: value_axis(look, { name: t("quantiles.drawn"), min: -most, max: most }),
          tooltip: tooltip(look, "item", (params) => {
            const one = quantiles[(params as { dataIndex: number }).dataIndex];
            if (!one) return "";
            return tip(t("quantiles.share", { share: percent(one.share) }), [
              { name: t("quantiles.law"), value: figure(one.law) },
              { name: t("quantiles.drawn"), value: figure(one.drawn), color },
            ]);
          }),
          series: [
            {
              type: "scatter", data: quantiles.map(({ law, drawn }) => [law, drawn]), symbolSize: 6, itemStyle: { color }, emphasis: { disabled: true },
            },
            {
              type: "line", data: [[-most, -most], [most, most]], showSymbol: false, silent: true,
              lineStyle: { color: look.soft, width: 1.5, type: "dashed" }, emphasis: { disabled: true },
            },
          ],
        },
        legend: [
          { name: t("quantiles.points"), color, shape: "dot", fixed: true },
          { name: t("quantiles.diagonal"), color: look.soft, dash: "dashed", fixed: true },
        ],
        data: {
          columns: [
            { key: "share", label: t("share"), kind: "percent" },
            { key: "law", label: t("quantiles.law"), kind: "figure" },
            { key: "drawn", label: t("quantiles.drawn"), kind: "figure" },
          ],
          rows: quantiles.map(({ share, law, drawn }) => [share, law, drawn]),
        },
        summary: t("quantiles.summary"),
        height: width < 480 ? 300 : 360,
      };
    },
  });
}
