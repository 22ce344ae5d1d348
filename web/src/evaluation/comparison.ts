import { exact } from "../shell/format";
import type { Section } from "../shell/page";
import { table } from "../shell/table";
import { Undefined, type Cell, type Column } from "../shell/table_data";
import { model_metrics } from "./document";
import { model_name } from "./models";
import { word, type View } from "./view";

const known_methods: ReadonlySet<string> = new Set(["k-anonymity", "differential-privacy", "hybrid"]);

/// k-anonymity, differential privacy and both, side by side at one epsilon; models and baselines below.
export function comparison_section(view: View): Section | null {
  const { context, t, document } = view;
  const comparison = document.comparison;
  if (!comparison) return null;
  const { methods } = comparison;
  const attributes = [...new Set(methods.flatMap(({ fairness }) => Object.keys(fairness ?? {})))];
  const models = [...new Set(methods.flatMap(({ models: own }) => Object.keys(own ?? {})))];
  const name_of = (name: string) => word(t, known_methods, "method", name);
  const own = <T>(all: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined =>
    Object.entries(all ?? {}).find(([key]) => key === name)?.[1];

  const columns: Column[] = [
    { key: "method", label: t("comparison.method"), kind: "text" },
    { key: "k", label: "k", kind: "count", reason: t("reason.no_k") },
    { key: "epsilon", label: "ε", kind: "exact", reason: t("reason.no_epsilon") },
    { key: "generalisation_loss", label: t("loss.loss"), kind: "percent", reason: t("reason.not_measured") },
    { key: "suppressed", label: t("disparity.suppressed"), kind: "percent", reason: t("reason.not_measured") },
    { key: "tvd", label: t("tvd.tvd"), kind: "estimate", reason: t("reason.not_measured") },
    ...attributes.flatMap((name): Column[] => [
      { key: `${name}_eod_sum`, label: t("comparison.odds", { name, kind: t("odds.eod_sum") }), kind: "estimate", reason: t("reason.odds") },
      { key: `${name}_eod_max`, label: t("comparison.odds", { name, kind: t("odds.eod_max") }), kind: "estimate", reason: t("reason.odds") },
    ]),
  ];
  const rows = methods.map((method): Cell[] => [
    name_of(method.name), method.k, method.epsilon, method.generalisation_loss, method.suppressed, method.tvd,
    ...attributes.flatMap((name) => [own(method.fairness, name)?.eod_sum, own(method.fairness, name)?.eod_max]),
  ]);
  const overview = table(context, {
    id: "comparison",
    title: t("comparison.table"),
    note: t("comparison.note"),
    data: { columns, rows },
  });

  const { majority, unprotected } = document.baselines ?? {};
  const no_retention = new Undefined(t("reason.retention"));
  const majority_reason = new Undefined(t("reason.majority"));
  const model_rows = models.flatMap((model): Cell[][] => {
    const raw = unprotected?.models?.[model];
    return [
      ...methods.map((method): Cell[] => [
        model_name(view, model), name_of(method.name),
        ...model_metrics.map((metric) => own(method.models, model)?.[metric]),
        own(method.models, model)?.retention,
      ]),
      ...(raw ? [[model_name(view, model), t("baseline.unprotected"), ...model_metrics.map((metric) => raw[metric]), no_retention]] : []),
    ];
  });
  if (typeof majority?.accuracy === "number") {
    const cells = model_metrics.map((metric): Cell => (metric === "accuracy" ? majority.accuracy : majority_reason));
    model_rows.push([t("baseline.majority"), t("models.no_model"), ...cells, no_retention]);
  }
  const model_table = table(context, {
    id: "comparison-models",
    title: t("comparison.models"),
    note: t("comparison.models_note"),
    data: {
      columns: [
        { key: "model", label: t("models.model"), kind: "text" },
        { key: "data", label: t("models.data"), kind: "text" },
        ...model_metrics.map((key) => ({ key, label: t(`metric.${key}`), kind: "estimate", reason: t("reason.metric") }) as const),
        { key: "retention", label: t("comparison.retention"), kind: "estimate-percent", reason: t("reason.metric") },
      ],
      rows: model_rows,
    },
  });
  return {
    id: "comparison",
    title: t("comparison.title"),
    lead: t("comparison.lead", { epsilon: exact(comparison.epsilon) }),
    body: [overview, models.length > 0 ? model_table : null],
  };
}
