import { category_axis, grid, tip, tooltip, value_axis } from "../shell/axes";
import { chart, type Chart } from "../shell/chart";
import { remembered } from "../shell/context";
import { picker, segments } from "../shell/controls";
import { h } from "../shell/dom";
import { is_estimate } from "../shell/estimate";
import { exact, percent, tick_percent } from "../shell/format";
import type { Look } from "../shell/look";
import type { Section } from "../shell/page";
import { table } from "../shell/table";
import type { Cell, Column } from "../shell/table_data";
import type { Box, SizedBox } from "./document";
import { epsilon_chart } from "./epsilon_chart";
import { epsilon_choices, first_epsilon, result_at, size_range, type View } from "./view";

const box_figures = ["low", "q1", "median", "q3", "high"] as const;
type NamedBox = { readonly name: string; readonly box: Box | SizedBox | null | undefined };

function whole(box: NamedBox["box"]): number[] | null {
  if (!box) return null;
  const values = box_figures.map((name) => box[name]);
  return values.every((value): value is number => typeof value === "number") ? values : null;
}

function outliers_of(box: NamedBox["box"]): readonly number[] {
  return box && "outliers" in box ? (box.outliers ?? []) : [];
}

/// Errors of small and of large epsilons differ a hundredfold. On this scale both can be read: near 0 it is linear,
/// beyond 1 % logarithmic, on both sides.
const unit = 0.01;
const to_scale = (value: number) => Math.sign(value) * Math.log10(1 + Math.abs(value) / unit);
const scale_ticks = [-100, -10, -1, -0.1, -0.01, 0, 0.01, 0.1, 1, 10, 100, 1000];

function error_axis(view: View, look: Look, log: boolean, values: readonly number[]) {
  const axis = value_axis(look, { percent: true, name: view.t("error.axis") });
  if (!log) return axis;
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const span = to_scale(high) - to_scale(low);
  const ticks = scale_ticks
    .filter((value) => value >= low * 1.05 && value <= high * 1.05)
    .map(to_scale)
    .filter((place) => place === 0 || Math.abs(place) > span * 0.08);
  const back = (place: number) => scale_ticks.find((value) => Math.abs(to_scale(value) - place) < 1e-6) ?? 0;
  return {
    ...axis,
    min: to_scale(low) - 0.1,
    max: to_scale(high) + 0.1,
    axisLabel: { color: look.soft, fontSize: 12, customValues: ticks, formatter: (place: number) => tick_percent(back(place)) },
    axisTick: { show: false, customValues: ticks },
    splitLine: { show: false },
  };
}

/// Boxes beside each other; where there are no figures the place stays empty.
function boxes(view: View, look: Look, axis: string, named: readonly NamedBox[], log: boolean) {
  const { t } = view;
  const place = log ? to_scale : (value: number) => value;
  const points = named.flatMap(({ box }, i) => outliers_of(box).map((value) => [i, place(value), value]));
  const values = [...points.map(([, , value]) => value ?? 0), ...named.flatMap(({ box }) => whole(box) ?? [])];
  return {
    grid,
    xAxis: category_axis(look, axis, named.map(({ name }) => name)),
    yAxis: error_axis(view, look, log, values),
    tooltip: tooltip(look, "item", (params) => {
      const { seriesType, dataIndex, value } = params as { seriesType: string; dataIndex: number; value: number[] };
      if (seriesType === "scatter") {
        return tip(named[value[0] ?? 0]?.name ?? "", [{ name: t("error.outlier"), value: percent(value[2] ?? 0) }]);
      }
      const at = named[dataIndex];
      const figures = whole(at?.box);
      if (!at || !figures) return "";
      return tip(at.name, box_figures.map((key, i) => ({ name: t(`error.${key}`), value: percent(figures[i] ?? 0) })));
    }),
    series: [
      {
        type: "boxplot",
        z: 3,
        boxWidth: [8, 40],
        data: named.map(({ box }) => whole(box)?.map(place) ?? ["-", "-", "-", "-", "-"]),
        itemStyle: { color: look.dark ? "#28415a" : "#d9e7f3", borderColor: look.accent, borderWidth: 1.6 },
        emphasis: { disabled: true },
      },
      {
        type: "scatter",
        z: 2,
        data: points,
        symbolSize: 4,
        itemStyle: { color: look.series[1], opacity: 0.55 },
        emphasis: { disabled: true },
      },
    ],
  };
}

function box_columns(view: View): Column[] {
  const { t } = view;
  return box_figures.map((key) => ({ key, label: t(`error.${key}`), kind: "percent", reason: t("reason.no_classes") }));
}

function box_cells(box: NamedBox["box"]): Cell[] {
  const figures = whole(box);
  return box_figures.map((_, i) => figures?.[i] ?? null);
}

type Scale = "log" | "linear";

function scale_control(view: View, id: string, change: (scale: Scale) => void): HTMLElement {
  const { context, t } = view;
  const choices = (["log", "linear"] as const).map((value) => ({ value, label: t(`error.scale.${value}`) }));
  return segments<Scale>(t("error.scale"), choices, remembered<Scale>(context, id, "log"), (value) => {
    context.memory.set(id, value);
    change(value);
  });
}

function errors_by_epsilon(view: View): Chart {
  const { context, t, results } = view;
  const named = results.map(({ epsilon, utility }) => ({ name: exact(epsilon), box: utility.relative_error?.all }));
  const is_log = () => remembered<Scale>(context, "error-scale", "log") === "log";
  const self = chart(context, {
    id: "errors",
    title: t("error.by_epsilon"),
    note: t("error.note"),
    controls: scale_control(view, "error-scale", () => self.redraw()),
    draw: (look, width) => ({
      option: boxes(view, look, t("epsilon"), named, is_log()),
      legend: [
        { name: t("error.box"), color: look.accent, shape: "box", fixed: true },
        { name: t("error.outlier"), color: look.series[1] ?? look.ink, shape: "dot", fixed: true },
      ],
      data: {
        columns: [
          { key: "epsilon", label: t("epsilon"), kind: "exact" },
          ...box_columns(view),
          { key: "outliers", label: t("error.outliers"), kind: "count" },
        ],
        rows: results.map(({ epsilon, utility }) => [
          epsilon, ...box_cells(utility.relative_error?.all), outliers_of(utility.relative_error?.all).length,
        ]),
      },
      summary: t("error.summary"),
      height: width < 480 ? 290 : 340,
    }),
  });
  return self;
}

function errors_by_size(view: View): Chart {
  const { context, t } = view;
  let chosen = remembered(context, "error-epsilon", String(first_epsilon(view)));
  const controls = picker(t("epsilon"), epsilon_choices(view), chosen, (value) => {
    chosen = value;
    context.memory.set("error-epsilon", value);
    self.redraw();
  });
  const self = chart(context, {
    id: "errors-by-size",
    title: t("error.by_size"),
    note: t("error.by_size_note"),
    controls: [controls, scale_control(view, "size-error-scale", () => self.redraw())],
    draw: (look, width) => {
      const sized = result_at(view, Number(chosen))?.utility.relative_error?.by_size ?? [];
      const named = sized.map((box) => ({ name: size_range(t, box.from, box.to), box }));
      return {
        option: boxes(view, look, t("error.size_axis"), named, remembered<Scale>(context, "size-error-scale", "log") === "log"),
        legend: [],
        data: {
          columns: [
            { key: "from", label: t("size.from"), kind: "count" },
            { key: "to", label: t("size.to"), kind: "count", reason: t("size.no_end") },
            { key: "classes", label: t("classes"), kind: "count" },
            ...box_columns(view),
          ],
          rows: sized.map((box) => [box.from, box.to, box.classes, ...box_cells(box)]),
        },
        summary: t("error.summary"),
        height: width < 480 ? 290 : 340,
      };
    },
  });
  return self;
}

function query_table(view: View): HTMLElement {
  const { context, t, document, results } = view;
  const orders = ["1", "2", "3"] as const;
  const queries = results.find(({ utility }) => utility.range_queries)?.utility.range_queries?.queries;
  return table(context, {
    id: "queries",
    title: t("queries.table"),
    note: queries === undefined ? t("queries.note") : t("queries.note_count", { queries }),
    data: {
      columns: [
        { key: "epsilon", label: t("epsilon"), kind: "exact" },
        ...orders.map((order): Column => ({
          key: `marginals_${order}`,
          label: t("queries.marginal", { order }),
          kind: "estimate",
          reason: t("reason.marginal", { order, columns: document.setting.quasi.length }),
        })),
        { key: "range_queries", label: t("queries.range"), kind: "estimate-percent", reason: t("reason.not_measured") },
      ],
      rows: results.map(({ epsilon, utility }) => [
        epsilon, ...orders.map((order) => utility.marginals?.[order]), utility.range_queries?.error,
      ]),
    },
  });
}

function chi_square_table(view: View): HTMLElement | null {
  const { context, t, results } = view;
  const rows = results.flatMap(({ epsilon, utility }) =>
    Object.entries(utility.chi_square ?? {}).map(([column, test]): Cell[] => [
      column, epsilon, test?.statistic, test?.rejected,
    ]),
  );
  if (rows.length === 0) return null;
  const order = new Map<Cell, number>();
  for (const [column] of rows) if (!order.has(column)) order.set(column, order.size);
  rows.sort((a, b) => (order.get(a[0]) ?? 0) - (order.get(b[0]) ?? 0) || Number(a[1]) - Number(b[1]));
  return table(context, {
    id: "chi-square",
    title: t("chi.table"),
    note: t("chi.note"),
    data: {
      columns: [
        { key: "column", label: t("column"), kind: "text" },
        { key: "epsilon", label: t("epsilon"), kind: "exact" },
        { key: "statistic", label: t("chi.statistic"), kind: "estimate", reason: t("reason.not_measured") },
        { key: "rejected", label: t("chi.rejected"), kind: "percent", reason: t("reason.not_measured") },
      ],
      rows,
    },
  });
}

function loss_table(view: View): HTMLElement | null {
  const { context, t, results, document } = view;
  const loss = results[0]?.utility.generalisation_loss;
  if (!loss) return null;
  const levels = document.setting.levels;
  return table(context, {
    id: "loss",
    title: t("loss.table"),
    note: t("loss.note"),
    data: {
      columns: [
        { key: "column", label: t("column"), kind: "text" },
        { key: "level", label: t("loss.level"), kind: "exact", reason: t("reason.level_selected") },
        { key: "loss", label: t("loss.loss"), kind: "percent" },
      ],
      rows: [
        ...Object.entries(loss.columns).map(([name, value]): Cell[] => [name, levels?.[name], value]),
        [t("loss.total"), "", loss.total],
      ],
    },
  });
}

export function utility_section(view: View): Section | null {
  const { t, results } = view;
  if (results.length === 0) return null;
  const raw = results.some(({ tvd_raw }) => is_estimate(tvd_raw));
  const tvd = epsilon_chart(view, {
    id: "tvd",
    title: t("tvd.chart"),
    note: t("tvd.note"),
    axis: { min: 0, name: t("tvd.axis") },
    series: () => [{ key: "tvd", name: t("tvd.tvd"), values: results.map((result) => result.tvd), style: 0 }],
  });
  // Not a distance between distributions: noisy counts may be negative, and it may lie above 1.
  const noise = raw
    ? epsilon_chart(view, {
        id: "tvd_raw",
        title: t("tvd.raw_chart"),
        note: t("tvd.raw_note"),
        axis: { min: 0, name: t("tvd.raw_axis") },
        series: () => [{ key: "tvd_raw", name: t("tvd.raw"), values: results.map(({ tvd_raw }) => tvd_raw), style: 1 }],
      })
    : null;
  const errors = results.some(({ utility }) => utility.relative_error);
  return {
    id: "utility",
    title: t("utility.title"),
    lead: t("utility.lead"),
    body: [
      noise ? h("div", { class: "pair" }, tvd.element, noise.element) : tvd.element,
      errors ? h("div", { class: "pair" }, errors_by_epsilon(view).element, errors_by_size(view).element) : null,
      query_table(view),
      chi_square_table(view),
      loss_table(view),
    ],
  };
}
