import { shell_en } from "./messages_en";
import { shell_zh } from "./messages_zh";

export type Language = "en" | "zh";
export type Messages = Readonly<Record<string, string>>;
export type Catalogue = Readonly<Record<Language, Messages>>;

/// t("key", {name: value}): the sentence of that key with {name} filled in.
export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

export const shell_messages: Catalogue = { en: shell_en, zh: shell_zh };

/// The words of all catalogues in one language. A missing key is a bug, and is shown as itself.
export function translator(language: Language, ...catalogues: Catalogue[]): Translate {
  const words = new Map<string, string>();
  for (const catalogue of [shell_messages, ...catalogues]) {
    for (const [key, text] of Object.entries(catalogue[language])) words.set(key, text);
  }
  return (key, values = {}) => {
    const text = words.get(key);
    if (text === undefined) {
      console.error(`no words for "${key}"`);
      return key;
    }
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
  };
}

/// "1, 2 and 3", or "1、2 和 3".
export function listed(language: Language, items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? "";
  const head = items.slice(0, -1).join(language === "zh" ? "、" : ", ");
  return head + (language === "zh" ? " 和 " : " and ") + (items[items.length - 1] ?? "");
}
