import type { Option } from "./chart";
import type { Context } from "./context";
import { h } from "./dom";
import { drawn, type MaybeEstimate } from "./estimate";
import { exact, tick, tick_percent } from "./format";
import type { Look } from "./look";

/// Epsilons lie on a logarithmic axis: a chart draws log10 and writes the epsilon itself.
export const at_epsilon = (epsilon: number): number => Math.log10(epsilon);

function axis_basics(look: Look): Option {
  return {
    axisLine: { onZero: false, lineStyle: { color: look.soft } },
    axisTick: { lineStyle: { color: look.soft } },
    axisLabel: { color: look.soft, fontSize: 12, hideOverlap: true },
    nameTextStyle: { color: look.soft, fontSize: 12 },
    splitLine: { lineStyle: { color: look.line } },
  };
}

export function epsilon_axis(look: Look, name: string, epsilons: readonly number[]): Option {
  const places = epsilons.map(at_epsilon);
  const low = Math.min(...places);
  const high = Math.max(...places);
  const pad = Math.max((high - low) * 0.035, low === high ? 0.5 : 0);
  const basics = axis_basics(look);
  return {
    ...basics,
    type: "value",
    min: low - pad,
    max: high + pad,
    name,
    nameLocation: "middle",
    nameGap: 28,
    splitLine: { show: false },
    axisTick: { ...(basics.axisTick as Option), customValues: places },
    axisLabel: {
      ...(basics.axisLabel as Option),
      customValues: places,
      formatter: (place: number) => exact(nearest(epsilons, place)),
    },
    axisPointer: { label: { show: false } },
  };
}

/// The epsilon whose place on the axis is closest.
export function nearest(epsilons: readonly number[], place: number): number {
  let best = epsilons[0] ?? 1;
  for (const epsilon of epsilons) {
    if (Math.abs(at_epsilon(epsilon) - place) < Math.abs(at_epsilon(best) - place)) best = epsilon;
  }
  return best;
}

export interface ValueAxis {
  readonly name?: string;
  readonly percent?: boolean;
  readonly min?: number;
  readonly max?: number;
}

export function value_axis(look: Look, { name, percent, min, max }: ValueAxis = {}): Option {
  const basics = axis_basics(look);
  return {
    ...basics,
    type: "value",
    name,
    nameLocation: "end",
    nameGap: 12,
    nameTextStyle: { ...(basics.nameTextStyle as Option), align: "left" },
    min,
    max,
    scale: true,
    splitNumber: 5,
    axisLine: { show: false, onZero: false },
    axisTick: { show: false },
    axisLabel: { ...(basics.axisLabel as Option), formatter: percent ? tick_percent : tick },
  };
}

export function category_axis(look: Look, name: string, names: readonly string[]): Option {
  const basics = axis_basics(look);
  return {
    ...basics,
    type: "category",
    data: names,
    name,
    nameLocation: "middle",
    nameGap: 28,
    axisTick: { show: false },
    axisLabel: { ...(basics.axisLabel as Option), interval: 0 },
    splitLine: { show: false },
  };
}

/// Room for the labels of the axes.
export const grid: Option = { left: 8, right: 14, top: 34, bottom: 30, containLabel: true };

export interface BandPoint {
  readonly x: number;
  readonly y: MaybeEstimate;
}

interface DrawApi {
  coord(point: [number, number]): [number, number];
}

/// A line through the means, and behind it the band of the 95 % intervals. Where a figure is undefined both stop.
export function line_with_band(
  name: string,
  style: { color: string; dash?: string; symbol?: string; width?: number },
  all: readonly BandPoint[],
): Option[] {
  const points = all.map(({ x, y }) => ({ x, y: drawn(y) }));
  const known = points.filter(({ y }) => y !== null);
  const runs: { x: number; low: number; high: number }[][] = [[]];
  for (const { x, y } of points) {
    if (y) runs[runs.length - 1]?.push({ x, low: y.low, high: y.high });
    else runs.push([]);
  }
  const band = {
    type: "custom",
    name: `${name}\u0000band`,
    silent: true,
    clip: true,
    z: 1,
    encode: { x: 0, y: [1, 2] },
    data: known.map(({ x, y }) => [x, y?.low, y?.high]),
    tooltip: { show: false },
    renderItem: (params: { dataIndex: number }, api: DrawApi) => {
      if (params.dataIndex !== 0) return null;
      const shapes = runs.map((run) => ({
        type: "polygon",
        shape: {
          points: [
            ...run.map(({ x, high }) => api.coord([x, high])),
            ...[...run].reverse().map(({ x, low }) => api.coord([x, low])),
          ],
        },
        style: { fill: style.color, opacity: 0.14 },
      }));
      return { type: "group", children: shapes };
    },
  };
  const line = {
    type: "line",
    name,
    z: 3,
    data: points.map(({ x, y }) => [x, y?.mean ?? null]),
    connectNulls: false,
    showSymbol: true,
    symbol: style.symbol ?? "circle",
    symbolSize: 6,
    lineStyle: { color: style.color, width: style.width ?? 2, type: style.dash ?? "solid" },
    itemStyle: { color: style.color },
    emphasis: { disabled: true },
  };
  return [band, line];
}

export interface TipLine {
  readonly name: string;
  readonly value: string;
  readonly color?: string;
}

/// What hovers over a chart: elements, never markup, because names come from data.
export function tip(title: string, lines: readonly TipLine[]): HTMLElement {
  return h(
    "div",
    { class: "tip" },
    h("strong", {}, title),
    lines.map(({ name, value, color }) => {
      const dot = h("span", { class: "tip-dot" });
      if (color) dot.style.background = color;
      return h("div", {}, color ? dot : null, h("span", { class: "tip-name" }, name), h("span", {}, value));
    }),
  );
}

export function tooltip(look: Look, trigger: "axis" | "item", formatter: (params: unknown) => HTMLElement | ""): Option {
  return {
    trigger,
    confine: true,
    backgroundColor: look.paper,
    borderColor: look.line,
    textStyle: { color: look.ink, fontSize: 12 },
    axisPointer: { type: "line", lineStyle: { color: look.soft, type: "dashed" } },
    formatter,
  };
}

/// The tooltip of a chart over epsilon.
export function epsilon_tooltip(
  context: Context,
  look: Look,
  epsilons: readonly number[],
  lines: (epsilon: number) => readonly TipLine[],
): Option {
  return tooltip(look, "axis", (params) => {
    const first = (params as { axisValue?: number }[])[0];
    if (first?.axisValue === undefined) return "";
    const epsilon = nearest(epsilons, first.axisValue);
    return tip(context.t("epsilon_is", { epsilon: exact(epsilon) }), lines(epsilon));
  });
}
