import { grid, tip, tooltip, value_axis } from "../shell/axes";
import { chart, type Chart } from "../shell/chart";
import type { Context } from "../shell/context";
import { drawn } from "../shell/estimate";
import { count, figure } from "../shell/format";
import { name_axis, spans } from "./claims_chart";
import type { GroupAttacked } from "./document";

export interface NamedGroup extends GroupAttacked {
  readonly name: string;
}

/// How well members of each group are told from others: 0.5 is a coin.
export function groups_chart(context: Context, id: string, title: string, groups: readonly NamedGroup[]): Chart {
  const { t } = context;
  const shown = groups.map((group) => (group.small ? { ...group, name: t("groups.small", { name: group.name }) } : group));
  return chart(context, {
    id,
    title,
    draw: (look, width) => {
      const [color = look.ink] = look.series;
      const known = shown.flatMap(({ name, auc, small }, at) => {
        const value = drawn(auc);
        return value ? [{ at, name, value, color: small ? look.soft : color }] : [];
      });
      const low = Math.min(0.45, ...known.map(({ value }) => value.low));
      const high = Math.max(0.55, ...known.map(({ value }) => value.high));
      return {
        option: {
          grid: { ...grid, left: 12, bottom: 44, right: 24 },
          xAxis: {
            ...value_axis(look, { min: Math.max(0, Math.floor(low * 20) / 20), max: Math.min(1, Math.ceil(high * 20) / 20) }),
            name: t("auc"), nameLocation: "middle", nameGap: 28,
          },
          yAxis: name_axis(look, shown.map(({ name }) => name), width),
          tooltip: tooltip(look, "item", (params) => {
            const place = (params as { value?: [number, number] }).value?.[1];
            const group = place === undefined ? undefined : shown[place];
            const value = drawn(group?.auc);
            if (!group || !value) return "";
            return tip(group.name, [
              { name: t("auc"), value: `${figure(value.mean)} (${figure(value.low)} – ${figure(value.high)})`, color },
              { name: t("members"), value: count(group.members) }, { name: t("nonmembers"), value: count(group.nonmembers) },
            ]);
          }),
          series: [
            spans("interval", known.map(({ at, value, color: own }) => ({ at, from: value.low, to: value.high, color: own })), 3),
            {
              type: "scatter", name: t("auc"), symbolSize: 9, emphasis: { disabled: true },
              data: known.map(({ at, value, color: own }) => ({ value: [value.mean, at], itemStyle: { color: own } })),
            },
          ],
        },
        legend: [],
        data: {
          columns: [
            { key: "group", label: t("group"), kind: "text" },
            { key: "auc", label: t("auc"), kind: "estimate", reason: t("reason.no_auc") },
            { key: "members", label: t("members"), kind: "figure" },
            { key: "nonmembers", label: t("nonmembers"), kind: "figure" },
            { key: "small", label: t("small"), kind: "text" },
          ],
          rows: groups.map(({ name, auc, members, nonmembers, small }) => [name, auc, members, nonmembers, small]),
        },
        summary: t("groups.summary", { figures: known.map(({ name, value }) => `${name} ${figure(value.mean)}`).join("; ") }),
        height: 96 + shown.length * (shown.length > 20 ? 20 : 30),
      };
    },
  });
}
