#include "gauze/cli/core/commands.h"

namespace gauze::cli {

Registry make_registry() {
  Registry registry;
  register_inspect_command(registry);
  register_anonymize_command(registry);
  register_check_command(registry);
  register_evaluate_command(registry);
  register_release_command(registry);
  register_query_command(registry);
  register_schema_commands(registry);
  register_demo_commands(registry);
  register_hierarchy_build_command(registry);
  register_hierarchy_show_command(registry);
  register_hierarchy_check_command(registry);
  register_patterns_mine_commands(registry);
  register_patterns_suggest_commands(registry);
  register_patterns_hide_commands(registry);
  register_patterns_audit_commands(registry);
  register_text_vectors_command(registry);
  register_text_sanitize_commands(registry);
  register_text_statistics_commands(registry);
  register_text_attack_command(registry);
  register_text_utility_command(registry);
  register_collect_plan_command(registry);
  register_collect_task_commands(registry);
  register_collect_encode_command(registry);
  register_collect_aggregate_commands(registry);
  register_collect_estimate_commands(registry);
  register_collect_device_commands(registry);
  register_collect_send_command(registry);
  register_serve_command(registry);
  register_curator_admin_commands(registry);
  register_curator_analyst_commands(registry);
  register_train_command(registry);
  register_score_command(registry);
  register_predict_command(registry);
  register_model_commands(registry);
  register_study_command(registry);
  register_allocate_command(registry);
  register_attack_model_command(registry);
  register_attack_scores_command(registry);
  register_attack_shadows_command(registry);
  register_audit_counts_command(registry);
  register_audit_guesses_command(registry);
  register_audit_noise_command(registry);
  register_audit_release_command(registry);
  register_audit_program_command(registry);
  register_audit_self_command(registry);
  register_audit_train_command(registry);
  register_noise_command(registry);
  register_select_command(registry);
  register_threshold_command(registry);
  register_account_commands(registry);
  register_ledger_charge_commands(registry);
  register_ledger_record_commands(registry);
  register_ledger_verify_command(registry);
  register_label_commands(registry);
  register_help_commands(registry);
  register_help_topics(registry);
  return registry;
}

}  // namespace gauze::cli
