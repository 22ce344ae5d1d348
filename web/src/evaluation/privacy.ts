import type { Section } from "../shell/page";
import { table } from "../shell/table";
import { Undefined } from "../shell/table_data";
import { epsilon_chart } from "./epsilon_chart";
import type { View } from "./view";

export function privacy_section(view: View): Section | null {
  const { context, t, document, results } = view;
  if (results.length === 0) return null;
  const no_bound = new Undefined(t("reason.no_bound"));
  const attacks = epsilon_chart(view, {
    id: "attacks",
    title: t("attacks.chart"),
    note: t("attacks.note"),
    axis: { min: 0, name: t("attacks.axis") },
    series: () => [
      { key: "linkage", name: t("attacks.linkage"), values: results.map(({ privacy }) => privacy.linkage), style: 0 },
      { key: "membership", name: t("attacks.membership"), values: results.map(({ privacy }) => privacy.membership), style: 1 },
      { key: "membership_bound", name: t("attacks.bound"), style: 6,
        values: results.map(({ privacy }) => privacy.membership_bound ?? no_bound) },
    ],
  });
  const released = table(context, {
    id: "released",
    title: t("released.table"),
    note: t("released.note", { k: document.setting.k }),
    data: {
      columns: [
        { key: "epsilon", label: t("epsilon"), kind: "exact" },
        { key: "k_true", label: t("released.k_true"), kind: "count" },
        { key: "k_noisy", label: t("released.k_noisy"), kind: "estimate" },
        { key: "classes", label: t("released.classes"), kind: "estimate" },
        { key: "total", label: t("released.total"), kind: "estimate" },
        { key: "linkage", label: t("attacks.linkage"), kind: "estimate" },
        { key: "membership", label: t("attacks.membership"), kind: "estimate" },
        { key: "membership_bound", label: t("attacks.bound"), kind: "figure", reason: t("reason.no_bound") },
      ],
      rows: results.map(({ epsilon, privacy, k_noisy, classes, total }) => [
        epsilon, privacy.k_true, k_noisy, classes, total, privacy.linkage, privacy.membership, privacy.membership_bound,
      ]),
    },
  });
  return { id: "privacy", title: t("privacy.title"), lead: t("privacy.lead"), body: [attacks.element, released] };
}
