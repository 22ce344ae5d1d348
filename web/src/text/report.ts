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
import { cliff, ordered, outputs_are_distinct, words_of, type Result, type Spread, type TextDocument } from "./document";
import { text_en } from "./messages_en";
import { text_zh } from "./messages_zh";

/// A column of the overview, and what it holds of a result. One that holds nothing anywhere is left out.
interface Part {
  readonly column: Column;
  readonly of: (result: Result) => Cell;
}

/// The mean of N; with its interval where words were drawn.
function mean_stays({ mean, low, high }: Spread): Cell {
  return low !== undefined && high !== undefined ? { mean, low, high } : mean;
}

function overview_table(context: Context, document: TextDocument, results: readonly Result[]): HTMLElement {
  const { t } = context;
  const parts: Part[] = [
    { column: { key: "epsilon", label: t("epsilon"), kind: "exact" }, of: ({ epsilon }) => epsilon },
    {
      column: { key: "stays", label: t("short.stays"), kind: document.exact ? "percent" : "estimate-percent" },
      of: ({ N }) => mean_stays(N),
    },
    { column: { key: "stays_q05", label: t("short.stays_q05"), kind: "percent" }, of: ({ N }) => N.q05 },
    { column: { key: "stays_q95", label: t("short.stays_q95"), kind: "percent" }, of: ({ N }) => N.q95 },
    { column: { key: "outputs", label: t("short.outputs"), kind: "figure" }, of: ({ S }) => S.mean },
    { column: { key: "inputs", label: t("short.inputs"), kind: "figure" }, of: ({ S_star }) => S_star?.mean ?? null },
    { column: { key: "distinct", label: t("short.distinct"), kind: "figure" }, of: ({ distinct }) => distinct.mean },
    { column: { key: "entropy", label: t("short.entropy"), kind: "figure" }, of: ({ entropy }) => entropy?.mean ?? null },
    { column: { key: "guess_uniform", label: t("short.uniform"), kind: "percent" }, of: ({ bayes }) => bayes.uniform },
    { column: { key: "guess_prior", label: t("short.prior"), kind: "percent" }, of: ({ bayes }) => bayes.prior },
  ];
  const known = parts.filter(({ of }) => results.some((result) => of(result) !== null));
  return table(context, {
    id: "overview",
    title: t("overview.table"),
    note: t(document.exact ? "overview.note" : "overview.note_sampled", {
      runs: count(document.runs), chance: tick_percent(document.eta), words: count(document.sampled_words ?? 0),
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
  const remarks = [
    document.exact ? null : t("overview.sampled", { words: count(document.sampled_words ?? 0), runs: count(document.runs) }),
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
  const has_entropy = all.some(([, { entropy }]) => entropy !== null);
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
        ...(has_entropy ? [{ key: "entropy", label: t("short.entropy"), kind: "figure" } as const] : []),
      ],
      rows: all.map(([word, { N, S, S_star, distinct, entropy }]) => [
        word, N, S, ...(has_inputs ? [S_star] : []), distinct, ...(has_entropy ? [entropy] : []),
      ]),
    },
  });
}

function reading_section(context: Context, document: TextDocument, results: readonly Result[]): Section {
  const { t } = context;
  const values = { chance: tick_percent(document.eta), runs: count(document.runs), vocabulary: count(document.vocabulary) };
  const guessed = results.some(({ bayes }) => bayes.uniform !== null);
  const keys = [
    "stays", "outputs", ...(document.exact ? ["inputs"] : []), "distinct", ...(document.exact ? ["entropy"] : []),
    ...(guessed ? ["guess"] : []), "cliff", "vectors", "limits",
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
        results.some(({ entropy }) => entropy !== null) ? entropy_chart(context, results).element : null,
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
