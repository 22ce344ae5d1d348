import type { Chart } from "../shell/chart";
import { remembered } from "../shell/context";
import { picker, segments } from "../shell/controls";
import { h } from "../shell/dom";
import { is_estimate, type MaybeEstimate } from "../shell/estimate";
import type { Section } from "../shell/page";
import { table } from "../shell/table";
import { Undefined, type Cell } from "../shell/table_data";
import {
  attributes_of, fairness_measures, group_rates, odds_kinds, type AttributeFairness, type GroupRate, type OddsKind,
} from "./document";
import { epsilon_chart, type Level, type Series } from "./epsilon_chart";
import { epsilon_choices, first_epsilon, result_at, type View } from "./view";

/// All attributes that any epsilon has figures for, in the order of the document.
function attribute_names(view: View): string[] {
  const names = new Set<string>();
  for (const { fairness } of view.results) for (const [name] of attributes_of(fairness)) names.add(name);
  return [...names];
}

function attribute_at(view: View, epsilon: number, name: string): AttributeFairness | undefined {
  return attributes_of(result_at(view, epsilon)?.fairness).find(([own]) => own === name)?.[1];
}

/// The rate of a group, or why it has none.
function rate_cell(view: View, attribute: AttributeFairness | undefined, group: string, rate: GroupRate): MaybeEstimate | Undefined {
  const figures = Object.entries(attribute?.groups ?? {}).find(([name]) => name === group)?.[1];
  const value = figures?.[rate];
  if (is_estimate(value)) return value;
  return new Undefined(view.t(`reason.rate.${rate}`));
}

function group_names(view: View, attribute: string): { name: string; small: boolean }[] {
  const groups = new Map<string, boolean>();
  for (const epsilon of view.epsilons) {
    for (const [name, group] of Object.entries(attribute_at(view, epsilon, attribute)?.groups ?? {})) {
      groups.set(name, group.small ?? false);
    }
  }
  return [...groups].map(([name, small]) => ({ name, small }));
}

function rate_chart(view: View, rate: "tpr" | "fpr", attribute: () => string): Chart {
  const { t, epsilons } = view;
  return epsilon_chart(view, {
    id: rate,
    title: t(`rate.${rate}`),
    axis: { min: 0, max: 1 },
    series: () =>
      group_names(view, attribute()).map(({ name, small }): Series => ({
        key: name,
        name: small ? t("group.small", { name }) : name,
        values: epsilons.map((epsilon) => rate_cell(view, attribute_at(view, epsilon, attribute()), name, rate)),
      })),
  });
}

function baseline_of(view: View, attribute: string) {
  const all = view.document.baselines?.unprotected?.fairness;
  return Object.entries(all ?? {}).find(([name]) => name === attribute)?.[1];
}

function odds_chart(view: View, names: readonly string[]): Chart {
  const { context, t, results } = view;
  let kind = remembered<OddsKind>(context, "odds", "eod_max");
  const controls = segments(
    t("odds.kind"),
    odds_kinds.map((value) => ({ value, label: t(`odds.${value}`) })),
    kind,
    (value) => {
      kind = value;
      context.memory.set("odds", value);
      self.redraw();
    },
  );
  const self = epsilon_chart(view, {
    id: "equalised-odds",
    title: t("odds.chart"),
    note: t("odds.note"),
    controls,
    axis: { min: 0 },
    series: () =>
      names.map((name): Series => ({
        key: name,
        name,
        reason: t("reason.odds"),
        values: results.map(({ epsilon }) => attribute_at(view, epsilon, name)?.[kind]),
      })),
    levels: () =>
      names.flatMap((name, style): Level[] => {
        const value = baseline_of(view, name)?.[kind];
        if (typeof value !== "number") return [];
        return [{ key: `${name}_unprotected`, name: t("odds.unprotected", { name }), value, style }];
      }),
  });
  return self;
}

/// Every measure of one attribute, and every rate of its groups, at one epsilon.
function detail_tables(view: View, attribute: string, epsilon: number): HTMLElement[] {
  const { context, t, document } = view;
  const own = attribute_at(view, epsilon, attribute);
  const baseline = baseline_of(view, attribute);
  const measures = table(context, {
    id: "fairness-measures",
    title: t("measures.table"),
    note: t("measures.note"),
    data: {
      columns: [
        { key: "measure", label: t("measures.measure"), kind: "text" },
        { key: "value", label: t("measures.value"), kind: "estimate", reason: t("reason.odds") },
        { key: "unprotected", label: t("baseline.unprotected"), kind: "figure", reason: t("reason.odds") },
      ],
      rows: fairness_measures.map((name) => [t(`measure.${name}`), own?.[name], baseline?.[name]]),
    },
  });
  const groups = table(context, {
    id: "groups",
    title: t("groups.table"),
    note: t("groups.note", { minimum: document.setting.minimum_group ?? 0 }),
    data: {
      columns: [
        { key: "group", label: t("group"), kind: "text" },
        { key: "size", label: t("groups.size"), kind: "count" },
        ...group_rates.map((rate) => ({ key: rate, label: t(`rate.short.${rate}`), kind: "estimate" }) as const),
        { key: "count_error", label: t("groups.count_error"), kind: "estimate-percent", reason: t("reason.not_measured") },
        { key: "small", label: t("groups.small"), kind: "text" },
      ],
      rows: Object.entries(own?.groups ?? {}).map(([name, group]): Cell[] => [
        name,
        group.size,
        ...group_rates.map((rate) => rate_cell(view, own, name, rate)),
        group.count_error,
        group.small ?? false,
      ]),
    },
  });
  return [measures, groups];
}

export function fairness_section(view: View): Section | null {
  const { context, t } = view;
  const names = attribute_names(view);
  if (names.length === 0) return null;
  const kept = remembered(context, "attribute", names[0] ?? "");
  let attribute = names.includes(kept) ? kept : (names[0] ?? "");
  let epsilon = remembered(context, "fairness-epsilon", String(first_epsilon(view)));
  const tpr = rate_chart(view, "tpr", () => attribute);
  const fpr = rate_chart(view, "fpr", () => attribute);
  const details = h("div", {});
  const show_details = () => details.replaceChildren(...detail_tables(view, attribute, Number(epsilon)));
  show_details();
  const pick_attribute = picker(t("fairness.attribute"), names.map((name) => ({ value: name, label: name })), attribute, (value) => {
    attribute = value;
    context.memory.set("attribute", value);
    tpr.redraw();
    fpr.redraw();
    show_details();
  });
  const pick_epsilon = picker(t("fairness.at"), epsilon_choices(view), epsilon, (value) => {
    epsilon = value;
    context.memory.set("fairness-epsilon", value);
    show_details();
  });
  return {
    id: "fairness",
    title: t("fairness.title"),
    lead: t("fairness.lead"),
    body: [
      odds_chart(view, names).element,
      h("div", { class: "controls band", id: "fairness-controls" }, pick_attribute, pick_epsilon),
      h("div", { class: "pair" }, tpr.element, fpr.element),
      details,
    ],
  };
}

export function disparity_section(view: View): Section | null {
  const { context, t, document } = view;
  if (!document.disparity) return null;
  const rows = Object.entries(document.disparity).flatMap(([attribute, groups]) =>
    Object.entries(groups).map(([group, one]): Cell[] => [
      group, attribute, one.rows, one.suppression_rate, one.generalisation_loss, one.risk,
    ]),
  );
  return {
    id: "disparity",
    title: t("disparity.title"),
    lead: t("disparity.lead"),
    body: table(context, {
      id: "disparity",
      title: t("disparity.table"),
      data: {
        columns: [
          { key: "group", label: t("group"), kind: "text" },
          { key: "attribute", label: t("fairness.attribute"), kind: "text" },
          { key: "rows", label: t("rows"), kind: "count" },
          { key: "suppression_rate", label: t("disparity.suppressed"), kind: "percent" },
          { key: "generalisation_loss", label: t("disparity.loss"), kind: "percent" },
          { key: "risk", label: t("disparity.risk"), kind: "percent" },
        ],
        rows,
      },
    }),
  };
}
