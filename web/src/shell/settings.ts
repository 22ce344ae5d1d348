import type { Language } from "./i18n";

export type Theme = "auto" | "light" | "dark";

/// What the reader chose, kept in the hash of the address so that a link shows the same page.
export interface Settings {
  readonly language: Language;
  readonly theme: Theme;
  readonly at: string; ///< the section to show, or ""
}

export function parse_settings(hash: string, browser_language: string): Settings {
  const chosen = new URLSearchParams(hash.replace(/^#/, ""));
  const language = chosen.get("lang") ?? (browser_language.toLowerCase().startsWith("zh") ? "zh" : "en");
  const theme = chosen.get("theme");
  return {
    language: language === "zh" ? "zh" : "en",
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    at: (chosen.get("at") ?? "").replace(/[^a-z-]/g, ""),
  };
}

export function settings_hash({ language, theme, at }: Settings): string {
  const chosen = new URLSearchParams({ lang: language });
  if (theme !== "auto") chosen.set("theme", theme);
  if (at !== "") chosen.set("at", at);
  return `#${chosen.toString()}`;
}
