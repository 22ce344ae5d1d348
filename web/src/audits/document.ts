import type { MaybeEstimate } from "../shell/estimate";

type Maybe<T> = T | null | undefined;

export interface Warning {
  readonly code: string;
  readonly message: string;
}

export interface Claim {
  readonly epsilon: Maybe<number>;
  readonly delta: Maybe<number>;
}

/// True positives at a small share of false ones.
export interface RateAt {
  readonly fpr: number;
  readonly tpr: MaybeEstimate;
  readonly measurable: boolean;
}

export interface GroupAttacked {
  readonly auc: MaybeEstimate;
  readonly members: number;
  readonly nonmembers: number;
  readonly small: boolean;
}

/// One attack on one model or on several, as docs/formats/json-output.md says.
export interface Attack {
  readonly attack: string;
  readonly auc: MaybeEstimate;
  readonly accuracy: MaybeEstimate;
  readonly advantage: MaybeEstimate;
  readonly tpr_at_fpr: readonly RateAt[];
  readonly epsilon_lower?: Maybe<number>;
  readonly delta1?: Maybe<number>;
  readonly claimed_at_delta1?: Maybe<number>;
  readonly by_class?: Maybe<Readonly<Record<string, GroupAttacked>>>;
  readonly by_group?: Maybe<Readonly<Record<string, GroupAttacked>>>;
  readonly exposed?: Maybe<readonly { readonly row: number; readonly score: number }[]>;
}

export interface Curve {
  readonly attack: string;
  readonly points: readonly (readonly [number, number])[]; ///< share of non-members, share of members
}

/// The document of `gauze attack model`.
export interface AttackDocument {
  readonly kind: "attack";
  readonly model?: Maybe<string>;
  readonly method?: Maybe<string>;
  readonly shadows?: Maybe<number>;
  readonly targets?: Maybe<number>;
  readonly attacks: readonly Attack[];
  readonly roc?: Maybe<readonly Curve[]>;
  readonly gap?: Maybe<{ readonly train: MaybeEstimate; readonly test: MaybeEstimate }>;
  readonly claimed?: Maybe<Claim>;
  readonly advantage_bound?: Maybe<number>;
  readonly unprotected?: Maybe<{ readonly attacks: readonly Attack[] }>;
  readonly alarm?: Maybe<{ readonly rate: number }>;
  readonly holds: boolean | null;
  readonly warnings?: Maybe<readonly Warning[]>;
}

/// One claim and what its audit found. What the audit could have shown at most is `reach`.
export interface Audit {
  readonly claim?: Maybe<string>;
  readonly audited: {
    readonly epsilon_lower: Maybe<number>;
    readonly delta: Maybe<number>;
    readonly event: Maybe<string>;
    readonly left: Maybe<number>;
    readonly right: Maybe<number>;
    readonly runs: Maybe<number>;
    readonly reach: Maybe<number>;
    readonly claimed_at_delta1?: Maybe<number>;
  };
  readonly claimed: Claim;
  readonly alarm?: Maybe<{ readonly rate: number }>;
  readonly holds: boolean | null;
}

/// The document of every `gauze audit`: one audit, or all of `audit self`.
export interface AuditDocument extends Partial<Audit> {
  readonly kind: "audit";
  readonly audits?: Maybe<readonly Audit[]>;
  readonly pair?: Maybe<string>;
  readonly pairs?: Maybe<readonly { readonly pair: string; readonly epsilon_lower: number }[]>;
  readonly warnings?: Maybe<readonly Warning[]>;
}

/// A claim beside its audit, as the picture draws them. The claim is the epsilon at the delta of the audit, or nothing.
export interface Beside {
  readonly name: string;
  readonly claimed: number | null;
  readonly audited: number | null;
  readonly delta: number | null;
  readonly reach: number | null;
  readonly crossed: boolean;
}

/// The epsilon that is claimed at a delta: a bound is compared with no other.
function claimed_at(claim: Maybe<Claim>, delta: Maybe<number>, at_delta: Maybe<number>): number | null {
  if (at_delta !== null && at_delta !== undefined) return at_delta;
  return (delta ?? 0) === (claim?.delta ?? 0) ? (claim?.epsilon ?? null) : null;
}

export function of_attack(document: AttackDocument, attack: Attack, name: string): Beside {
  const claimed = claimed_at(document.claimed, attack.delta1, attack.claimed_at_delta1);
  const audited = attack.epsilon_lower ?? null;
  const crossed = document.holds === false && audited !== null && claimed !== null && audited > claimed;
  return { name, claimed, audited, delta: attack.delta1 ?? null, reach: null, crossed };
}

export function of_audit({ audited, claimed, holds }: Audit, name: string): Beside {
  return {
    name, claimed: claimed_at(claimed, audited.delta, audited.claimed_at_delta1), audited: audited.epsilon_lower ?? null,
    delta: audited.delta ?? null, reach: audited.reach ?? null, crossed: holds === false,
  };
}

/// The audits of a document, whether it holds one or many.
export function audits_of(document: AuditDocument): readonly Audit[] {
  if (document.audits) return document.audits;
  const { audited, claimed, holds, claim } = document;
  return audited && claimed ? [{ audited, claimed, holds: holds ?? null, claim: claim ?? null }] : [];
}

/// The largest share of true positives that (epsilon, delta) allows at a share of false ones.
export function most_true({ epsilon, delta }: Claim, fpr: number): number {
  if (epsilon === null || epsilon === undefined) return 1;
  const slack = delta ?? 0;
  return Math.min(1, Math.exp(epsilon) * fpr + slack, 1 - Math.exp(-epsilon) * (1 - slack - fpr));
}

/// The attack with the largest AUC, the first of equals.
export function strongest(attacks: readonly Attack[]): Attack | undefined {
  return attacks.reduce<Attack | undefined>((best, one) => ((one.auc?.mean ?? 0) > (best?.auc?.mean ?? 0) ? one : best), attacks[0]);
}
