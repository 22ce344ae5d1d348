#include "gauze/learn/job/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/learn/job/training_job.h"

namespace gauze::learn {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 31;
constexpr std::size_t kDigestDigits = 64;

/// Steps that are far too large may end beyond floats, and a file holds numbers.
StoredTensor stored(const std::vector<float>& values) {
  StoredTensor tensor{.shape = {values.size()}, .values = values};
  constexpr float kMost = std::numeric_limits<float>::max();
  for (float& value : tensor.values)
    if (!std::isfinite(value)) value = value > 0 ? kMost : value < 0 ? -kMost : 0.0F;
  return tensor;
}

std::string exact(double value) { return fmt::format("{:.17g}", value); }

/// A number that is written in one way only.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value) || exact(value) != text) return std::nullopt;
  } else {
    if (std::to_string(value) != text) return std::nullopt;
  }
  return value;
}

std::optional<std::vector<double>> numbers_of(std::string_view text) {
  std::vector<double> values;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const auto value = number_of<double>(text.substr(0, end));
    if (!value || (end != std::string_view::npos && end + 1 == text.size())) return std::nullopt;
    values.push_back(*value);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return values;
}

bool is_commitment(std::string_view text) {
  return text.size() == kDigestDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<void> read_metadata(const Json& metadata, Checkpoint& checkpoint) {
  std::size_t known = 0;
  bool all_texts = true;
  const auto text_of = [&](const char* key) {
    const Json* value = metadata.find(key);
    if (value == nullptr) return std::string_view();
    ++known;
    all_texts = all_texts && kind_of(*value) == JsonKind::string;
    return value->text();
  };
  if (text_of("format") != "gauze-checkpoint")
    return no_checkpoint("its metadata do not say format gauze-checkpoint");
  if (text_of("version") != "1") return no_checkpoint("it is of another version than 1");
  const auto reservation = number_of<std::int64_t>(text_of("reservation"));
  const auto step = number_of<std::uint64_t>(text_of("step"));
  const auto clip = number_of<double>(text_of("clip"));
  auto entropies = numbers_of(text_of("entropies"));
  checkpoint.dataset = text_of("dataset");
  checkpoint.training = text_of("training");
  checkpoint.content = text_of("content");
  if (!reservation || *reservation < 1 || checkpoint.dataset.empty())
    return no_checkpoint("it names no reservation of a dataset");
  if (!step || *step < 1) return no_checkpoint("it does not say after which step it was made");
  if (!clip || !(*clip > 0)) return no_checkpoint("it has no clip");
  if (!entropies) return no_checkpoint("its entropies are no numbers");
  if (!is_commitment(checkpoint.training) || !is_commitment(checkpoint.content))
    return no_checkpoint("it is not bound to a training");
  if (!all_texts || known != 9 || metadata.members()->size() != known)
    return no_checkpoint("its metadata are not those of a checkpoint");
  checkpoint.reservation = *reservation;
  checkpoint.state.step = *step;
  checkpoint.state.clip = *clip;
  checkpoint.state.entropies = std::move(*entropies);
  return {};
}

Result<void> read_arrays(std::map<std::string, StoredTensor> tensors, TrainingState& state) {
  const auto take = [&](const char* name, std::vector<float>& values) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) return true;
    const bool fits = found->second.shape.size() == 1 && found->second.shape[0] > 0;
    values = std::move(found->second.values);
    tensors.erase(found);
    return fits && (state.weights.empty() || values.size() == state.weights.size());
  };
  const bool fits = take("weights", state.weights) && take("average", state.average) &&
                    take("first", state.optimiser.first) && take("second", state.optimiser.second);
  if (!fits || !tensors.empty() || state.weights.empty())
    return no_checkpoint("its arrays are not those of a training");
  return {};
}

Json list_json(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push(text);
  return list;
}

}  // namespace

tl::unexpected<Error> no_checkpoint(std::string_view reason) {
  return make_error(ErrorCode::bad_data, "the file is no checkpoint, or damaged: {}", reason);
}

std::string Checkpoint::to_bytes() const {
  std::string numbers;
  for (const double entropy : state.entropies) numbers += (numbers.empty() ? "" : " ") + exact(entropy);
  TensorFile file;
  file.metadata = Json::object({{"format", "gauze-checkpoint"},
                                {"version", "1"},
                                {"dataset", dataset},
                                {"reservation", std::to_string(reservation)},
                                {"step", std::to_string(state.step)},
                                {"clip", exact(state.clip)},
                                {"entropies", numbers},
                                {"training", training},
                                {"content", content}});
  const auto add = [&](const char* name, const std::vector<float>& values) {
    if (!values.empty()) file.tensors.emplace(name, stored(values));
  };
  add("weights", state.weights);
  add("average", state.average);
  add("first", state.optimiser.first);
  add("second", state.optimiser.second);
  return file.to_bytes();
}

std::string Checkpoint::bound_bytes() const {
  Checkpoint open = *this;
  open.content.clear();
  return open.to_bytes();
}

Result<Checkpoint> Checkpoint::parse(std::string_view bytes) {
  auto file = TensorFile::parse(bytes);
  if (!file) return no_checkpoint("its arrays cannot be read");
  Checkpoint checkpoint;
  if (file->metadata.members() == nullptr) return no_checkpoint("it has no metadata");
  GAUZE_TRY_VOID(read_metadata(file->metadata, checkpoint));
  GAUZE_TRY_VOID(read_arrays(std::move(file->tensors), checkpoint.state));
  return checkpoint;
}

Result<Checkpoint> Checkpoint::read(const std::string& path) {
  GAUZE_TRY(const std::string bytes, read_file(path, kLargestFile));
  return parse(bytes);
}

Result<void> Checkpoint::check_fits(const TrainingPlan& plan, const schema::LearnPolicy& policy) const {
  const auto sized = [&](const std::vector<float>& values, bool wanted) {
    return values.size() == (wanted ? plan.weights : 0);
  };
  const bool arrays = sized(state.weights, true) && sized(state.average, plan.options.average.sign() > 0) &&
                      sized(state.optimiser.first, plan.optimiser != OptimiserKind::sgd) &&
                      sized(state.optimiser.second, plan.optimiser == OptimiserKind::adam);
  const std::size_t entropies = plan.options.method == MethodKind::shaped ? policy.sensitive.size() : 0;
  const double least = plan.options.adaptive ? std::ldexp(plan.clip(), -20) : plan.clip();
  const double most = plan.options.adaptive ? std::ldexp(plan.clip(), 20) : plan.clip();
  if (!arrays || state.entropies.size() != entropies || !(state.clip >= least && state.clip <= most) ||
      state.step > plan.steps)
    return no_checkpoint("what it holds is not the state of this training");
  return {};
}

std::string training_terms(const TrainingPlan& plan, const schema::Policy& policy) {
  const TrainingOptions& options = plan.options;
  const auto text = [](const Rational& value) { return value.to_decimal(40); };
  Json terms = Json::object({{"model", kind_word(plan)}, {"method", word_of(kMethodWords, options.method)}});
  terms.set("layers", layers_json(plan.layers))
      .set("inputs", plan.inputs)
      .set("weights", plan.weights)
      .set("loss", word_of(kLossWords, plan.loss))
      .set("init", word_of(kInitialWords, plan.initial))
      .set("optimizer", word_of(kOptimiserWords, plan.optimiser))
      .set("schedule", word_of(kScheduleWords, plan.schedule))
      .set("learning_rate", text(options.learning_rate))
      .set("average", text(options.average))
      .set("unit", plan.unit)
      .set("neighbours", to_string(plan.neighbours))
      .set("rows", plan.declared)
      .set("max_rows", plan.max_rows)
      .set("sampling", word_of(kSamplingWords, plan.sampling))
      .set("batch", plan.batch)
      .set("steps", plan.steps)
      .set("normaliser", text(plan.normaliser))
      .set("clip", text(options.clip))
      .set("quantile", options.adaptive ? Json(text(options.adaptive->quantile)) : Json())
      .set("sigma", text(plan.sigma))
      .set("sigma_gradient", text(plan.sigma_gradient))
      .set("sigma_clipping", text(plan.sigma_clipping))
      .set("entropy_rho", plan.histograms ? Json(text(plan.histograms->rho)) : Json())
      .set("epsilon", text(plan.claimed_epsilon))
      .set("delta", text(plan.delta))
      .set("decimal", word_of(table::kDecimalSignWords, policy.input.decimal.value_or(table::DecimalSign::point)))
      .set("null", list_json(policy.input.null_tokens))
      .set("names", list_json(policy.input.names))
      .set("policy", sha256_hex(policy.text));
  return "gauze-training-1\n" + terms.dump();
}

}  // namespace gauze::learn
