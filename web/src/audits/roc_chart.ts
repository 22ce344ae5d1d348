import { grid, tip, tooltip, value_axis } from "../shell/axes";
import { chart, type Chart, type LegendItem } from "../shell/chart";
import type { Context } from "../shell/context";
import { percent } from "../shell/format";
import { series_style } from "../shell/look";
import { most_true, type Claim, type Curve } from "./document";

/// The smallest share that the axes show: a decade below it there is nothing to draw.
function smallest(curves: readonly Curve[]): number {
  let least = 0.1;
  for (const { points } of curves) {
    for (const [fpr, tpr] of points) {
      if (fpr > 0 && tpr > 0) least = Math.min(least, fpr);
    }
  }
  return Math.max(1e-5, 10 ** Math.floor(Math.log10(least) + 1e-9));
}

/// Members found against non-members accused, on logarithmic axes, with the line that the claim allows.
export function roc_chart(context: Context, curves: readonly Curve[], claim: Claim | null, name_of: (attack: string) => string): Chart {
  const { t } = context;
  return chart(context, {
    id: "roc",
    title: t("roc.chart"),
    draw: (look, width, hidden) => {
      const low = smallest(curves);
      const steps = Array.from({ length: 61 }, (_, i) => low ** (1 - i / 60));
      const styled = curves.map((curve, i) => ({ curve, name: name_of(curve.attack), style: series_style(look, i) }));
      const allowed = claim && typeof claim.epsilon === "number" ? claim : null;
      const line = (name: string, color: string, type: string, data: readonly (readonly [number, number])[], wide = 2) => ({
        type: "line", name, showSymbol: false, data: data.filter(([fpr, tpr]) => fpr >= low && tpr >= low), lineStyle: { color, width: wide, type },
        itemStyle: { color }, emphasis: { disabled: true },
      });
      const axis = {
        type: "log", min: low, max: 1, axisLabel: { color: look.soft, fontSize: 12, formatter: (value: number) => percent(value) },
        nameTextStyle: { color: look.soft, fontSize: 12 }, splitLine: { lineStyle: { color: look.line } },
      };
      const legend: LegendItem[] = styled.map(({ name, style }) => ({ name, color: style.color, dash: style.dash }));
      legend.push({ name: t("roc.coin"), color: look.soft, dash: "dotted", fixed: true });
      if (allowed) legend.push({ name: t("roc.allowed"), color: look.warning, dash: "dashed", fixed: true });
      const rows = styled.flatMap(({ curve, name }) => curve.points.map(([fpr, tpr]) => [name, fpr, tpr, allowed ? most_true(allowed, fpr) : null]));
      return {
        option: {
          grid: { ...grid, bottom: 40, right: 24 },
          xAxis: { ...axis, name: t("roc.fpr"), nameLocation: "middle", nameGap: 28 },
          yAxis: { ...value_axis(look, { name: t("roc.tpr") }), ...axis, nameLocation: "end" },
          tooltip: tooltip(look, "item", (params) => {
            const { seriesName, value } = params as { seriesName?: string; value?: [number, number] };
            if (!value || !seriesName) return "";
            return tip(seriesName, [{ name: t("roc.fpr"), value: percent(value[0]) }, { name: t("roc.tpr"), value: percent(value[1]) }]);
          }),
          series: [
            line(t("roc.coin"), look.soft, "dotted", steps.map((x) => [x, x] as const), 1.5),
            ...(allowed ? [line(t("roc.allowed"), look.warning, "dashed", steps.map((x) => [x, most_true(allowed, x)] as const))] : []),
            ...styled.filter(({ name }) => !hidden.has(name)).map(({ curve, name, style }) => line(name, style.color, style.dash, curve.points)),
          ],
        },
        legend,
        data: {
          columns: [
            { key: "attack", label: t("attack"), kind: "text" },
            { key: "fpr", label: t("roc.fpr"), kind: "percent" },
            { key: "tpr", label: t("roc.tpr"), kind: "percent" },
            { key: "allowed", label: t("roc.allowed"), kind: "percent", reason: t("claims.none") },
          ],
          rows,
        },
        summary: t(allowed ? "roc.summary.allowed" : "roc.summary.open", { names: styled.map(({ name }) => name).join(", ") }),
        height: width < 480 ? 320 : 440,
      };
    },
  });
}
