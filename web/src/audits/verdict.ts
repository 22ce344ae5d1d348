import type { Context } from "../shell/context";
import { h } from "../shell/dom";
import { figure } from "../shell/format";
import type { Beside, Warning } from "./document";

/// Whether the claim stands, in one sentence. An audit that has found nothing is no proof, and the sentence says so; nor is a bound that
/// lies above its claim with the confidence of print alone, and not with that of the alarm.
export function verdict({ t }: Context, holds: boolean | null, rate: number | null, claims: readonly Beside[]): HTMLElement {
  const is_above = claims.some(({ audited, claimed }) => audited !== null && claimed !== null && audited > claimed);
  const state = holds === false ? "crossed" : holds === null ? "open" : is_above ? "doubtful" : "held";
  return h(
    "div",
    { class: holds === false ? "card alarm" : "card", id: "verdict", "data-holds": String(holds), "data-state": state },
    h("h3", {}, t(`verdict.${state}`)),
    h("p", {}, t(`verdict.${state}.text`, { rate: rate === null ? "" : figure(rate) })),
  );
}

export function warnings_card({ t }: Context, warnings: readonly Warning[] | null | undefined): HTMLElement | null {
  if (!warnings || warnings.length === 0) return null;
  return h(
    "div",
    { class: "card warnings", id: "warnings" },
    h("h3", {}, t("warnings.heading")),
    h("ul", {}, warnings.map(({ message }) => h("li", {}, message))),
  );
}
