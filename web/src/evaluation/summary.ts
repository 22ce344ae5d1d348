import { h, type Child } from "../shell/dom";
import { is_estimate, type MaybeEstimate } from "../shell/estimate";
import { count, exact, figure, percent } from "../shell/format";
import { listed } from "../shell/i18n";
import type { Section } from "../shell/page";
import { undefined_mark } from "../shell/table";
import { fairness_score } from "./document";
import { name_of, result_at, word, type View } from "./view";

const words_of: Readonly<Record<string, ReadonlySet<string>>> = {
  mode: new Set(["grid", "select", "fixed"]),
  kind: new Set(["counts", "records"]),
  noise: new Set(["laplace", "geometric", "gaussian", "discrete-gaussian", "discrete-laplace"]),
  neighbours: new Set(["add-remove", "replace-one"]),
  unit: new Set(["row", "person"]),
};

function tile(name: string, value: Child, more: Child = null): HTMLElement {
  return h("div", { class: "tile" }, h("dt", {}, name), h("dd", {}, h("span", { class: "tile-value" }, value), more ? h("span", { class: "tile-more" }, more) : null));
}

function estimate_tile(view: View, name: string, value: MaybeEstimate, reason: string, text = figure): HTMLElement {
  if (!is_estimate(value)) return tile(name, undefined_mark(view.context, reason));
  return tile(name, text(value.mean), `${text(value.low)} – ${text(value.high)}`);
}

function headline_tiles(view: View): HTMLElement | null {
  const { t, document } = view;
  const epsilon = document.recommendation?.epsilon;
  const result = typeof epsilon === "number" ? result_at(view, epsilon) : undefined;
  if (!result) return null;
  const models = Object.values(result.utility.models ?? {});
  const best = models
    .map(({ accuracy }) => accuracy)
    .filter(is_estimate)
    .sort((a, b) => b.mean - a.mean)[0];
  const raw = Object.values(document.baselines?.unprotected?.models ?? {})
    .map(({ accuracy }) => accuracy)
    .filter((value): value is number => typeof value === "number")
    .sort((a, b) => b - a)[0];
  const has_fairness = (document.setting.protected ?? []).length > 0 && typeof document.setting.target === "string";
  return h(
    "dl",
    { class: "tiles" },
    tile(t("summary.win_rate"), is_estimate(result.win_rate) ? percent(result.win_rate.mean) : undefined_mark(view.context, t("reason.not_measured")),
      is_estimate(result.win_rate) ? `${percent(result.win_rate.low)} – ${percent(result.win_rate.high)}` : null),
    estimate_tile(view, t("integrated"), result.score, t("reason.score")),
    estimate_tile(view, t("privacy"), result.privacy.score, t("reason.score")),
    estimate_tile(view, t("utility"), result.utility.score, t("reason.score")),
    has_fairness ? estimate_tile(view, t("fairness"), fairness_score(result.fairness), t("reason.fairness_score")) : null,
    estimate_tile(view, t("summary.tvd"), result.tvd, t("reason.not_measured")),
    best
      ? tile(t("summary.accuracy"), percent(best.mean), raw === undefined ? null : t("summary.accuracy_raw", { raw: percent(raw) }))
      : null,
    estimate_tile(view, t("attacks.linkage"), result.privacy.linkage, t("reason.not_measured"), percent),
  );
}

/// The recommendation of the document in plain words.
function verdict(view: View): HTMLElement {
  const { t, document, context } = view;
  const recommendation = document.recommendation;
  if (!recommendation || typeof recommendation.epsilon !== "number") {
    const text = view.results.length > 0 ? "recommend.none" : "summary.compare";
    return h("div", { class: "answer", id: "recommendation" }, h("p", {}, t(text)));
  }
  const { epsilon, k, win_rate, clear, candidates } = recommendation;
  const rate = result_at(view, epsilon)?.win_rate;
  const values = {
    epsilon: name_of(view, typeof k === "number" ? { epsilon, k } : epsilon),
    rate: typeof win_rate === "number" ? percent(win_rate) : t("shell.undefined"),
    low: is_estimate(rate) ? percent(rate.low) : t("shell.undefined"),
    high: is_estimate(rate) ? percent(rate.high) : t("shell.undefined"),
    candidates: listed(context.language, candidates.map((one) => name_of(view, one))),
  };
  const [big, text] = clear
    ? [t("summary.recommended", values), t("recommend.clear", values)]
    : [t("summary.unclear", values), t("recommend.unclear", values)];
  return h("div", { class: clear ? "answer clear" : "answer", id: "recommendation" }, h("p", { class: "answer-big" }, big), h("p", {}, text));
}

/// What was asked of every release, and the smallest epsilon that gives it.
function required(view: View): HTMLElement | null {
  const { t, document, context } = view;
  const requirements = document.requirements;
  if (!requirements) return null;
  const named = (epsilon: number | null | undefined, k: number | null | undefined) =>
    typeof epsilon === "number" ? name_of(view, typeof k === "number" ? { epsilon, k } : epsilon) : null;
  const values = {
    asked: listed(context.language, requirements.asked),
    certainty: percent(requirements.certainty),
    epsilon: named(requirements.epsilon, requirements.k) ?? "",
    share: typeof requirements.share === "number" ? percent(requirements.share) : t("shell.undefined"),
    at_least: typeof requirements.share_at_least === "number" ? percent(requirements.share_at_least) : t("shell.undefined"),
  };
  const met = typeof requirements.epsilon === "number";
  const lines = met
    ? [t("required.met", values), requirements.smallest_tried ? t("required.smallest") : ""]
    : (requirements.unmet ?? []).map(({ requirement, epsilon, k, value, share, lost_at, lost_share }) =>
        t(typeof lost_at === "number" ? "required.lost" : "required.closest", {
          requirement,
          lost_at: exact(lost_at ?? 0),
          lost_share: percent(lost_share ?? 0),
          epsilon: named(epsilon, k) ?? t("shell.undefined"),
          value: typeof value === "number" ? figure(value) : t("shell.undefined"),
          share: typeof share === "number" ? percent(share) : t("shell.undefined"),
        }),
      );
  return h(
    "div",
    { class: met ? "answer clear" : "answer", id: "requirements" },
    h("p", { class: "answer-big" }, t(met ? "required.big" : "required.none", values)),
    lines.filter((line) => line !== "").map((line) => h("p", {}, line)),
  );
}

/// What the thesis advises for the scenario, and what came of it here.
function advised(view: View): HTMLElement | null {
  const { t, document } = view;
  const scenario = document.scenario;
  if (!scenario) return null;
  const lines = scenario.advice.map(({ source, epsilon, tried, won, above_ceiling }) => {
    const from = t(source === "Table 4.7" ? "advice.table" : "advice.list");
    const values = { epsilon: exact(epsilon), source: from, share: percent(won ?? 0) };
    return `${t(tried ? "advice.won" : "advice.not_tried", values)}${above_ceiling ? ` ${t("advice.above")}` : ""}`;
  });
  const ceiling = typeof scenario.ceiling === "number"
    ? t("advice.ceiling", { profile: t(`scenario.${scenario.name}`), ceiling: exact(scenario.ceiling) })
    : null;
  return h(
    "div",
    { class: "card", id: "scenario" },
    h("h3", {}, t("advice.title", { scenario: t(`scenario.${scenario.name}`) })),
    h("ul", {}, lines.map((line) => h("li", {}, line))),
    ceiling ? h("p", { class: "note" }, ceiling) : null,
  );
}

function warned(view: View): HTMLElement | null {
  const warnings = view.document.warnings ?? [];
  if (warnings.length === 0) return null;
  return h(
    "div",
    { class: "card warnings", id: "warnings" },
    h("h3", {}, view.t("warnings.title")),
    h("ul", {}, warnings.map(({ message }) => h("li", {}, message))),
  );
}

/// What was measured, in sentences that need no knowledge of the method.
function in_words(view: View): HTMLElement[] {
  const { t, document, context } = view;
  const { setting } = document;
  const language = context.language;
  const sentences = [
    t(view.results.length > 0 ? "words.table" : "words.compared_table", { file: setting.file, rows: count(setting.rows), quasi: listed(language, setting.quasi), k: setting.k }),
    view.results.length > 0
      ? t("words.sweep", { epsilons: listed(language, view.epsilons.map(exact)), repetitions: count(setting.repetitions ?? 0) })
      : "",
    setting.target
      ? t("words.target", { target: setting.target, positive: setting.positive ?? "", rows: count(setting.test_rows ?? 0) })
      : t("words.no_target"),
    (setting.protected ?? []).length > 0 && setting.target
      ? t("words.protected", { columns: listed(language, setting.protected ?? []) })
      : t("words.no_protected"),
    setting.as_published ? t("words.as_published") : "",
  ];
  return sentences.filter((sentence) => sentence !== "").map((sentence) => h("p", {}, sentence));
}

function setting_list(view: View): HTMLElement {
  const { context, t, document } = view;
  const { setting } = document;
  const named = (kind: string, value: string | null | undefined) =>
    value ? word(t, words_of[kind] ?? new Set(), kind, value) : null;
  const weights = Object.entries(setting.weights ?? {})
    .map(([name, value]) => `${word(t, new Set(["privacy", "utility", "fairness"]), "weighting", name)} ${exact(value)}`)
    .join(", ");
  const levels = Object.entries(setting.levels ?? {}).map(([name, level]) => `${name} ${level}`).join(", ");
  const rows: [string, string | null][] = [
    [t("setting.file"), setting.file],
    [t("setting.rows"), count(setting.rows)],
    [t("setting.quasi"), setting.quasi.join(", ")],
    [t("setting.levels"), setting.levels ? levels : setting.mode ? t("setting.levels_selected") : null],
    ["k", (setting.ks ?? [setting.k]).map(exact).join(", ")],
    [t("setting.mode"), named("mode", setting.mode)],
    [t("setting.kind"), named("kind", setting.kind)],
    [t("setting.noise"), named("noise", setting.noise)],
    [t("setting.noise_scale"), typeof setting.noise_scale === "number" ? exact(setting.noise_scale) : null],
    [t("setting.neighbours"), named("neighbours", setting.neighbours)],
    [t("setting.unit"), named("unit", setting.unit)],
    [t("setting.delta"), typeof setting.delta === "number" ? exact(setting.delta) : null],
    [t("setting.cells"), typeof setting.cells === "number" ? count(setting.cells) : null],
    [t("setting.target"), setting.target ? `${setting.target} = ${setting.positive ?? ""}` : t("shell.none")],
    [t("setting.protected"), (setting.protected ?? []).join(", ") || t("shell.none")],
    [t("setting.minimum_group"), typeof setting.minimum_group === "number" ? count(setting.minimum_group) : null],
    [t("setting.repetitions"), typeof setting.repetitions === "number" ? count(setting.repetitions) : null],
    [t("setting.seed"), typeof setting.seed === "number" ? String(setting.seed) : null],
    [t("setting.weights"), weights || null],
    [t("setting.as_published"), typeof setting.as_published === "boolean" ? t(setting.as_published ? "shell.yes" : "shell.no") : null],
  ];
  return h(
    "details",
    { class: "card setting", open: context.printing },
    h("summary", {}, t("setting.title")),
    h("dl", { class: "setting-list" }, rows.filter(([, value]) => value !== null).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
  );
}

export function summary_section(view: View): Section {
  const { t } = view;
  const tiles = headline_tiles(view);
  return {
    id: "summary",
    title: t("summary.title"),
    body: [
      verdict(view),
      required(view),
      advised(view),
      warned(view),
      tiles ? h("p", { class: "note" }, t("summary.at", { epsilon: exact(view.document.recommendation?.epsilon ?? 0) })) : null,
      tiles,
      h("div", { class: "prose" }, in_words(view)),
      setting_list(view),
    ],
  };
}
