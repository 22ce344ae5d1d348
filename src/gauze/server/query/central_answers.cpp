#include "gauze/server/query/central_answers.h"

#include "gauze/server/api/api_answer.h"
#include "gauze/server/curator.h"

namespace gauze::server {

Result<void> CentralAnswers::open_budget(const TaskVersion& version) {
  if (version.central() == nullptr) return {};
  GAUZE_TRY(const auto balances, curator_.balances());
  for (const Balance& balance : balances)
    if (balance.terms->name == version.name) return {};
  DatasetOptions options;
  options.name = version.name;
  options.unit = std::string(collect::kEnrolment);
  options.neighbours = Neighbours::add_remove;
  options.epsilon = Rational(static_cast<std::int64_t>(version.terms().epsilon_nano), 1'000'000'000);
  GAUZE_TRY(const DatasetTerms terms, DatasetTerms::make(options));
  return curator_.create_dataset(terms);
}

HttpResponse CentralAnswers::answer(const std::string&, const Json&, const std::string&) {
  return error_answer(404, "not_found", "there is no such task");
}

}  // namespace gauze::server
