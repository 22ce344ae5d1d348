import { category_axis, grid, tip, tooltip, value_axis } from "../shell/axes";
import { chart, type Chart } from "../shell/chart";
import type { Context } from "../shell/context";
import { drawn } from "../shell/estimate";
import { figure, percent, tick_percent } from "../shell/format";
import { most_true, type Attack, type Claim } from "./document";

interface DrawApi {
  value(dimension: number): number;
  coord(point: [number, number]): [number, number];
}

/// What share of the members each attack finds when it may accuse few others, with the interval over targets.
export function rates_chart(context: Context, attacks: readonly Attack[], claim: Claim | null, name_of: (attack: string) => string): Chart {
  const { t } = context;
  const shares = [...new Set(attacks.flatMap(({ tpr_at_fpr }) => tpr_at_fpr.map(({ fpr }) => fpr)))].sort((a, b) => b - a);
  const rate = (attack: Attack, fpr: number) => attack.tpr_at_fpr.find((one) => one.fpr === fpr);
  return chart(context, {
    id: "rates",
    title: t("rates.chart"),
    draw: (look, width, hidden) => {
      const styled = shares.map((fpr, i) => ({ fpr, name: t("rates.at", { share: tick_percent(fpr) }), color: look.series[i % look.series.length] ?? look.ink }));
      const visible = styled.filter(({ name }) => !hidden.has(name));
      const spread = Math.min(0.24, 0.8 / Math.max(visible.length, 1));
      const points = visible.flatMap(({ fpr, name, color }, place) =>
        attacks.flatMap((attack, at) => {
          const value = drawn(rate(attack, fpr)?.tpr);
          const shift = (place - (visible.length - 1) / 2) * spread;
          return value ? [{ at, shift, value, color, name, attack: name_of(attack.attack), fpr }] : [];
        }),
      );
      const allowed = (fpr: number) => (claim && typeof claim.epsilon === "number" ? most_true(claim, fpr) : null);
      return {
        option: {
          grid: { ...grid, bottom: 40 },
          xAxis: {
            ...category_axis(look, t("attack"), attacks.map(({ attack }) => name_of(attack))),
            axisLabel: { color: look.soft, fontSize: 12, interval: 0, rotate: width < 620 ? 35 : 0 }, nameGap: width < 620 ? 62 : 28,
          },
          yAxis: value_axis(look, { name: t("rates.found"), percent: true, min: 0 }),
          tooltip: tooltip(look, "item", (params) => {
            const one = points[(params as { dataIndex: number }).dataIndex];
            if (!one) return "";
            const most = allowed(one.fpr);
            return tip(one.attack, [
              { name: one.name, value: `${percent(one.value.mean)} (${percent(one.value.low)} – ${percent(one.value.high)})`, color: one.color },
              ...(most === null ? [] : [{ name: t("roc.allowed"), value: percent(most) }]),
            ]);
          }),
          series: [
            {
              type: "custom", name: t("rates.found"), encode: { x: 0, y: [1, 2, 3] },
              data: points.map(({ at, value }) => [at, value.mean, value.low, value.high]),
              renderItem: (params: { dataIndex: number; coordSys: { width: number } }, api: DrawApi) => {
                const point = points[params.dataIndex];
                if (!point) return null;
                const shift = (point.shift * params.coordSys.width) / attacks.length;
                const [middle, y] = api.coord([api.value(0), api.value(1)]);
                const [, low] = api.coord([api.value(0), api.value(2)]);
                const [, high] = api.coord([api.value(0), api.value(3)]);
                const x = middle + shift;
                const style = { stroke: point.color, fill: point.color, lineWidth: 2 };
                return {
                  type: "group",
                  children: [
                    { type: "line", shape: { x1: x, y1: low, x2: x, y2: high }, style },
                    { type: "circle", shape: { cx: x, cy: y, r: 4.5 }, style },
                  ],
                };
              },
            },
          ],
        },
        legend: styled.map(({ name, color }) => ({ name, color, shape: "dot" as const, fixed: styled.length === 1 })),
        data: {
          columns: [
            { key: "attack", label: t("attack"), kind: "text" },
            { key: "fpr", label: t("roc.fpr"), kind: "percent" },
            { key: "tpr", label: t("roc.tpr"), kind: "estimate-percent", reason: t("reason.not_measurable") },
            { key: "allowed", label: t("roc.allowed"), kind: "percent", reason: t("claims.none") },
          ],
          rows: attacks.flatMap((attack) =>
            attack.tpr_at_fpr.map(({ fpr, tpr, measurable }) => [name_of(attack.attack), fpr, measurable ? tpr : null, allowed(fpr)]),
          ),
        },
        summary: t("rates.summary", {
          figures: points.map(({ attack, name, value }) => `${attack} ${name}: ${figure(value.mean * 100)}%`).join("; "),
        }),
        height: width < 480 ? 320 : 380,
      };
    },
  });
}
