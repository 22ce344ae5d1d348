import type { ReportKind } from "../shell/app";
import { count } from "../shell/format";
import type { Section } from "../shell/page";
import { heat_section } from "./heat";
import { label_messages, label_section } from "../label/label";
import { classes_section } from "./classes";
import { comparison_section } from "./comparison";
import type { EvaluationDocument } from "./document";
import { disparity_section, fairness_section } from "./fairness";
import { evaluation_en } from "./messages_en";
import { evaluation_zh } from "./messages_zh";
import { models_section } from "./models";
import { privacy_section } from "./privacy";
import { scores_section } from "./scores";
import { summary_section } from "./summary";
import { utility_section } from "./utility";
import { view_of } from "./view";
import { weighting_section } from "./weighting";

function is_object(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/// The report of `gauze evaluate` and of `gauze compare`; each section shows itself when the document has its part.
export const evaluation: ReportKind = {
  matches: (document) => is_object(document) && is_object(document.setting) && ("epsilons" in document || "comparison" in document),
  file_stem: "gauze-evaluation",
  messages: [{ en: evaluation_en, zh: evaluation_zh }, label_messages],
  build: (context, value) => {
    const document = value as EvaluationDocument;
    const view = view_of(context, document);
    const { t } = context;
    const sections: (Section | null)[] = [
      summary_section(view),
      label_section(context, document.label),
      heat_section(view),
      scores_section(view),
      weighting_section(view),
      privacy_section(view),
      utility_section(view),
      models_section(view),
      fairness_section(view),
      disparity_section(view),
      classes_section(view),
      comparison_section(view),
    ];
    const { file, rows, k } = document.setting;
    return {
      title: t(view.results.length > 0 ? "title.evaluation" : "title.comparison"),
      subtitle: t("title.of", { file, rows: count(rows), k }),
      marking: document.internal === false ? null : { word: t("internal.word"), text: t("internal.text") },
      sections: sections.filter((section): section is Section => section !== null),
    };
  },
};
