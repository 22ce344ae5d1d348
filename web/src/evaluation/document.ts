import type { MaybeEstimate } from "../shell/estimate";

/// The document of docs/formats/evaluation.md. Parts that a document lacks are null or absent.
export type Maybe<T> = T | null | undefined;
export type Named<T> = Readonly<Record<string, T>>;

export interface Setting {
  readonly file: string;
  readonly rows: number;
  readonly test_rows?: Maybe<number>;
  readonly quasi: readonly string[];
  readonly levels?: Maybe<Named<number>>;
  readonly k: number;
  readonly ks?: Maybe<readonly number[]>;
  readonly mode?: Maybe<string>;
  readonly kind?: Maybe<string>;
  readonly noise?: Maybe<string>;
  readonly neighbours?: Maybe<string>;
  readonly unit?: Maybe<string>;
  readonly delta?: Maybe<number>;
  readonly as_published?: Maybe<boolean>;
  readonly noise_scale?: Maybe<number>;
  readonly target?: Maybe<string>;
  readonly positive?: Maybe<string>;
  readonly protected?: Maybe<readonly string[]>;
  readonly minimum_group?: Maybe<number>;
  readonly repetitions?: Maybe<number>;
  readonly seed?: Maybe<number>;
  readonly weights?: Maybe<Named<number>>;
  readonly cells?: Maybe<number>;
  readonly score_kind?: Maybe<string>;
}

export interface Box {
  readonly low: number;
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
  readonly high: number;
  readonly outliers?: Maybe<readonly number[]>;
}

export type SizedBox = { readonly from: number; readonly to: Maybe<number>; readonly classes: number } & {
  readonly [K in keyof Omit<Box, "outliers">]: Maybe<number>;
};

export const model_metrics = ["accuracy", "balanced_accuracy", "precision", "recall", "f1", "auc"] as const;
export type ModelMetric = (typeof model_metrics)[number];
export type ModelFigures = Readonly<Partial<Record<ModelMetric | "retention", MaybeEstimate>>>;

export interface Privacy {
  readonly score: MaybeEstimate;
  readonly k_true?: Maybe<number>;
  readonly epsilon?: Maybe<number>;
  readonly delta?: Maybe<number>;
  readonly linkage: MaybeEstimate;
  readonly membership: MaybeEstimate;
  readonly membership_bound: Maybe<number>;
}

export const utility_parts = ["distribution", "detail", "marginals", "model"] as const;

export interface Utility {
  readonly score: MaybeEstimate;
  readonly parts: Readonly<Partial<Record<(typeof utility_parts)[number], MaybeEstimate>>>;
  readonly generalisation_loss?: Maybe<{ readonly total: Maybe<number>; readonly columns: Named<Maybe<number>> }>;
  readonly marginals?: Maybe<Named<MaybeEstimate>>;
  readonly range_queries?: Maybe<{ readonly error: MaybeEstimate; readonly queries: number }>;
  readonly relative_error?: Maybe<{ readonly all: Maybe<Box>; readonly by_size: readonly SizedBox[] }>;
  readonly chi_square?: Maybe<Named<Maybe<{ readonly statistic: MaybeEstimate; readonly rejected: Maybe<number> }>>>;
  readonly models?: Maybe<Named<ModelFigures>>;
}

export const odds_kinds = ["eod_sum", "eod_max", "eod_mean"] as const;
export type OddsKind = (typeof odds_kinds)[number];
export const fairness_measures = [
  ...odds_kinds, "equal_opportunity", "demographic_parity", "predictive_parity",
] as const;
export const group_rates = ["tpr", "fpr", "selection_rate", "precision"] as const;
export type GroupRate = (typeof group_rates)[number];

export type Group = {
  readonly size: number;
  readonly count_error?: MaybeEstimate;
  readonly undefined?: Maybe<readonly string[]>;
  readonly small?: Maybe<boolean>;
} & { readonly [K in GroupRate]?: MaybeEstimate };

export type AttributeFairness = { readonly groups: Named<Group> } & {
  readonly [K in (typeof fairness_measures)[number]]?: MaybeEstimate;
};

/// "score" beside the attributes. An attribute that is itself called "score" has groups.
export type Fairness = Named<MaybeEstimate | AttributeFairness>;

export interface EpsilonResult {
  readonly epsilon: number;
  readonly k?: Maybe<number>; ///< where several were tried
  readonly above_ceiling?: Maybe<boolean>; ///< of the scenario: it cannot be recommended
  readonly mse?: MaybeEstimate;
  readonly tvd: MaybeEstimate;
  readonly tvd_raw?: MaybeEstimate;
  readonly classes?: MaybeEstimate;
  readonly k_noisy?: MaybeEstimate;
  readonly total?: MaybeEstimate;
  readonly privacy: Privacy;
  readonly utility: Utility;
  readonly fairness?: Maybe<Fairness>;
  readonly score: MaybeEstimate;
  readonly win_rate: MaybeEstimate;
}

/// An epsilon, or where several k were tried a pair.
export type Reference = number | { readonly epsilon: number; readonly k: number };

export interface Weighting {
  readonly epsilon: Maybe<number>;
  readonly k?: Maybe<number>;
  readonly win_rate: Maybe<number>;
  readonly clear: boolean;
}

export interface Recommendation extends Weighting {
  readonly runner_up?: Maybe<Reference>;
  readonly candidates: readonly Reference[];
  readonly text?: string;
  readonly by_weighting?: Maybe<Named<Maybe<Weighting>>>;
  readonly weight_space?: Maybe<Named<number>>;
  readonly weight_space_intervals?: Maybe<Named<MaybeEstimate>>;
  readonly pareto?: Maybe<readonly Reference[]>;
}

export type Scores = readonly (readonly Maybe<number>[])[]; ///< by epsilon, then by repetition

export interface Draws {
  readonly privacy: Scores;
  readonly utility: Scores;
  readonly fairness?: Maybe<Scores>;
}

export type BaselineGroup = {
  readonly size?: number;
  readonly undefined?: Maybe<readonly string[]>;
  readonly small?: Maybe<boolean>;
} & { readonly [K in GroupRate]?: Maybe<number> };
export type BaselineFairness = { readonly groups?: Named<BaselineGroup> } & {
  readonly [K in (typeof fairness_measures)[number]]?: Maybe<number>;
};

export interface Baselines {
  readonly majority?: Maybe<{ readonly accuracy: Maybe<number> }>;
  readonly unprotected?: Maybe<{
    readonly models?: Maybe<Named<Readonly<Partial<Record<ModelMetric, Maybe<number>>>>>>;
    readonly fairness?: Maybe<Named<BaselineFairness>>;
  }>;
}

export interface Disparity {
  readonly rows: number;
  readonly suppression_rate: Maybe<number>;
  readonly generalisation_loss: Maybe<number>;
  readonly risk: Maybe<number>;
}

export interface Classes {
  readonly count: number;
  readonly smallest: Maybe<number>;
  readonly largest: Maybe<number>;
  readonly empty_cells?: Maybe<number>;
  readonly sizes: readonly { readonly from: number; readonly to: Maybe<number>; readonly classes: number; readonly rows: number }[];
}

export interface LatticeNode {
  readonly levels: readonly number[];
  readonly classes: number;
  readonly smallest: Maybe<number>;
  readonly below_k: Maybe<number>;
  readonly loss: Maybe<number>;
  readonly chosen: boolean;
}

export interface Lattice {
  readonly columns: readonly string[];
  readonly heights: readonly number[];
  readonly complete: boolean;
  readonly nodes: readonly LatticeNode[];
}

export interface Method {
  readonly name: string;
  readonly k: Maybe<number>;
  readonly epsilon: Maybe<number>;
  readonly generalisation_loss: Maybe<number>;
  readonly suppressed: Maybe<number>;
  readonly tvd: MaybeEstimate;
  readonly fairness?: Maybe<Named<Maybe<Readonly<Partial<Record<"eod_sum" | "eod_max", MaybeEstimate>>>>>>;
  readonly models?: Maybe<Named<ModelFigures>>;
}

export interface Scenario {
  readonly name: string;
  readonly weighting: string;
  readonly profile?: Maybe<string>;
  readonly ceiling?: Maybe<number>;
  readonly advice: readonly {
    readonly source: string;
    readonly epsilon: number;
    readonly tried: boolean;
    readonly won?: Maybe<number>;
    readonly above_ceiling: boolean;
  }[];
}

export interface Requirements {
  readonly asked: readonly string[];
  readonly certainty: number;
  readonly epsilon: Maybe<number>;
  readonly k?: Maybe<number>;
  readonly smallest_tried?: boolean;
  readonly share?: Maybe<number>;
  readonly share_at_least?: Maybe<number>;
  readonly unmet?: Maybe<readonly { readonly requirement: string; readonly epsilon: Maybe<number>; readonly k?: Maybe<number>; readonly value: Maybe<number>; readonly share: Maybe<number>; readonly lost_at?: Maybe<number>; readonly lost_share?: Maybe<number> }[]>;
}

export interface EvaluationDocument {
  readonly internal?: boolean;
  readonly warnings?: Maybe<readonly { readonly code: string; readonly message: string }[]>;
  readonly scenario?: Maybe<Scenario>;
  readonly requirements?: Maybe<Requirements>;
  readonly setting: Setting;
  readonly anchors?: Maybe<Named<{ readonly zero: string; readonly one: string }>>;
  readonly epsilons?: Maybe<readonly EpsilonResult[]>;
  readonly recommendation?: Maybe<Recommendation>;
  readonly draws?: Maybe<Draws>;
  readonly baselines?: Maybe<Baselines>;
  readonly disparity?: Maybe<Named<Named<Disparity>>>;
  readonly classes?: Maybe<Classes>;
  readonly lattice?: Maybe<Lattice>;
  readonly comparison?: Maybe<{ readonly epsilon: number; readonly methods: readonly Method[] }>;
  readonly label?: Maybe<unknown>;
}

/// The attributes of a fairness part, without its score.
export function attributes_of(fairness: Maybe<Fairness>): [string, AttributeFairness][] {
  return Object.entries(fairness ?? {}).filter(
    (entry): entry is [string, AttributeFairness] =>
      typeof entry[1] === "object" && entry[1] !== null && "groups" in entry[1],
  );
}

export function fairness_score(fairness: Maybe<Fairness>): MaybeEstimate {
  const score = fairness?.score;
  return score && "mean" in score ? score : null;
}
