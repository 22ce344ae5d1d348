import { remembered } from "../shell/context";
import { h, replace_children, type Child } from "../shell/dom";
import { download } from "../shell/download";
import { exact, percent } from "../shell/format";
import { listed } from "../shell/i18n";
import type { Section } from "../shell/page";
import { paint_png } from "../shell/picture";
import { csv_button, table } from "../shell/table";
import type { Cell, TableData } from "../shell/table_data";
import type { Draws, EpsilonResult } from "./document";
import { pareto_chart } from "./pareto";
import { epsilon_color, sliders, triangle } from "./triangle";
import { word, type View } from "./view";
import { available_criteria, choose, normalise, regions, with_weight, type Choice, type Weights } from "./weights";

/// Which epsilon, for which weights: the part of the report that a reader plays with.

const known_weightings: ReadonlySet<string> = new Set(["balanced", "privacy", "utility", "fairness"]);

/// The recommendation at the weights of the moment: what it is, and how sure.
function recommendation_words(view: View, choice: Choice): Child {
  const { t, context } = view;
  const { winner } = choice;
  if (!winner) return t("recommend.none");
  const values = {
    epsilon: exact(winner.epsilon),
    rate: percent(winner.rate.mean),
    low: percent(winner.rate.low),
    high: percent(winner.rate.high),
    candidates: listed(context.language, choice.candidates.map(exact)),
  };
  const [big, text] = choice.clear ? ["summary.recommended", "recommend.clear"] : ["summary.unclear", "recommend.unclear"];
  return [h("strong", {}, t(big ?? "", values)), " ", t(text ?? "", values)];
}

function win_rate_bars(view: View, choice: Choice): HTMLElement {
  const { t, context, epsilons } = view;
  const rows = choice.rankings.map(({ epsilon, rate }, i) => {
    const bar = h("span", { class: "bar" });
    bar.style.width = `${rate.mean * 100}%`;
    bar.style.background = epsilon_color(context.look, epsilons, i);
    const whisker = h("span", { class: "whisker" });
    whisker.style.left = `${rate.low * 100}%`;
    whisker.style.width = `${(rate.high - rate.low) * 100}%`;
    const best = epsilon === choice.winner?.epsilon;
    return h(
      "tr",
      { class: best ? "best" : "", "data-epsilon": epsilon },
      h("th", { scope: "row" }, exact(epsilon)),
      h("td", { class: "bar-cell" }, h("span", { class: "bar-track", "aria-hidden": "true" }, bar, whisker)),
      h("td", { class: "number" }, percent(rate.mean), " ", h("span", { class: "interval" }, `(${percent(rate.low)} – ${percent(rate.high)})`)),
    );
  });
  return h(
    "table",
    { class: "bars" },
    h("caption", { class: "hidden" }, t("triangle.rates")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "ε"), h("th", { scope: "col", colspan: 2 }, t("triangle.rates")))),
    h("tbody", {}, rows),
  );
}

/// The draws of these results, in their order.
function ordered_draws(view: View, draws: Draws, results: readonly EpsilonResult[]): Draws {
  const order = results.map((result) => view.all.indexOf(result));
  const pick = (scores: Draws["privacy"]) => order.map((i) => scores[i] ?? []);
  return {
    privacy: pick(draws.privacy),
    utility: pick(draws.utility),
    fairness: draws.fairness ? pick(draws.fairness) : null,
  };
}

function triangle_card(view: View, raw: Draws): HTMLElement {
  const { t, context, document } = view;
  // What lies above the ceiling of a scenario cannot win.
  const allowed = view.results.filter(({ above_ceiling }) => !above_ceiling);
  const epsilons = allowed.map(({ epsilon }) => epsilon);
  const draws = ordered_draws(view, raw, allowed);
  const available = available_criteria(draws);
  const given = normalise(document.setting.weights ?? {}, available);
  let weights = remembered(context, "weights", given);
  const verdict = h("p", { class: "verdict", role: "status", "aria-live": "polite" });
  const bars = h("div", {});
  let choice = choose(epsilons, draws, weights);

  const show = (next: Weights) => {
    weights = next;
    context.memory.set("weights", next);
    choice = choose(epsilons, draws, next);
    replace_children(verdict, recommendation_words(view, choice));
    verdict.dataset.epsilon = choice.winner ? String(choice.winner.epsilon) : "";
    verdict.classList.toggle("clear", choice.clear);
    replace_children(bars, win_rate_bars(view, choice));
  };
  const picture = triangle({
    t, look: context.look, epsilons, draws, start: weights,
    change: (next) => {
      levers.move_to(next);
      show(next);
    },
  });
  const move = (next: Weights) => {
    levers.move_to(next);
    picture.move_to(next);
    show(next);
  };
  const levers = sliders(t, available, weights, (name, value) => move(with_weight(weights, name, value, available)));
  show(weights);

  const title = t(available.length === 3 ? "triangle.chart" : "triangle.line");
  const rates = (): TableData => ({
    columns: [
      { key: "epsilon", label: t("epsilon"), kind: "exact" },
      { key: "win_rate", label: t("triangle.rates"), kind: "estimate-percent" },
      ...available.map((name) => ({ key: `weight_${name}`, label: t(name), kind: "figure" }) as const),
    ],
    rows: choice.rankings.map(({ epsilon, rate }) => [epsilon, rate, ...available.map((name) => weights[name])]),
  });
  const corners = (): TableData => ({
    columns: [
      { key: "epsilon", label: t("epsilon"), kind: "exact" },
      ...available.map((name) => ({ key: `weight_${name}`, label: t(name), kind: "figure" }) as const),
    ],
    rows: regions(epsilons, draws).flatMap(({ epsilon, corners: own }) =>
      own.map((corner): Cell[] => [epsilon, ...available.map((name) => corner[name])]),
    ),
  });
  const save_png = async () => {
    const legend = epsilons.map((epsilon, i) => ({
      name: `ε ${exact(epsilon)}`, color: epsilon_color(context.look, epsilons, i), shape: "box" as const,
    }));
    const png = await paint_png(context.look, title, picture.element, picture.size, legend);
    download(`${context.file_stem}-weights.png`, png);
  };
  const equal = normalise(Object.fromEntries(available.map((name) => [name, 1])), available);
  return h(
    "figure",
    { class: "card", id: "chart-weights" },
    h(
      "figcaption",
      {},
      h("h3", {}, title),
      h(
        "div",
        { class: "tools" },
        csv_button(context, "win-rates", t("triangle.rates"), rates, t("triangle.rates_csv")),
        csv_button(context, "weight-regions", t("triangle.regions"), corners, t("triangle.regions_csv")),
        h("button", {
          type: "button", class: "quiet", "data-download": "weights.png",
          "aria-label": t("shell.download_png_of", { title }), click: () => void save_png(),
        }, t("shell.download_png")),
      ),
    ),
    h(
      "div",
      { class: "weighing" },
      h("div", {}, picture.element, h("p", { class: "note" }, t("triangle.help"))),
      h(
        "div",
        {},
        levers.element,
        h(
          "div",
          { class: "presets" },
          h("button", { type: "button", class: "quiet", click: () => move(given) }, t("triangle.given")),
          h("button", { type: "button", class: "quiet", click: () => move(equal) }, t("triangle.equal")),
        ),
        verdict,
        bars,
      ),
    ),
    h("p", { class: "note" }, t("triangle.note")),
  );
}

function weight_space_table(view: View): HTMLElement | null {
  const { t, context, document, epsilons } = view;
  const { weight_space, weight_space_intervals } = document.recommendation ?? {};
  if (!weight_space) return null;
  const by_number = <T>(all: Readonly<Record<string, T>> | null | undefined) =>
    new Map(Object.entries(all ?? {}).flatMap(([key, value]): [number, T][] => {
      const [k, epsilon] = key.includes("/") ? key.split("/") : [null, key];
      return k === null || Number(k) === document.recommendation?.k ? [[Number(epsilon), value]] : [];
    }));
  const shares = by_number(weight_space);
  const intervals = by_number(weight_space_intervals);
  return table(context, {
    id: "weight-space",
    title: t("space.table"),
    note: t("space.note"),
    data: {
      columns: [
        { key: "epsilon", label: t("epsilon"), kind: "exact" },
        { key: "share", label: t("space.share"), kind: "estimate-percent", reason: t("reason.not_measured") },
      ],
      rows: epsilons.map((epsilon) => [epsilon, intervals.get(epsilon) ?? shares.get(epsilon)]),
    },
  });
}

function weightings_table(view: View): HTMLElement | null {
  const { t, context, document } = view;
  const several = typeof document.recommendation?.k === "number";
  const rows = Object.entries(document.recommendation?.by_weighting ?? {}).map(([name, one]): Cell[] => [
    word(t, known_weightings, "weighting", name), ...(several ? [one?.k] : []), one?.epsilon, one?.win_rate, one?.clear,
  ]);
  if (rows.length === 0) return null;
  return table(context, {
    id: "weightings",
    title: t("weightings.table"),
    data: {
      columns: [
        { key: "weighting", label: t("weightings.weighting"), kind: "text" },
        ...(several ? [{ key: "k", label: "k", kind: "exact" } as const] : []),
        { key: "epsilon", label: t("weightings.epsilon"), kind: "exact" },
        { key: "win_rate", label: t("win_rate"), kind: "percent" },
        { key: "clear", label: t("weightings.clear"), kind: "text" },
      ],
      rows,
    },
  });
}

export function weighting_section(view: View): Section | null {
  const { t, document, results } = view;
  if (results.length === 0) return null;
  const tables = [weightings_table(view), weight_space_table(view)];
  return {
    id: "weights",
    title: t("weights.title"),
    lead: t("weights.lead"),
    body: [
      document.draws ? triangle_card(view, document.draws) : null,
      pareto_chart(view).element,
      h("div", { class: "pair" }, tables),
    ],
  };
}
