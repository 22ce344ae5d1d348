import type { ReportKind } from "../shell/app";
import { remembered, type Context } from "../shell/context";
import { picker } from "../shell/controls";
import { h, replace_children, type Child } from "../shell/dom";
import { count, exact, figure, percent } from "../shell/format";
import type { Section } from "../shell/page";
import { table } from "../shell/table";
import type { Cell } from "../shell/table_data";
import { claims_chart } from "./claims_chart";
import { of_attack, strongest, type Attack, type AttackDocument, type GroupAttacked } from "./document";
import { groups_chart, type NamedGroup } from "./groups_chart";
import { audits_en } from "./messages_en";
import { audits_zh } from "./messages_zh";
import { rates_chart } from "./rates_chart";
import { roc_chart } from "./roc_chart";
import { verdict, warnings_card } from "./verdict";

const known_attacks = new Set(["loss", "entropy", "modified-entropy", "gap", "trained", "lira", "lira-offline", "rmia"]);

function namer({ t }: Context): (attack: string) => string {
  return (attack) => (known_attacks.has(attack) ? t(`attack.${attack}`) : attack);
}

function summary_section(context: Context, document: AttackDocument): Section {
  const { t } = context;
  const best = strongest(document.attacks);
  const lines: Child[] = [];
  if (best?.auc) {
    lines.push(h("p", { id: "strongest" }, t("summary.strongest", {
      attack: namer(context)(best.attack), auc: figure(best.auc.mean), low: figure(best.auc.low), high: figure(best.auc.high),
    })));
  }
  if (document.gap?.train && document.gap.test) {
    lines.push(h("p", { id: "gap" }, t("summary.gap", { train: percent(document.gap.train.mean), test: percent(document.gap.test.mean) })));
  }
  if (typeof document.advantage_bound === "number") {
    lines.push(h("p", { id: "advantage-bound" }, t("summary.advantage", { bound: percent(document.advantage_bound) })));
  }
  return {
    id: "summary", title: t("summary.title"), lead: t("attack.lead"),
    body: [
      verdict(context, document.holds, document.alarm?.rate ?? null, document.attacks.map((one) => of_attack(document, one, one.attack))),
      lines,
      warnings_card(context, document.warnings),
    ],
  };
}

function overview_section(context: Context, document: AttackDocument): Section {
  const { t } = context;
  const name_of = namer(context);
  const open = document.unprotected?.attacks ?? [];
  return {
    id: "overview", title: t("overview.title"), lead: t(open.length > 0 ? "overview.lead" : "overview.lead.alone"),
    body: table(context, {
      id: "overview", title: t("overview.table"),
      data: {
        columns: [
          { key: "attack", label: t("attack"), kind: "text" },
          { key: "auc", label: t("auc"), kind: "estimate", reason: t("reason.no_auc") },
          { key: "accuracy", label: t("accuracy"), kind: "estimate-percent", reason: t("reason.few") },
          { key: "advantage", label: t("advantage"), kind: "estimate-percent", reason: t("reason.few") },
          { key: "epsilon_lower", label: t("audited"), kind: "figure", reason: t("reason.no_bound") },
          { key: "delta1", label: t("at_delta"), kind: "figure", reason: t("reason.no_bound") },
          ...(open.length > 0
            ? [
                { key: "unprotected_auc", label: t("overview.open_auc"), kind: "estimate" as const, reason: t("reason.no_auc") },
                { key: "unprotected_accuracy", label: t("overview.open_accuracy"), kind: "estimate-percent" as const, reason: t("reason.few") },
              ]
            : []),
        ],
        rows: document.attacks.map((attack): Cell[] => {
          const other = open.find((one) => one.attack === attack.attack);
          const row: Cell[] = [name_of(attack.attack), attack.auc, attack.accuracy, attack.advantage, attack.epsilon_lower, attack.delta1];
          return open.length > 0 ? [...row, other?.auc, other?.accuracy] : row;
        }),
      },
    }),
  };
}

function named(groups: Readonly<Record<string, GroupAttacked>> | null | undefined): NamedGroup[] {
  return Object.entries(groups ?? {}).map(([name, group]) => ({ name, ...group }));
}

/// One attack at a time: which one the reader chooses.
function per_attack(context: Context, memory: string, attacks: readonly Attack[], draw: (attack: Attack) => Child): Child {
  const name_of = namer(context);
  const best = strongest(attacks);
  if (!best) return null;
  const box = h("div", {});
  const show = (name: string) => {
    context.memory.set(memory, name);
    replace_children(box, draw(attacks.find(({ attack }) => attack === name) ?? best));
  };
  const chosen = remembered(context, memory, best.attack);
  const choose = picker(context.t("attack"), attacks.map(({ attack }) => ({ value: attack, label: name_of(attack) })), chosen, show);
  show(chosen);
  return [h("div", { class: "controls" }, choose), box];
}

function groups_section(context: Context, document: AttackDocument): Section | null {
  const { t } = context;
  const attacks = document.attacks.filter(({ by_class, by_group }) => named(by_class).length + named(by_group).length > 0);
  if (attacks.length === 0) return null;
  return {
    id: "groups", title: t("groups.title"), lead: t("groups.lead"),
    body: per_attack(context, "attack-of-groups", attacks, ({ by_class, by_group }) => [
      named(by_class).length > 0 ? groups_chart(context, "by-class", t("groups.by_class"), named(by_class)).element : null,
      named(by_group).length > 0 ? groups_chart(context, "by-group", t("groups.by_group"), named(by_group)).element : null,
    ]),
  };
}

function exposed_section(context: Context, document: AttackDocument): Section | null {
  const { t } = context;
  const attacks = document.attacks.filter(({ exposed }) => (exposed ?? []).length > 0);
  if (attacks.length === 0) return null;
  return {
    id: "exposed", title: t("exposed.title"), lead: t("exposed.lead"),
    body: per_attack(context, "attack-of-exposed", attacks, ({ exposed }) =>
      table(context, {
        id: "exposed", title: t("exposed.table"),
        data: {
          columns: [{ key: "row", label: t("exposed.row"), kind: "count" }, { key: "score", label: t("exposed.score"), kind: "figure" }],
          rows: (exposed ?? []).map(({ row, score }) => [row, score]),
        },
      })),
  };
}

/// The report of `gauze attack model`.
export const attack: ReportKind = {
  matches: (document) => typeof document === "object" && document !== null && "kind" in document && document.kind === "attack",
  file_stem: "gauze-attack",
  messages: [{ en: audits_en, zh: audits_zh }],
  build: (context, value) => {
    const document = value as AttackDocument;
    const { t } = context;
    const name_of = namer(context);
    const { model, method, shadows, targets, claimed } = document;
    const parts = [
      model ? t("title.model", { model }) : null, method ? t("title.method", { method }) : null,
      typeof shadows === "number" ? t("title.shadows", { count: count(shadows) }) : null,
      typeof targets === "number" ? t("title.targets", { count: count(targets) }) : null,
      typeof claimed?.epsilon === "number" ? t("title.claim", { epsilon: exact(Number(claimed.epsilon.toPrecision(4))), delta: figure(claimed.delta ?? 0) }) : t("title.no_claim"),
    ];
    const claim = claimed ?? null;
    const sections: (Section | null)[] = [
      summary_section(context, document),
      {
        id: "claims", title: t("claims.title"), lead: t("claims.lead.attack"),
        body: claims_chart(context, document.attacks.map((one) => of_attack(document, one, name_of(one.attack)))).element,
      },
      (document.roc ?? []).length > 0
        ? { id: "roc", title: t("roc.title"), lead: t("roc.lead"), body: roc_chart(context, document.roc ?? [], claim, name_of).element }
        : null,
      { id: "rates", title: t("rates.title"), lead: t("rates.lead"), body: rates_chart(context, document.attacks, claim, name_of).element },
      overview_section(context, document),
      groups_section(context, document),
      exposed_section(context, document),
      { id: "reading", title: t("reading.title"), body: [h("p", {}, t("reading.attack")), h("p", {}, t("reading.bound"))] },
    ];
    return {
      title: t("attack.title"),
      subtitle: parts.filter((part) => part !== null).join(" · "),
      marking: { word: t("internal.word"), text: t("internal.text") },
      sections: sections.filter((section) => section !== null),
    };
  },
};
