import type { Context } from "../shell/context";
import { exact } from "../shell/format";
import type { Translate } from "../shell/i18n";
import type { EpsilonResult, EvaluationDocument, Reference } from "./document";

/// What every section of the report is made from.
export interface View {
  readonly context: Context;
  readonly t: Translate;
  readonly document: EvaluationDocument;
  readonly all: readonly EpsilonResult[]; ///< every pair of k and epsilon, in the order of the document
  readonly results: readonly EpsilonResult[]; ///< by rising epsilon, of the recommended k; empty when the document has none
  readonly epsilons: readonly number[];
}

export function view_of(context: Context, document: EvaluationDocument): View {
  const all = document.epsilons ?? [];
  const k = document.recommendation?.k;
  const own = typeof k === "number" ? all.filter((result) => result.k === k) : all;
  const results = [...own].sort((a, b) => a.epsilon - b.epsilon);
  return { context, t: context.t, document, all, results, epsilons: results.map(({ epsilon }) => epsilon) };
}

export function result_at({ results }: View, epsilon: number): EpsilonResult | undefined {
  return results.find((result) => result.epsilon === epsilon);
}

/// The epsilon that a reader wants to see first: the recommended one, or one in the middle.
export function first_epsilon({ document, epsilons }: View): number {
  const recommended = document.recommendation?.epsilon;
  if (typeof recommended === "number" && epsilons.includes(recommended)) return recommended;
  return epsilons[Math.floor(epsilons.length / 2)] ?? 1;
}

/// "0.5", or "0.5 with k = 5".
export function name_of({ t }: View, one: Reference): string {
  return typeof one === "number" ? exact(one) : t("pair", { epsilon: exact(one.epsilon), k: one.k });
}

/// The epsilons among them that belong to the k of the view.
export function own_epsilons({ document }: View, list: readonly Reference[] | null | undefined): number[] {
  const k = document.recommendation?.k;
  return (list ?? []).flatMap((one) => (typeof one === "number" ? [one] : one.k === k ? [one.epsilon] : []));
}

export function epsilon_choices({ epsilons }: View) {
  return epsilons.map((epsilon) => ({ value: String(epsilon), label: exact(epsilon) }));
}

/// "5–19", "128 and more", "1".
export function size_range(t: Translate, from: number, to: number | null | undefined): string {
  if (to === null || to === undefined) return t("size.open", { from: exact(from) });
  return from === to ? exact(from) : `${exact(from)}–${exact(to)}`;
}

/// The words for a name that Gauze gives; a name that it does not know is shown as it is.
export function word(t: Translate, words: ReadonlySet<string>, prefix: string, name: string): string {
  return words.has(name) ? t(`${prefix}.${name}`) : name;
}
