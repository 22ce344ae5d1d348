import type { Context } from "./context";
import { segments } from "./controls";
import { h, type Child } from "./dom";
import { download_json } from "./download";
import type { Language } from "./i18n";
import { settings_hash, type Settings, type Theme } from "./settings";

export interface Section {
  readonly id: string; ///< letters and hyphens
  readonly title: string;
  readonly lead?: Child; ///< what the section shows and how to read it
  readonly body: Child;
}

/// A report as the frame shows it.
export interface Report {
  readonly title: string;
  readonly subtitle: string;
  readonly marking: { readonly word: string; readonly text: string } | null;
  readonly sections: readonly Section[];
}

function toolbar(
  context: Context,
  settings: Settings,
  json: string,
  change: (settings: Settings) => void,
): HTMLElement {
  const { t } = context;
  return h(
    "div",
    { class: "toolbar", role: "group", "aria-label": t("shell.controls") },
    segments<Language>(
      t("shell.language"),
      [{ value: "en", label: "English" }, { value: "zh", label: "中文" }],
      settings.language,
      (language) => change({ ...settings, language }),
    ),
    segments<Theme>(
      t("shell.theme"),
      (["auto", "light", "dark"] as const).map((value) => ({ value, label: t(`shell.theme.${value}`) })),
      settings.theme,
      (theme) => change({ ...settings, theme }),
    ),
    h(
      "div",
      { class: "control" },
      h("button", { type: "button", class: "quiet", click: () => window.print() }, t("shell.print")),
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "data-download": "document.json",
          click: () => download_json(context.file_stem, json),
        },
        t("shell.download_json"),
      ),
    ),
  );
}

function contents(context: Context, settings: Settings, sections: readonly Section[]): HTMLElement {
  const links = sections.map(({ id, title }) =>
    h("li", {}, h("a", { href: settings_hash({ ...settings, at: id }), "data-section": id }, title)),
  );
  const name = context.t("shell.contents");
  return h(
    "nav",
    { class: "contents", "aria-label": name },
    h("details", { open: window.innerWidth >= 1100 }, h("summary", {}, name), h("ol", {}, links)),
  );
}

function section_element({ id, title, lead, body }: Section, number: number): HTMLElement {
  return h(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    h(
      "h2",
      { id: `${id}-title`, tabindex: -1 },
      h("span", { class: "section-number", "aria-hidden": "true" }, String(number)),
      title,
    ),
    lead ? h("p", { class: "lead" }, lead) : null,
    body,
  );
}

/// The whole page: marking, title, controls, contents, sections.
export function page(
  context: Context,
  settings: Settings,
  report: Report,
  json: string,
  change: (settings: Settings) => void,
): HTMLElement[] {
  const { t } = context;
  const marking = report.marking;
  return [
    h("a", { class: "skip", href: settings_hash({ ...settings, at: "content" }) }, t("shell.skip")),
    h(
      "header",
      { class: "page-head" },
      marking
        ? h(
            "div",
            { class: "marking", role: "note" },
            h("strong", { class: "marking-word" }, marking.word),
            h("span", {}, marking.text),
          )
        : null,
      h(
        "div",
        { class: "title-row" },
        h("div", {}, h("h1", {}, report.title), h("p", { class: "subtitle" }, report.subtitle)),
        toolbar(context, settings, json, change),
      ),
    ),
    h(
      "div",
      { class: "columns" },
      contents(context, settings, report.sections),
      h("main", { id: "content", tabindex: -1 }, report.sections.map((section, i) => section_element(section, i + 1))),
    ),
    h("footer", {}, marking ? h("strong", {}, `${marking.word} · `) : null, t("shell.made_by")),
  ];
}

/// Brings the section into view and the keyboard to its heading.
export function go_to(id: string): void {
  const target = document.getElementById(`${id}-title`) ?? document.getElementById(id);
  target?.scrollIntoView({ block: "start" });
  target?.focus({ preventScroll: true });
}
