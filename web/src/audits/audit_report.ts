import type { ReportKind } from "../shell/app";
import type { Context } from "../shell/context";
import { h } from "../shell/dom";
import { count } from "../shell/format";
import type { Section } from "../shell/page";
import { table } from "../shell/table";
import { claims_chart } from "./claims_chart";
import { audits_of, of_audit, type Audit, type AuditDocument, type Beside } from "./document";
import { audits_en } from "./messages_en";
import { audits_zh } from "./messages_zh";
import { verdict, warnings_card } from "./verdict";

function named(context: Context, audit: Audit): Beside {
  return of_audit(audit, audit.claim ?? context.t("audit.this"));
}

/// All hold: true; one does not: false; one has no verdict and none is crossed: null.
function all_hold(audits: readonly Audit[]): boolean | null {
  if (audits.some(({ holds }) => holds === false)) return false;
  return audits.length > 0 && audits.every(({ holds }) => holds === true) ? true : null;
}

function events_section(context: Context, audits: readonly Audit[]): Section {
  const { t } = context;
  return {
    id: "events", title: t("events.title"), lead: t("events.lead"),
    body: table(context, {
      id: "audits", title: t("events.table"),
      data: {
        columns: [
          { key: "claim", label: t("claim"), kind: "text" },
          { key: "claimed_epsilon", label: t("claimed"), kind: "figure", reason: t("claims.none") },
          { key: "audited_epsilon_lower", label: t("audited"), kind: "figure", reason: t("reason.no_bound") },
          { key: "delta", label: t("at_delta"), kind: "figure", reason: t("reason.no_bound") },
          { key: "event", label: t("events.event"), kind: "text", reason: t("reason.no_event") },
          { key: "left", label: t("events.left"), kind: "count", reason: t("reason.no_event") },
          { key: "right", label: t("events.right"), kind: "count", reason: t("reason.no_event") },
          { key: "runs", label: t("events.runs"), kind: "count", reason: t("reason.no_event") },
          { key: "reach", label: t("reach"), kind: "figure", reason: t("reason.no_reach") },
          { key: "holds", label: t("events.holds"), kind: "text", reason: t("reason.no_verdict") },
        ],
        rows: audits.map((audit) => {
          const { audited, holds } = audit;
          const row = named(context, audit);
          return [row.name, row.claimed, audited.epsilon_lower, audited.delta, audited.event, audited.left, audited.right, audited.runs, audited.reach, holds];
        }),
      },
    }),
  };
}

function pairs_section(context: Context, document: AuditDocument): Section | null {
  const { t } = context;
  const { pairs } = document;
  if (!pairs || pairs.length === 0) return null;
  return {
    id: "pairs", title: t("pairs.title"), lead: t("pairs.lead"),
    body: table(context, {
      id: "pairs", title: t("pairs.table"),
      data: {
        columns: [{ key: "pair", label: t("pairs.pair"), kind: "text" }, { key: "epsilon_lower", label: t("audited"), kind: "figure" }],
        rows: pairs.map(({ pair, epsilon_lower }) => [pair, epsilon_lower]),
      },
    }),
  };
}

/// The report of every `gauze audit`.
export const audit: ReportKind = {
  matches: (document) => typeof document === "object" && document !== null && "kind" in document && document.kind === "audit",
  file_stem: "gauze-audit",
  messages: [{ en: audits_en, zh: audits_zh }],
  build: (context, value) => {
    const document = value as AuditDocument;
    const { t } = context;
    const audits = audits_of(document);
    const crossed = audits.filter(({ holds }) => holds === false).length;
    const beside = audits.map((one) => named(context, one));
    const sections: (Section | null)[] = [
      {
        id: "summary", title: t("summary.title"), lead: t("audit.lead"),
        body: [
          verdict(context, all_hold(audits), document.alarm?.rate ?? audits[0]?.alarm?.rate ?? null, beside),
          audits.length > 1 ? h("p", { id: "counted" }, t("audit.counted", { count: count(audits.length), crossed: count(crossed) })) : null,
          document.pair ? h("p", { id: "pair" }, t("pairs.worst", { pair: document.pair })) : null,
          warnings_card(context, document.warnings),
        ],
      },
      {
        id: "claims", title: t("claims.title"), lead: t("claims.lead.audit"),
        body: claims_chart(context, beside).element,
      },
      events_section(context, audits),
      pairs_section(context, document),
      { id: "reading", title: t("reading.title"), body: [h("p", {}, t("reading.audit")), h("p", {}, t("reading.bound"))] },
    ];
    return {
      title: t("audit.title"),
      subtitle: audits.length === 1 ? (audits[0]?.claim ?? t("audit.one")) : t("audit.many", { count: count(audits.length) }),
      marking: { word: t("internal.word"), text: t("internal.text") },
      sections: sections.filter((section) => section !== null),
    };
  },
};
