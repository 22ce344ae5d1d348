import { remembered } from "../shell/context";
import { segments } from "../shell/controls";
import type { Chart } from "../shell/chart";
import { count } from "../shell/format";
import type { Section } from "../shell/page";
import { table } from "../shell/table";
import { Undefined, type Cell, type Column } from "../shell/table_data";
import { model_metrics, type ModelMetric } from "./document";
import { epsilon_chart, type Level, type Series } from "./epsilon_chart";
import { word, type View } from "./view";

const known_models: ReadonlySet<string> = new Set(["logistic", "trees"]);

export function model_name({ t }: View, name: string): string {
  return word(t, known_models, "model", name);
}

function model_names(view: View): string[] {
  const names = new Set<string>();
  for (const { utility } of view.results) for (const name of Object.keys(utility.models ?? {})) names.add(name);
  return [...names];
}

function model_chart(view: View): Chart {
  const { context, t, results, document } = view;
  const names = model_names(view);
  const { majority, unprotected } = document.baselines ?? {};
  let metric = remembered<ModelMetric>(context, "metric", "accuracy");
  const controls = segments(
    t("models.metric"),
    model_metrics.map((value) => ({ value, label: t(`metric.${value}`) })),
    metric,
    (value) => {
      metric = value;
      context.memory.set("metric", value);
      self.redraw();
    },
  );
  const self = epsilon_chart(view, {
    id: "models",
    title: t("models.chart"),
    note: t("models.note"),
    controls,
    axis: { max: 1 },
    series: () =>
      names.map((name): Series => ({
        key: name,
        name: model_name(view, name),
        reason: t(`reason.metric`),
        values: results.map(({ utility }) => utility.models?.[name]?.[metric]),
      })),
    levels: () => [
      ...names.flatMap((name, style): Level[] => {
        const value = unprotected?.models?.[name]?.[metric];
        if (typeof value !== "number") return [];
        return [{ key: `${name}_unprotected`, name: t("models.unprotected", { name: model_name(view, name) }), value, style }];
      }),
      ...(metric === "accuracy" && typeof majority?.accuracy === "number"
        ? [{ key: "majority", name: t("baseline.majority"), value: majority.accuracy, style: 6 }]
        : []),
    ],
  });
  return self;
}

function model_table(view: View): HTMLElement {
  const { context, t, results, document } = view;
  const { majority, unprotected } = document.baselines ?? {};
  const names = model_names(view);
  const columns: Column[] = [
    { key: "model", label: t("models.model"), kind: "text" },
    { key: "data", label: t("models.data"), kind: "text" },
    ...model_metrics.map((key) => ({ key, label: t(`metric.${key}`), kind: "estimate", reason: t("reason.metric") }) as const),
  ];
  const majority_reason = new Undefined(t("reason.majority"));
  const rows: Cell[][] = [
    [t("baseline.majority"), t("models.no_model"),
      ...model_metrics.map((key): Cell => (key === "accuracy" ? majority?.accuracy : majority_reason))],
  ];
  for (const name of names) {
    const raw = unprotected?.models?.[name];
    rows.push([model_name(view, name), t("baseline.unprotected"), ...model_metrics.map((key): Cell => raw?.[key])]);
    for (const { epsilon, utility } of results) {
      const figures = utility.models?.[name];
      rows.push([model_name(view, name), t("epsilon_is", { epsilon }), ...model_metrics.map((key): Cell => figures?.[key])]);
    }
  }
  return table(context, { id: "models-table", title: t("models.table"), data: { columns, rows } });
}

export function models_section(view: View): Section | null {
  const { t, document } = view;
  if (model_names(view).length === 0) return null;
  const { target, positive, test_rows } = document.setting;
  return {
    id: "models",
    title: t("models.title"),
    lead: t("models.lead", { target: target ?? "", positive: positive ?? "", rows: count(test_rows ?? 0) }),
    body: [model_chart(view).element, model_table(view)],
  };
}
