import type { ReportKind } from "../shell/app";
import type { Context } from "../shell/context";
import { h } from "../shell/dom";
import { count, exact, percent, tick_percent } from "../shell/format";
import type { Section } from "../shell/page";
import { table } from "../shell/table";
import type { Cell, Column } from "../shell/table_data";
import {
  distinct_chart, entropy_chart, guess_chart, likely_chart, stays_chart, words_distinct_chart, words_stay_chart,
} from "./charts";
import { cliff, guess_of, ordered, outputs_are_distinct, words_of, type Result, type Spread, type TextDocument } from "./document";
import { text_en } from "./messages_en";
import { text_zh } from "./messages_zh";

/// A column of the overview, and what it holds of a result. One that holds nothing anywhere is left out.
interface Part {
  readonly column: Column;
  readonly of: (result: Result) => Cell;
}

/// A mean; with its interval where words were drawn.
function mean_cell({ mean, low, high }: Spread): Cell {
  return low !== undefined && high !== undefined ? { mean, low, high } : mean;
}

function overview_table(context: Context, document: TextDocument, results: readonly Result[]): HTMLElement {
  const { t } = context;
  const figure = document.exact ? "figure" : "estimate";
  const percentage = document.exact ? "percent" : "estimate-percent";
  const parts: Part[] = [
    { column: { key: "epsilon", label: t("epsilon"), kind: "exact" }, of: ({ epsilon }) => epsilon },
    { column: { key: "stays", label: t("short.stays"), kind: percentage }, of: ({ N }) => mean_cell(N) },
    { column: { key: "stays_q05", label: t("short.stays_q05"), kind: "percent" }, of: ({ N }) => N.q05 },
    { column: { key: "stays_q95", label: t("short.stays_q95"), kind: "percent" }, of: ({ N }) => N.q95 },
    { column: { key: "outputs", label: t("short.outputs"), kind: figure }, of: ({ S }) => mean_cell(S) },
    { column: { key: "inputs", label: t("short.inputs"), kind: figure }, of: ({ S_star }) => mean_cell(S_star) },
    { column: { key: "distinct", label: t("short.distinct"), kind: figure }, of: ({ distinct }) => mean_cell(distinct) },
    { column: { key: "entropy", label: t("short.entropy"), kind: figure }, of: ({ entropy }) => mean_cell(entropy) },
    { column: { key: "guess_uniform", label: t("short.uniform"), kind: percentage }, of: ({ bayes }) => guess_of(bayes, "uniform") },
    { column: { key: "guess_prior", label: t("short.prior"), kind: percentage }, of: ({ bayes }) => guess_of(bayes, "prior") },
  ];
  const known = parts.filter(({ of }) => results.some((result) => of(result) !== null));
  return table(context, {
    id: "overview",
    title: t("overview.table"),
    note: t(document.exact ? "overview.note" : "overview.note_sampled", {
      runs: count(document.runs), chance: tick_percent(document.eta), words: count(document.sampled_words ?? 0),
      draws: count(document.draws ?? 0),
    }),
    data: { columns: known.map(({ column }) => column), rows: results.map((result) => known.map(({ of }) => of(result))) },
  });
}

/// The whole page in one sentence.
function in_one_sentence(context: Context, results: readonly Result[]): string {
  const { t } = context;
  const first = results[0];
  const last = results[results.length - 1];
  if (!first || !last) return t("overview.nothing");
  const at = (result: Result) => ({ epsilon: exact(result.epsilon), stays: percent(result.N.mean) });
  if (first === last) return t("overview.one", at(first));
  const from_to = {
    low: exact(first.epsilon), first: percent(first.N.mean), high: exact(last.epsilon), last: percent(last.N.mean),
  };
  const steep = cliff(results);
  if (!steep || results.length < 3) return t("overview.two", from_to);
  const [from, to] = steep;
  return t("overview.many", {
    ...from_to, from: exact(from.epsilon), before: percent(from.N.mean), to: exact(to.epsilon), after: percent(to.N.mean),
  });
}

function overview_section(context: Context, document: TextDocument, results: readonly Result[]): Section {
  const { t } = context;
  const guessed = results.some(({ bayes }) => bayes.uniform !== null);
  const remarks = [
    document.exact ? null : t("overview.sampled", { words: count(document.sampled_words ?? 0), draws: count(document.draws ?? 0) }),
    document.exact ? null : t(guessed ? "overview.guessed" : "overview.not_guessed"),
    document.as_published ? t("overview.as_published") : null,
    results.length === 1 ? t("overview.no_curves") : null,
  ].filter((remark) => remark !== null);
  return {
    id: "overview",
    title: t("overview.title"),
    lead: in_one_sentence(context, results),
    body: [remarks.map((remark) => h("p", { class: "prose" }, remark)), overview_table(context, document, results)],
  };
}

/// The words that were asked for at the only epsilon there is.
function words_table(context: Context, { words }: Result): HTMLElement {
  const { t } = context;
  const all = Object.entries(words);
  const has_inputs = all.some(([, { S_star }]) => S_star !== null);
  return table(context, {
    id: "words",
    title: t("words.table"),
    data: {
      columns: [
        { key: "word", label: t("words.word"), kind: "text" },
        { key: "stays", label: t("short.stays"), kind: "percent" },
        { key: "outputs", label: t("short.outputs"), kind: "figure" },
        ...(has_inputs ? [{ key: "inputs", label: t("short.inputs"), kind: "figure" } as const] : []),
        { key: "distinct", label: t("short.distinct"), kind: "figure" },
        { key: "entropy", label: t("short.entropy"), kind: "figure" },
      ],
      rows: all.map(([word, { N, S, S_star, distinct, entropy }]) => [
        word, N, S, ...(has_inputs ? [S_star] : []), distinct, entropy,
      ]),
    },
  });
}

function reading_section(context: Context, document: TextDocument, results: readonly Result[]): Section {
  const { t } = context;
  const values = { chance: tick_percent(document.eta), runs: count(document.runs), vocabulary: count(document.vocabulary) };
  const guessed = results.some(({ bayes }) => bayes.uniform !== null);
  const keys = [
    "stays", "outputs", "inputs", "distinct", "entropy", ...(guessed ? ["guess"] : []), "cliff", "vectors", "limits",
  ];
  return {
    id: "reading",
    title: t("reading.title"),
    lead: t("reading.lead"),
    body: h(
      "div",
      { class: "prose" },
      keys.map((key) => [h("h3", {}, t(`reading.${key}.name`)), h("p", {}, t(`reading.${key}`, values))]),
    ),
  };
}

/// The curves, which need more than one epsilon.
function curve_sections(context: Context, document: TextDocument, results: readonly Result[]): Section[] {
  const { t } = context;
  const same = outputs_are_distinct(document);
  const sections: Section[] = [
    { id: "stays", title: t("stays.title"), lead: t("stays.lead"), body: stays_chart(context, results).element },
    {
      id: "variety",
      title: t("variety.title"),
      lead: t("variety.lead"),
      body: [
        distinct_chart(context, results, document.runs, same).element,
        same ? null : likely_chart(context, results, document.eta).element,
        entropy_chart(context, results).element,
      ],
    },
  ];
  if (results.some(({ bayes }) => bayes.uniform !== null)) {
    sections.push({ id: "guess", title: t("guess.title"), lead: t("guess.lead"), body: guess_chart(context, results).element });
  }
  return sections;
}

function words_section(context: Context, document: TextDocument, results: readonly Result[]): Section[] {
  const { t } = context;
  const [first] = results;
  if (!first || words_of(results).length === 0) return [];
  const charts = () => [words_stay_chart(context, results), words_distinct_chart(context, results, document.runs)];
  const body = results.length === 1
    ? words_table(context, first)
    : h("div", { class: "pair" }, charts().map(({ element }) => element));
  return [{ id: "words", title: t("words.title"), lead: t("words.lead"), body }];
}

/// The report of `gauze text stats`.
export const text: ReportKind = {
  matches: (document) =>
    typeof document === "object" && document !== null && "kind" in document && document.kind === "text-statistics",
  file_stem: "gauze-text",
  messages: [{ en: text_en, zh: text_zh }],
  build: (context, value) => {
    const document = value as TextDocument;
    const { t } = context;
    const results = ordered(document.results);
    return {
      title: t("title"),
      subtitle: t("title.of", {
        mechanism: document.mechanism, words: count(document.vocabulary), dimensions: count(document.dimensions),
        vectors: document.vectors.slice(0, 12),
      }),
      marking: null,
      sections: [
        overview_section(context, document, results),
        ...(results.length > 1 ? curve_sections(context, document, results) : []),
        ...words_section(context, document, results),
        reading_section(context, document, results),
      ],
    };
  },
};
