import type { ReportKind } from "../shell/app";
import type { Context } from "../shell/context";
import { h } from "../shell/dom";
import { count, exact } from "../shell/format";
import type { Section } from "../shell/page";
import { table } from "../shell/table";
import { bytes_chart, error_chart } from "./charts";
import { root, type CollectDocument } from "./document";
import { collect_en } from "./messages_en";
import { collect_zh } from "./messages_zh";

function overview_section(context: Context, document: CollectDocument): Section {
  const { t } = context;
  return {
    id: "overview",
    title: t("overview.title"),
    lead: t("overview.lead"),
    body: table(context, {
      id: "overview",
      title: t("overview.table"),
      data: {
        columns: [
          { key: "mechanism", label: t("mechanism"), kind: "text" },
          { key: "error", label: t("error"), kind: "estimate" },
          { key: "theory", label: t("theory"), kind: "figure" },
          { key: "ratio", label: t("ratio"), kind: "figure" },
          { key: "coverage95", label: t("coverage"), kind: "percent" },
          { key: "bytes", label: t("bytes"), kind: "count" },
        ],
        rows: document.results.map(({ mechanism, mse, theory, ratio, coverage95, bytes }) => [
          mechanism, root(mse), Math.sqrt(theory), ratio, coverage95, bytes,
        ]),
      },
    }),
  };
}

/// The report of `gauze collect simulate`.
export const collect: ReportKind = {
  matches: (document) =>
    typeof document === "object" && document !== null && "kind" in document && document.kind === "collect-simulation",
  file_stem: "gauze-collect",
  messages: [{ en: collect_en, zh: collect_zh }],
  build: (context, value) => {
    const document = value as CollectDocument;
    const { t } = context;
    const { task, epsilon, users, repetitions, distribution, question, size } = document;
    return {
      title: t("title"),
      subtitle: t("title.of", {
        task, epsilon: exact(epsilon), users: count(users), repetitions: count(repetitions), distribution,
      }),
      marking: { word: t("internal.word"), text: t("internal.text") },
      sections: [
        {
          id: "errors", title: t("errors.title"), lead: t(`errors.lead.${question}`, { size: count(size ?? 0) }),
          body: error_chart(context, document.results).element,
        },
        { id: "bytes", title: t("bytes.title"), lead: t("bytes.lead"), body: bytes_chart(context, document.results).element },
        overview_section(context, document),
        { id: "reading", title: t("reading.title"), body: h("p", {}, t("reading.text")) },
      ],
    };
  },
};
