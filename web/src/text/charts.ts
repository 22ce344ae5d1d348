import { at_epsilon, epsilon_axis, epsilon_tooltip, grid, line_with_band, value_axis, type TipLine } from "../shell/axes";
import { chart, type Chart, type LegendItem } from "../shell/chart";
import type { Context } from "../shell/context";
import { exact, figure, percent, tick_percent } from "../shell/format";
import { series_style } from "../shell/look";
import type { Column } from "../shell/table_data";
import { guess_of, words_of, type Interval, type Result, type Spread, type WordFigures } from "./document";

/// A figure over the words, of one word, or one with an interval and without a spread.
type Figure = Spread | number | (Interval & { readonly mean: number }) | null;

interface Series {
  readonly key: string; ///< the column in a CSV file
  readonly name: string;
  readonly values: readonly Figure[]; ///< one an epsilon; a number has no band
  readonly over?: boolean; ///< may lie on the line before
}

interface Curves {
  readonly id: string;
  readonly title: string;
  readonly axis: string; ///< what is counted, in words
  readonly percent?: boolean;
  readonly band?: string; ///< what the band holds
  readonly note?: string;
  readonly series: readonly Series[];
}

/// With quantiles that are known.
type Known = { readonly mean: number; readonly q05: number; readonly q50: number; readonly q95: number };
const is_spread = (value: Figure): value is Figure & Known =>
  typeof value === "object" && value !== null && "q05" in value && value.q05 !== null;

const mean_of = (value: Figure): number | null => (typeof value === "object" && value !== null ? value.mean : value);

/// The mean and the middle 90 % of the words.
function estimate_of(value: Figure) {
  const mean = mean_of(value);
  if (mean === null) return null;
  return is_spread(value) ? { mean, low: value.q05, high: value.q95 } : { mean, low: mean, high: mean };
}

/// The interval of a mean that was estimated from a sample, behind its line.
function interval_of(value: Figure) {
  if (typeof value !== "object" || value === null || value.low === undefined || value.high === undefined) return null;
  const { mean, low, high } = value;
  return { mean, low, high };
}

/// Lines over epsilon, each with the band of the middle 90 % of the words.
function curves(context: Context, results: readonly Result[], spec: Curves): Chart {
  const { t } = context;
  const epsilons = results.map(({ epsilon }) => epsilon);
  const text = spec.percent ? percent : figure;
  const kind = spec.percent ? "percent" : "figure";
  const sampled = spec.series.some(({ values }) => values.some((value) => interval_of(value) !== null));

  const tip_lines = (at: number, series: Series, color: string): TipLine[] => {
    const value = series.values[at] ?? null;
    const mean = mean_of(value);
    if (mean === null) return [];
    const lines: TipLine[] = [{ name: series.name, value: text(mean), color }];
    const interval = interval_of(value);
    if (interval) lines.push({ name: t("interval"), value: `${text(interval.low)} – ${text(interval.high)}` });
    if (is_spread(value)) {
      lines.push({ name: t("median"), value: text(value.q50) });
      lines.push({ name: t("middle"), value: `${text(value.q05)} – ${text(value.q95)}` });
    }
    return lines;
  };
  const columns = (series: Series): Column[] => {
    const { key, name, values } = series;
    const estimated = spec.percent ? "estimate-percent" : "estimate";
    const of_mean = sampled ? estimated : kind;
    if (!values.some(is_spread)) return [{ key, label: name, kind: of_mean }];
    const of = (part: string) => (spec.series.length > 1 ? t("column", { name, part }) : part);
    return [
      { key, label: of(t("mean")), kind: of_mean },
      { key: `${key}_q05`, label: of(t("q05")), kind },
      { key: `${key}_q50`, label: of(t("median")), kind },
      { key: `${key}_q95`, label: of(t("q95")), kind },
    ];
  };
  const cells = ({ values }: Series, at: number) => {
    const value = values[at] ?? null;
    const mean = interval_of(value) ?? mean_of(value);
    return is_spread(value) ? [mean, value.q05, value.q50, value.q95] : [mean];
  };

  return chart(context, {
    id: spec.id,
    title: spec.title,
    note: spec.note,
    draw: (look, width, hidden) => {
      // A line that may lie on another one is dashed, so that both are seen.
      const styled = spec.series.map((series, i) => {
        const style = series_style(look, i);
        return { series, style: series.over ? { ...style, dash: "dashed" as const } : style };
      });
      const visible = styled.filter(({ series }) => !hidden.has(series.name));
      const legend: LegendItem[] = styled.map(({ series, style }) => ({
        name: series.name, color: style.color, dash: style.dash, fixed: styled.length === 1,
      }));
      const first = styled.length === 1 ? (styled[0]?.style.color ?? look.ink) : look.soft;
      if (spec.band) legend.push({ name: spec.band, color: `${first}33`, shape: "box", fixed: true });
      if (sampled) legend.push({ name: t("interval"), color: `${first}77`, shape: "box", fixed: true });
      return {
        option: {
          grid: { ...grid, bottom: 34 },
          xAxis: epsilon_axis(look, t(width < 560 ? "epsilon_axis" : "axis.epsilon"), epsilons),
          yAxis: value_axis(look, { name: spec.axis, percent: spec.percent, min: 0, max: spec.percent ? 1 : undefined }),
          tooltip: epsilon_tooltip(context, look, epsilons, (epsilon) => {
            const at = epsilons.indexOf(epsilon);
            return visible.flatMap(({ series, style }) => tip_lines(at, series, style.color));
          }),
          series: visible.flatMap(({ series, style }) => {
            const points = (of: (value: Figure) => ReturnType<typeof estimate_of>) =>
              series.values.map((value, i) => ({ x: at_epsilon(epsilons[i] ?? 1), y: of(value) }));
            const inner = sampled ? line_with_band(`${series.name}\u0000mean`, style, points(interval_of)).slice(0, 1) : [];
            return [...line_with_band(series.name, style, points(estimate_of)), ...inner];
          }),
        },
        legend,
        data: {
          columns: [{ key: "epsilon", label: t("epsilon"), kind: "exact" }, ...spec.series.flatMap(columns)],
          rows: epsilons.map((epsilon, at) => [epsilon, ...spec.series.flatMap((series) => cells(series, at))]),
        },
        summary: spec.series.slice(0, 8).map(({ name, values }) => {
          const known = values.map(mean_of);
          return t("curve.from_to", {
            name,
            first: text(known[0] ?? 0),
            low: exact(epsilons[0] ?? 0),
            last: text(known[known.length - 1] ?? 0),
            high: exact(epsilons[epsilons.length - 1] ?? 0),
          });
        }).join(" "),
        height: width < 480 ? 290 : 340,
      };
    },
  });
}

export function stays_chart(context: Context, results: readonly Result[]): Chart {
  const { t } = context;
  return curves(context, results, {
    id: "stays", title: t("stays.chart"), axis: t("stays.axis"), percent: true, band: t("middle"),
    series: [{ key: "stays", name: t("mean"), values: results.map(({ N }) => N) }],
  });
}

/// S, and S* where more than its mean is known, which is that of S.
export function likely_chart(context: Context, results: readonly Result[], eta: number): Chart {
  const { t } = context;
  const series: Series[] = [{ key: "outputs", name: t("outputs.name"), values: results.map(({ S }) => S) }];
  if (results.some(({ S_star }) => is_spread(S_star))) {
    series.push({ key: "inputs", name: t("inputs.name"), values: results.map(({ S_star }) => S_star), over: true });
  }
  const both = series.length > 1;
  return curves(context, results, {
    id: "likely", title: t(both ? "likely.chart" : "likely.chart_outputs"), axis: t("likely.axis"),
    band: t("middle"), note: t(both ? "likely.note" : "likely.note_sampled", { chance: tick_percent(eta) }), series,
  });
}

export function distinct_chart(context: Context, results: readonly Result[], runs: number, is_outputs: boolean): Chart {
  const { t } = context;
  return curves(context, results, {
    id: "distinct", title: t("distinct.chart", { runs: exact(runs) }), axis: t("distinct.axis"), band: t("middle"),
    note: is_outputs ? t("distinct.note") : undefined,
    series: [{ key: "distinct", name: t("mean"), values: results.map(({ distinct }) => distinct) }],
  });
}

export function entropy_chart(context: Context, results: readonly Result[]): Chart {
  const { t } = context;
  return curves(context, results, {
    id: "entropy", title: t("entropy.chart"), axis: t("entropy.axis"), band: t("middle"), note: t("entropy.note"),
    series: [{ key: "entropy", name: t("mean"), values: results.map(({ entropy }) => entropy) }],
  });
}

export function guess_chart(context: Context, results: readonly Result[]): Chart {
  const { t } = context;
  const series: Series[] = [
    { key: "guess_uniform", name: t("guess.uniform"), values: results.map(({ bayes }) => guess_of(bayes, "uniform")) },
  ];
  if (results.some(({ bayes }) => bayes.prior !== null)) {
    series.push({ key: "guess_prior", name: t("guess.prior"), values: results.map(({ bayes }) => guess_of(bayes, "prior")) });
  }
  const note = series.length > 1 ? t("guess.note") : undefined;
  return curves(context, results, { id: "guess", title: t("guess.chart"), axis: t("guess.axis"), percent: true, note, series });
}

/// One figure of the words that were asked for, a line a word.
function word_chart(
  context: Context,
  results: readonly Result[],
  more: Omit<Curves, "series">,
  of: (word: WordFigures) => number,
): Chart {
  const series = words_of(results).map((word) => ({
    key: word,
    name: word,
    values: results.map(({ words }) => {
      const figures = words[word];
      return figures ? of(figures) : null;
    }),
  }));
  return curves(context, results, { ...more, series });
}

export function words_stay_chart(context: Context, results: readonly Result[]): Chart {
  const { t } = context;
  const spec = { id: "words-stay", title: t("words.stay_chart"), axis: t("stays.axis"), percent: true };
  return word_chart(context, results, spec, ({ N }) => N);
}

export function words_distinct_chart(context: Context, results: readonly Result[], runs: number): Chart {
  const { t } = context;
  const spec = { id: "words-distinct", title: t("distinct.chart", { runs: exact(runs) }), axis: t("distinct.axis") };
  return word_chart(context, results, spec, ({ distinct }) => distinct);
}
