import type { Context } from "../shell/context";
import { h, type Child } from "../shell/dom";
import { listed, type Catalogue, type Translate } from "../shell/i18n";
import type { Section } from "../shell/page";
import { label_en } from "./messages_en";
import { label_zh } from "./messages_zh";

export const label_messages: Catalogue = { en: label_en, zh: label_zh };

/// The label of docs/formats/label.md, as far as a reader is told of it.
interface Label {
  readonly warning?: string;
  readonly released?: { readonly kind?: string; readonly count?: number; readonly file?: string };
  readonly mechanism?: string;
  readonly privacy_unit?: string;
  readonly neighbours?: string;
  readonly definition?: string;
  readonly cost?: Readonly<Record<"epsilon" | "delta" | "rho", number | null>>;
  readonly meaning?: { readonly text?: string };
  readonly covers?: readonly string[];
  readonly does_not_cover?: readonly string[];
  readonly provenance?: Readonly<Record<string, string>>;
  readonly budget?: { readonly recorded?: boolean; readonly dataset?: string; readonly entry?: string };
  readonly commitments?: { readonly input?: string; readonly policy?: string };
  readonly producer?: { readonly name?: string; readonly version?: string };
}

const definitions = new Set([
  "pure", "approximate", "zcdp", "metric", "umldp", "k-anonymity", "pattern-hiding", "none", "internal",
]);
const neighbours = new Set(["add-remove", "replace-one", "any-two-inputs"]);
const origins = ["public", "selected", "data"] as const;

function guarantee(t: Translate, label: Label): string {
  const definition = label.definition ?? "";
  const cost = (name: "epsilon" | "delta" | "rho") => String(label.cost?.[name] ?? "");
  const words = definitions.has(definition)
    ? t(`label.definition.${definition}`, { epsilon: cost("epsilon"), delta: cost("delta"), rho: cost("rho") })
    : definition;
  if (definition === "none" || definition === "internal") return words;
  const alike = label.neighbours && neighbours.has(label.neighbours) ? t(`label.neighbours.${label.neighbours}`) : "";
  const unit = label.privacy_unit ? t("label.unit", { unit: label.privacy_unit }) : "";
  return [words, alike, unit].filter((part) => part !== "").join(" ");
}

/// The label as a list of plain statements. Sentences that the label itself holds are English.
export function label_section(context: Context, value: unknown): Section | null {
  if (typeof value !== "object" || value === null) return null;
  const { t, language } = context;
  const label = value as Label;
  const english = (text: string) => h("span", { lang: language === "en" ? null : "en" }, text);
  const rows: [string, Child][] = [];
  const released = label.released;
  if (released?.kind) {
    const number = typeof released.count === "number" ? `${released.count} × ` : "";
    rows.push([t("label.released"), [number, english(released.kind), released.file ? ` (${released.file})` : ""]]);
  }
  if (label.mechanism) rows.push([t("label.mechanism"), english(label.mechanism)]);
  rows.push([t("label.guarantee"), guarantee(t, label)]);
  if (label.meaning?.text) rows.push([t("label.meaning"), english(label.meaning.text)]);
  const list = (items: readonly string[]) => h("ul", {}, items.map((item) => h("li", {}, english(item))));
  if (label.covers?.length) rows.push([t("label.covers"), list(label.covers)]);
  if (label.does_not_cover?.length) rows.push([t("label.does_not_cover"), list(label.does_not_cover)]);
  const choices = origins.flatMap((origin) => {
    const names = Object.entries(label.provenance ?? {}).filter(([, from]) => from === origin).map(([name]) => name);
    return names.length === 0 ? [] : [h("li", {}, t(`label.origin.${origin}`), " ", names.join(", "))];
  });
  if (choices.length > 0) rows.push([t("label.choices"), h("ul", {}, choices)]);
  const promises = label.definition !== "none" && label.definition !== "internal";
  if (promises && label.budget) {
    const { recorded, dataset = "", entry = "" } = label.budget;
    rows.push([t("label.budget"), recorded ? t("label.recorded", { dataset, entry }) : t("label.not_recorded")]);
  }
  const bound = [label.commitments?.input ? t("label.input") : "", label.commitments?.policy ? t("label.policy") : ""];
  const named = bound.filter((one) => one !== "");
  if (named.length > 0) rows.push([t("label.commitment"), t("label.committed", { what: listed(language, named) })]);
  if (label.producer?.name) rows.push([t("label.producer"), `${label.producer.name} ${label.producer.version ?? ""}`]);
  return {
    id: "label",
    title: t("label.title"),
    lead: t("label.lead"),
    body: h(
      "div",
      { class: "card" },
      label.warning ? h("p", { class: "label-warning" }, english(label.warning)) : null,
      h("dl", { class: "label-list" }, rows.map(([name, content]) => h("div", {}, h("dt", {}, name), h("dd", {}, content)))),
    ),
  };
}
