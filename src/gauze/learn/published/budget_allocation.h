#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gauze/files/json.h"
#include "gauze/learn/rows/learning_rows.h"

namespace gauze::learn {

/// The base of the logarithm in an entropy, which the paper does not say.
enum class EntropyLog { e, two };
inline constexpr Words<EntropyLog, 2> kEntropyLogWords = {{{EntropyLog::e, "e"}, {EntropyLog::two, "2"}}};

/// Which attributes count as sensitive: named, or the first share of the features.
struct SensitiveChoice {
  std::vector<std::string> names = {};
  std::optional<Rational> share = {};
};

/// The budgets of APBA-DP: eps_1 / (2 - exp(-(H - least H))) for a sensitive attribute, eps_1 for all others. The entropies are plug-in
/// entropies of the raw columns, without noise: INTERNAL, and no guarantee stands on them.
struct BudgetAllocation {
  struct Column {
    std::string name;
    bool sensitive = false;
    std::optional<double> entropy = {};
    double epsilon = 0;
    double scale = 1;  ///< eps_1 / epsilon
  };
  std::vector<Column> columns = {};
  EntropyLog log = EntropyLog::e;

  [[nodiscard]] Json to_json() const;  ///< {"columns":[...],"log"}
};

/// `--sensitive`, else the share if given, else the policy's list, else a tenth: by name, in the order of the features. A share is of the
/// features, rounded down, at least one.
[[nodiscard]] Result<std::vector<std::string>> sensitive_names(const schema::LearnPolicy& policy,
                                                               const SensitiveChoice& choice);

[[nodiscard]] BudgetAllocation allocate_budgets(const LearningRows& rows, const std::vector<std::string>& sensitive,
                                                const Rational& epsilon_1, EntropyLog log);
/// The same eps_1 for every attribute; no entropy is read.
[[nodiscard]] BudgetAllocation uniform_budgets(const std::vector<schema::LearnFeature>& features,
                                               const std::vector<std::string>& sensitive, const Rational& epsilon_1);

}  // namespace gauze::learn
