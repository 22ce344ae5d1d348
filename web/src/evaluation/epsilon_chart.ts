import {
  at_epsilon, epsilon_axis, epsilon_tooltip, grid, line_with_band, value_axis, type TipLine, type ValueAxis,
} from "../shell/axes";
import { chart, type Chart, type LegendItem, type Option } from "../shell/chart";
import type { Child } from "../shell/dom";
import { is_estimate, type MaybeEstimate } from "../shell/estimate";
import { exact, figure, percent } from "../shell/format";
import { series_style, type Look } from "../shell/look";
import { cell_text } from "../shell/table";
import { Undefined, type Cell, type Column } from "../shell/table_data";
import type { View } from "./view";

export interface Series {
  readonly key: string; ///< the column in a CSV file
  readonly name: string;
  readonly style?: number; ///< which colour, if not that of its place
  readonly emphasis?: boolean; ///< drawn in ink, thicker
  readonly values: readonly (MaybeEstimate | number | Undefined)[]; ///< one an epsilon; a number has no interval
  readonly reason?: string; ///< why a value is undefined
}

export interface Level {
  readonly key: string;
  readonly name: string;
  readonly value: number;
  readonly style: number;
}

export interface EpsilonChartSpec {
  readonly id: string;
  readonly title: string;
  readonly note?: Child;
  readonly controls?: Child;
  readonly axis?: ValueAxis;
  readonly series: () => readonly Series[];
  readonly levels?: () => readonly Level[]; ///< figures that do not depend on epsilon: horizontal lines
}

function style_of(look: Look, series: Series, place: number) {
  if (series.emphasis) return { color: look.ink, dash: "solid" as const, symbol: "circle", width: 3.2 };
  return series_style(look, series.style ?? place);
}

function as_estimate(value: MaybeEstimate | number | Undefined): MaybeEstimate {
  if (value instanceof Undefined) return null;
  return typeof value === "number" ? { mean: value, low: value, high: value } : value;
}

function draw_level(look: Look, level: Level, epsilons: readonly number[]): Option {
  const { color } = series_style(look, level.style);
  return {
    type: "line",
    name: level.name,
    z: 2,
    data: epsilons.map((epsilon) => [at_epsilon(epsilon), level.value]),
    showSymbol: false,
    silent: true,
    lineStyle: { color, width: 1.6, type: "dashed" },
    itemStyle: { color },
  };
}

/// How the series go from the smallest to the largest epsilon, in one sentence for those who do not see them.
function summary_of(view: View, all: readonly Series[]): string {
  const { t, epsilons } = view;
  const sentences = all.slice(0, 8).map(({ name, values }) => {
    const known = values.map(as_estimate).map((value, i) => ({ value, epsilon: epsilons[i] ?? 0 }));
    const defined = known.filter(({ value }) => is_estimate(value));
    const first = defined[0];
    const last = defined[defined.length - 1];
    if (!first?.value || !last?.value) return t("chart.nowhere", { name });
    return t("chart.from_to", {
      name,
      first: figure(first.value.mean),
      low: exact(first.epsilon),
      last: figure(last.value.mean),
      high: exact(last.epsilon),
    });
  });
  return sentences.join(" ");
}

/// Lines over epsilon with their 95 % bands.
export function epsilon_chart(view: View, spec: EpsilonChartSpec): Chart {
  const { context, t, epsilons } = view;
  const kind = spec.axis?.percent ? "estimate-percent" : "estimate";
  return chart(context, {
    ...spec,
    draw: (look, width, hidden) => {
      const all = spec.series();
      const levels = spec.levels?.() ?? [];
      const shown = all.map((series, i) => ({ series, style: style_of(look, series, i) }));
      const visible = shown.filter(({ series }) => !hidden.has(series.name));
      const visible_levels = levels.filter(({ name }) => !hidden.has(name));
      const lines = (epsilon: number): TipLine[] => {
        const at = epsilons.indexOf(epsilon);
        const own = visible.map(({ series, style }) => {
          const cell: Cell = series.values[at] ?? null;
          const text = cell_text(context, kind, cell);
          const reason = (cell instanceof Undefined ? cell.reason : series.reason) ?? t("shell.no_value");
          const missing = `${t("shell.undefined")} (${reason})`;
          return { name: series.name, value: text ?? missing, color: style.color };
        });
        const fixed = visible_levels.map(({ name, value, style }) => ({
          name,
          value: spec.axis?.percent ? percent(value) : figure(value),
          color: series_style(look, style).color,
        }));
        return [...own, ...fixed];
      };
      const legend: LegendItem[] = [
        ...shown.map(({ series, style }) => ({ name: series.name, color: style.color, dash: style.dash })),
        ...levels.map(({ name, style }) => ({ name, color: series_style(look, style).color, dash: "dashed" as const })),
      ];
      const columns: Column[] = [
        { key: "epsilon", label: t("epsilon"), kind: "exact" },
        ...all.map(({ key, name, reason }) => ({ key, label: name, kind, reason }) as const),
        ...levels.map(({ key, name }) => ({ key, label: name, kind: spec.axis?.percent ? "percent" : "figure" }) as const),
      ];
      return {
        option: {
          grid: { ...grid, top: spec.axis?.name ? 34 : 14 },
          xAxis: epsilon_axis(look, t("epsilon_axis"), epsilons),
          yAxis: value_axis(look, spec.axis),
          tooltip: epsilon_tooltip(context, look, epsilons, lines),
          series: [
            ...visible.flatMap(({ series, style }) =>
              line_with_band(
                series.name,
                style,
                series.values.map((value, i) => ({ x: at_epsilon(epsilons[i] ?? 1), y: as_estimate(value) })),
              ),
            ),
            ...visible_levels.map((level) => draw_level(look, level, epsilons)),
          ],
        },
        legend,
        data: {
          columns,
          rows: epsilons.map((epsilon, i) => [
            epsilon,
            ...all.map(({ values }) => values[i] ?? null),
            ...levels.map(({ value }) => value),
          ]),
        },
        summary: summary_of(view, all),
        height: width < 480 ? 270 : 330,
      };
    },
  });
}
