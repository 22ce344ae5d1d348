import type { Context } from "../shell/context";
import { exact } from "../shell/format";
import type { Translate } from "../shell/i18n";
import type { EpsilonResult, EvaluationDocument } from "./document";

/// What every section of the report is made from.
export interface View {
  readonly context: Context;
  readonly t: Translate;
  readonly document: EvaluationDocument;
  readonly results: readonly EpsilonResult[]; ///< by rising epsilon; empty when the document has none
  readonly epsilons: readonly number[];
}

export function view_of(context: Context, document: EvaluationDocument): View {
  const results = [...(document.epsilons ?? [])].sort((a, b) => a.epsilon - b.epsilon);
  return { context, t: context.t, document, results, epsilons: results.map(({ epsilon }) => epsilon) };
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
