#pragma once

#include "gauze/cli/core/command_registry.h"

namespace gauze::cli {

/// Every command, flag and topic of Gauze.
[[nodiscard]] Registry make_registry();

// One function a group, each in a file of its name. The order in make_registry() is the order in the overview.
void register_inspect_command(Registry& registry);             ///< inspect
void register_anonymize_command(Registry& registry);           ///< anonymize
void register_check_command(Registry& registry);               ///< check
void register_release_command(Registry& registry);             ///< release
void register_query_command(Registry& registry);               ///< query
void register_schema_commands(Registry& registry);             ///< schema check, schema draft
void register_demo_commands(Registry& registry);               ///< demo, demo-data; in demo/
void register_evaluate_command(Registry& registry);            ///< evaluate, compare
void register_hierarchy_build_command(Registry& registry);     ///< hierarchy build
void register_hierarchy_show_command(Registry& registry);      ///< hierarchy show
void register_hierarchy_check_command(Registry& registry);     ///< hierarchy check
void register_patterns_mine_commands(Registry& registry);      ///< patterns mine, patterns rules
void register_patterns_suggest_commands(Registry& registry);   ///< patterns suggest
void register_patterns_hide_commands(Registry& registry);      ///< patterns hide, patterns restore
void register_patterns_audit_commands(Registry& registry);     ///< patterns audit, patterns compare
void register_text_vectors_command(Registry& registry);        ///< text vectors
void register_text_sanitize_commands(Registry& registry);      ///< text sanitize, text probabilities
void register_text_statistics_commands(Registry& registry);    ///< text stats, text choose, text verify
void register_text_attack_command(Registry& registry);         ///< text attack
void register_text_utility_command(Registry& registry);        ///< text utility
void register_collect_plan_command(Registry& registry);        ///< collect plan
void register_collect_task_commands(Registry& registry);       ///< collect task, task check, task show
void register_collect_encode_command(Registry& registry);      ///< collect encode
void register_collect_aggregate_commands(Registry& registry);  ///< collect aggregate, merge
void register_collect_estimate_commands(Registry& registry);   ///< collect estimate, simulate
void register_collect_device_commands(Registry& registry);     ///< collect device init, device show, consent
void register_collect_send_command(Registry& registry);        ///< collect send
void register_serve_command(Registry& registry);               ///< serve
void register_curator_admin_commands(
    Registry& registry);  ///< curator add, show, approve, close, keys, token, sweep, audit, check, backup
void register_curator_analyst_commands(Registry& registry);  ///< curator status, estimate, query
void register_train_command(Registry& registry);             ///< train
void register_predict_command(Registry& registry);           ///< predict
void register_score_command(Registry& registry);             ///< score
void register_study_command(Registry& registry);             ///< study
void register_attack_model_command(Registry& registry);      ///< attack model
void register_attack_scores_command(Registry& registry);     ///< attack scores
void register_attack_shadows_command(Registry& registry);    ///< attack shadows
void register_audit_counts_command(Registry& registry);      ///< audit counts
void register_audit_guesses_command(Registry& registry);     ///< audit guesses
void register_audit_noise_command(Registry& registry);       ///< audit noise
void register_audit_release_command(Registry& registry);     ///< audit release
void register_audit_program_command(Registry& registry);     ///< audit program
void register_audit_self_command(Registry& registry);        ///< audit self
void register_audit_train_command(Registry& registry);       ///< audit train
void register_allocate_command(Registry& registry);          ///< allocate
void register_model_commands(Registry& registry);            ///< model show, check, gradients
void register_noise_command(Registry& registry);             ///< noise
void register_select_command(Registry& registry);            ///< select
void register_threshold_command(Registry& registry);         ///< threshold
void register_account_commands(Registry& registry);          ///< account, calibrate
void register_ledger_charge_commands(Registry& registry);    ///< ledger create, declare, spend, reserve, commit
void register_ledger_record_commands(Registry& registry);    ///< ledger show, history, analysts, export, import
void register_ledger_verify_command(Registry& registry);
void register_label_commands(Registry& registry);  ///< label show, check, open
void register_help_commands(Registry& registry);   ///< help, version, completions, man
void register_help_topics(Registry& registry);     ///< exit-codes, guarantees, budgets, tables, output

}  // namespace gauze::cli
