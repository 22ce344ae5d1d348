import { grid, tip, tooltip, value_axis } from "../shell/axes";
import { chart, type Chart } from "../shell/chart";
import type { Context } from "../shell/context";
import { figure } from "../shell/format";
import type { Column } from "./document";

export interface Bars {
  readonly id: string;
  readonly title: string;
  readonly name: string; ///< of the figure
  readonly summary: string;
  readonly columns: readonly Column[]; ///< the largest first
  readonly of: (column: Column) => number;
}

/// One bar a column, the largest on top.
export function column_bars(context: Context, { id, title, name, summary, columns, of }: Bars): Chart {
  return chart(context, {
    id,
    title,
    draw: (look) => {
      const [color = look.ink] = look.series;
      const names = columns.map((column) => column.name);
      return {
        option: {
          grid: { ...grid, containLabel: true, left: 8, right: 56, bottom: 40 },
          xAxis: {
            ...value_axis(look, { min: 0 }), name, nameLocation: "middle", nameGap: 28, nameTextStyle: { color: look.soft, fontSize: 12 },
          },
          yAxis: {
            type: "category", inverse: true, data: names, axisTick: { show: false }, axisLine: { lineStyle: { color: look.soft } },
            axisLabel: { color: look.ink, fontSize: 12, width: 150, overflow: "truncate" },
          },
          tooltip: tooltip(look, "axis", (params) => {
            const at = (params as { dataIndex: number }[])[0]?.dataIndex ?? 0;
            const column = columns[at];
            return column ? tip(column.name, [{ name, value: figure(of(column)), color }]) : "";
          }),
          series: [
            {
              type: "bar", data: columns.map(of), itemStyle: { color }, barMaxWidth: 22, emphasis: { disabled: true },
              label: { show: true, position: "right", color: look.ink, fontSize: 12, formatter: ({ value }: { value: number }) => figure(value) },
            },
          ],
        },
        legend: [],
        data: {
          columns: [{ key: "column", label: context.t("column"), kind: "text" }, { key: "figure", label: name, kind: "figure" }],
          rows: columns.map((column) => [column.name, of(column)]),
        },
        summary,
        height: 90 + 30 * columns.length,
      };
    },
  });
}
