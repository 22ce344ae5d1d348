import { category_axis, grid, tip, tooltip, value_axis } from "../shell/axes";
import { chart, type Chart, type LegendItem } from "../shell/chart";
import type { Context } from "../shell/context";
import { count, exact } from "../shell/format";
import { dashes, symbols, type Look } from "../shell/look";
import { cell_text } from "../shell/table";
import {
  figure_of, height_of, lost_at, lost_of, type AlgorithmResult, type Run, type SeriesFigure, type SeriesPoint,
} from "./document";
import { shared_by, type Shared } from "./overlap";

interface Style {
  readonly color: string;
  readonly dash: (typeof dashes)[number];
  readonly symbol: (typeof symbols)[number];
}

/// The same colour, dash and symbol for an algorithm in every chart.
function style_of(look: Look, place: number): Style {
  return {
    color: look.series[place % look.series.length] ?? look.ink,
    dash: dashes[Math.floor(place / look.series.length) % dashes.length] ?? "solid",
    symbol: symbols[place % symbols.length] ?? "circle",
  };
}

function legend(look: Look, algorithms: readonly AlgorithmResult[]): LegendItem[] {
  return algorithms.map(({ algorithm }, place) => {
    const { color, dash } = style_of(look, place);
    return { name: algorithm, color, dash };
  });
}

interface Curve {
  readonly place: number; ///< of the algorithm among all
  readonly name: string;
  readonly data: readonly (readonly [number | string, number])[];
}

/// Of lines on top of each other each shows in its turn; points on top of each other are rings.
function line(look: Look, { place, name, data }: Curve, { sharers, turn, above, below }: Shared) {
  const { color, dash, symbol } = style_of(look, place);
  const piece = 8;
  const alone = sharers === 1;
  return {
    type: "line",
    name,
    data,
    symbol: (_: unknown, { dataIndex }: { dataIndex: number }) =>
      (above[dataIndex] ?? 0) + (below[dataIndex] ?? 0) > 0 ? "circle" : symbol,
    symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) => 8 + 4 * (above[dataIndex] ?? 0),
    lineStyle: {
      color, width: 2, type: alone ? dash : [piece, piece * (sharers - 1)], dashOffset: alone ? 0 : -piece * turn, cap: "butt",
    },
    itemStyle: { color },
    emphasis: { disabled: true },
  };
}

function lines(look: Look, curves: readonly Curve[]) {
  const shared = shared_by(curves.map(({ data }) => data));
  return curves.flatMap((curve, i) => {
    const own = shared[i];
    return own ? [line(look, curve, own)] : [];
  });
}

/// The element with the smallest figure, the first of equals.
function least<T>(items: readonly T[], of: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>((best, item) => (best === undefined || of(item) < of(best) ? item : best), undefined);
}

export function cost_curve(context: Context, algorithms: readonly AlgorithmResult[]): Chart {
  const { t } = context;
  const text = (run: Run) => cell_text(context, "count", lost_of(run)) ?? "";
  const at = (run: Run) => height_of(lost_of(run));
  const known = (runs: readonly Run[]) => runs.filter((run) => at(run) !== null);
  return chart(context, {
    id: "costs",
    title: t("curve.chart"),
    draw: (look, width, hidden) => {
      const best = least(algorithms, ({ runs }) => (runs[0] ? at(runs[0]) : null) ?? Infinity);
      return {
        option: {
          grid: { ...grid, bottom: 34 },
          xAxis: {
            ...value_axis(look), name: t("curve.x"), nameLocation: "middle", nameGap: 28,
            nameTextStyle: { color: look.soft, fontSize: 12 },
          },
          yAxis: value_axis(look, { name: t("curve.y"), min: 0 }),
          tooltip: tooltip(look, "item", (params) => {
            const { seriesName, dataIndex, color } = params as { seriesName: string; dataIndex: number; color: string };
            const of = algorithms.find(({ algorithm }) => algorithm === seriesName)?.runs;
            const run = known(of ?? [])[dataIndex];
            if (!run) return "";
            const here = algorithms.filter(({ algorithm, runs }) => !hidden.has(algorithm) &&
              runs.some((one) => one.marks_total === run.marks_total && at(one) === at(run)));
            return tip(t("curve.point", { name: here.map(({ algorithm }) => algorithm).join(", "), margin: count(run.margin) }), [
              { name: t("changes"), value: count(run.marks_total), color },
              { name: t("rows"), value: count(run.rows_touched) },
              { name: t("lost"), value: text(run) },
              { name: t("level"), value: run.reached ? run.level : t("not_reached") },
            ]);
          }),
          series: lines(look, algorithms.flatMap(({ algorithm, runs }, place) =>
            hidden.has(algorithm)
              ? []
              : [{ place, name: algorithm, data: known(runs).map((run) => [run.marks_total, at(run) ?? 0] as const) }])),
        },
        legend: legend(look, algorithms),
        data: {
          columns: [
            { key: "algorithm", label: t("algorithm"), kind: "text" },
            { key: "margin", label: t("margin"), kind: "count" },
            { key: "changes", label: t("changes"), kind: "count" },
            { key: "lost", label: t("lost"), kind: "count" },
          ],
          rows: algorithms.flatMap(({ algorithm, runs }) =>
            runs.map((run) => [algorithm, run.margin, run.marks_total, lost_of(run)])),
        },
        summary: best?.runs[0] && at(best.runs[0]) !== null
          ? t("curve.summary", {
              best: best.algorithm, lost: text(best.runs[0]), changes: count(best.runs[0].marks_total),
            })
          : "",
        height: width < 480 ? 320 : 400,
      };
    },
  });
}

export function band_chart(context: Context, algorithms: readonly AlgorithmResult[]): Chart {
  const { t } = context;
  const factors = algorithms[0]?.runs[0]?.bands.map(({ factor }) => factor) ?? [];
  const name = (factor: number) => `${exact(factor)}×`;
  const losses = (run: Run | undefined) => run?.bands.map(lost_at) ?? [];
  const sum = (run: Run | undefined) =>
    losses(run).reduce<number>((all, one) => all + (typeof one === "number" ? one : Infinity), 0);
  const points = (run: Run | undefined) => run?.bands.flatMap((band) => {
    const height = height_of(lost_at(band));
    return height === null ? [] : [[name(band.factor), height] as const];
  }) ?? [];
  return chart(context, {
    id: "band",
    title: t("band.chart"),
    draw: (look, width, hidden) => {
      const best = least(algorithms, ({ runs }) => sum(runs[0]));
      return {
        option: {
          grid: { ...grid, bottom: 34 },
          xAxis: category_axis(look, t("band.x"), factors.map(name)),
          yAxis: value_axis(look, { name: t("curve.y"), min: 0 }),
          tooltip: tooltip(look, "axis", (params) => {
            const entries = params as { seriesName: string; axisValue: string; color: string }[];
            const at = factors.findIndex((factor) => name(factor) === entries[0]?.axisValue);
            return tip(entries[0]?.axisValue ?? "", entries.map(({ seriesName, color }) => ({
              name: seriesName,
              value: cell_text(context, "count", losses(algorithms.find(({ algorithm }) => algorithm === seriesName)?.runs[0])[at]) ?? "",
              color,
            })));
          }),
          series: lines(look, algorithms.flatMap(({ algorithm, runs }, place) =>
            hidden.has(algorithm)
              ? []
              : [{ place, name: algorithm, data: points(runs[0]) }])),
        },
        legend: legend(look, algorithms),
        data: {
          columns: [
            { key: "algorithm", label: t("algorithm"), kind: "text" },
            ...factors.map((factor) => ({
              key: `lost_${factor}`, label: t("lost_at", { factor: exact(factor) }), kind: "count" as const,
            })),
          ],
          rows: algorithms.map(({ algorithm, runs }) => [algorithm, ...losses(runs[0])]),
        },
        summary: best && Number.isFinite(sum(best.runs[0])) ? t("band.summary", { best: best.algorithm, lost: count(sum(best.runs[0])) }) : "",
        height: width < 480 ? 300 : 360,
      };
    },
  });
}

/// One figure of every algorithm over thresholds, or over numbers of patterns.
export function series_chart(
  context: Context, kind: "thresholds" | "numbers", points: readonly SeriesPoint[], figure: SeriesFigure,
): Chart {
  const { t } = context;
  const algorithms = points[0]?.algorithms.map(({ algorithm }) => ({ algorithm, runs: [] })) ?? [];
  const place_of = (point: SeriesPoint) => count(kind === "numbers" ? point.patterns : point.min_count);
  const unit = figure === "failure" ? "percent" : "count";
  const at = (point: SeriesPoint, name: string) =>
    figure_of(point.algorithms.find(({ algorithm }) => algorithm === name)?.run, figure);
  const name = t(figure === "lost" ? "curve.y" : figure);
  return chart(context, {
    id: `${kind}_${figure}`,
    title: t(`series.${kind}.${figure}`),
    draw: (look, width, hidden) => ({
      option: {
        grid: { ...grid, bottom: 34 },
        xAxis: category_axis(look, t(`series.${kind}.x`), points.map(place_of)),
        yAxis: value_axis(look, { name, min: 0 }),
        tooltip: tooltip(look, "axis", (params) => {
          const entries = params as { seriesName: string; axisValue: string; color: string }[];
          const point = points.find((one) => place_of(one) === entries[0]?.axisValue);
          return tip(entries[0]?.axisValue ?? "", entries.map(({ seriesName, color }) => ({
            name: seriesName, value: point ? cell_text(context, unit, at(point, seriesName)) ?? "" : "", color,
          })));
        }),
        series: lines(look, algorithms.flatMap(({ algorithm }, place) =>
          hidden.has(algorithm)
            ? []
            : [{
                place, name: algorithm, data: points.flatMap((point) => {
                  const height = height_of(at(point, algorithm));
                  return height === null ? [] : [[place_of(point), height] as const];
                }),
              }])),
      },
      legend: legend(look, algorithms),
      data: {
        columns: [
          { key: "place", label: t(`series.${kind}.x`), kind: "count" },
          ...algorithms.map(({ algorithm }) => ({ key: algorithm, label: algorithm, kind: unit } as const)),
        ],
        rows: points.map((point) => [
          kind === "numbers" ? point.patterns : point.min_count, ...algorithms.map(({ algorithm }) => at(point, algorithm)),
        ]),
      },
      summary: "",
      height: width < 480 ? 300 : 360,
    }),
  });
}
