import type { Context } from "./context";
import { h, replace_children } from "./dom";
import { with_infinities } from "./estimate";
import { use_language } from "./format";
import { translator, type Catalogue } from "./i18n";
import { dark, light } from "./look";
import { go_to, page, type Report } from "./page";
import { parse_settings, settings_hash, type Settings } from "./settings";

/// A kind of document that a report can be made of.
export interface ReportKind {
  readonly matches: (document: unknown) => boolean;
  readonly file_stem: string;
  readonly messages: readonly Catalogue[];
  readonly build: (context: Context, document: unknown) => Report;
}

/// Shows the document in the page, and shows it anew when language, colours or medium change.
class App {
  private readonly memory = new Map<string, unknown>();
  private readonly dark_screen = window.matchMedia("(prefers-color-scheme: dark)");
  private readonly printer = window.matchMedia("print");
  private readonly print_style = h("style", {});
  private closing: (() => void)[] = [];
  private settings: Settings;
  private printing = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly json: string,
    private readonly document: unknown,
    private readonly kind: ReportKind | undefined,
  ) {
    this.settings = this.read_settings();
    document_head().append(this.print_style);
    this.dark_screen.addEventListener("change", () => this.show());
    this.printer.addEventListener("change", () => this.print_mode(this.printer.matches));
    window.addEventListener("beforeprint", () => this.print_mode(true));
    window.addEventListener("afterprint", () => this.print_mode(false));
    window.addEventListener("hashchange", () => this.follow_address());
  }

  /// Paper is light and of one width, whatever the screen is.
  private print_mode(printing: boolean): void {
    if (this.printing === printing) return;
    this.printing = printing;
    this.show();
  }

  private read_settings(): Settings {
    return parse_settings(window.location.hash, window.navigator.language);
  }

  private follow_address(): void {
    const old = this.settings;
    this.settings = this.read_settings();
    if (old.language !== this.settings.language || old.theme !== this.settings.theme) this.show();
    if (this.settings.at !== "") go_to(this.settings.at);
  }

  private change(settings: Settings): void {
    const focused = document.activeElement?.getAttribute("data-value");
    this.settings = settings;
    window.history.replaceState(null, "", settings_hash(settings));
    this.show();
    if (focused) this.root.querySelector<HTMLElement>(`.toolbar [data-value="${CSS.escape(focused)}"]`)?.focus();
  }

  show(): void {
    for (const action of this.closing.splice(0)) action();
    const { printing } = this;
    const { theme, language } = this.settings;
    const is_dark = !printing && (theme === "dark" || (theme === "auto" && this.dark_screen.matches));
    document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
    document.documentElement.dataset.theme = is_dark ? "dark" : "light";
    use_language(language);
    const context: Context = {
      t: translator(language, ...(this.kind?.messages ?? [])),
      language,
      look: is_dark ? dark : light,
      printing,
      file_stem: this.kind?.file_stem ?? "gauze",
      memory: this.memory,
      on_close: (action) => this.closing.push(action),
    };
    if (!this.kind) {
      replace_children(this.root, h("main", { class: "empty" }, h("p", {}, context.t("shell.empty"))));
      return;
    }
    const at = window.scrollY;
    const report = this.kind.build(context, this.document);
    document.title = report.title;
    this.mark_printed_pages(report);
    replace_children(this.root, page(context, this.settings, report, this.json, (next) => this.change(next)));
    if (!printing) window.scrollTo(0, at);
  }

  /// The marking stands on every printed page.
  private mark_printed_pages({ marking }: Report): void {
    const text = marking ? JSON.stringify(`${marking.word} · ${marking.text}`) : '""';
    this.print_style.textContent = `@page { @top-center { content: ${text}; font: 600 8pt sans-serif; color: #9c2b12; } }`;
  }

  first_show(): void {
    this.show();
    if (this.settings.at !== "") go_to(this.settings.at);
  }
}

function document_head(): HTMLHeadElement {
  return window.document.head;
}

export function run(kinds: readonly ReportKind[]): void {
  const root = window.document.getElementById("gauze-page");
  if (!root) return;
  const json = window.document.getElementById("gauze-document")?.textContent ?? "null";
  const shown = with_infinities(JSON.parse(json));
  new App(root, json, shown, kinds.find(({ matches }) => matches(shown))).first_show();
}
