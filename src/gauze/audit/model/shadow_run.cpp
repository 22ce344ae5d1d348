#include "gauze/audit/model/shadow_run.h"

#include <cstring>
#include <filesystem>
#include <mutex>

#include "gauze/base/parallel.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"
#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace {

constexpr std::uint64_t kCoins = 0xc015'0000'0000;
constexpr std::uint64_t kTraining = 0x7241'0000'0000;
constexpr std::string_view kFormat = "gauze-shadow 1\n";

std::vector<std::uint8_t> coins_of(std::size_t shadow, std::size_t units, std::uint64_t seed) {
  SeededRandom random(seed, kCoins + shadow);
  std::vector<std::uint8_t> coins(units);
  for (std::size_t i = 0; i < units; i += 64) {
    std::uint64_t word = random.next();
    for (std::size_t k = i; k < std::min(i + 64, units); ++k, word >>= 1U) coins[k] = word & 1U;
  }
  return coins;
}

template <class Number>
std::string_view bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

std::vector<std::vector<double>*> series_of(Signals& signals) {
  return {&signals.logit,   &signals.confidence,       &signals.loss,
          &signals.entropy, &signals.modified_entropy, &signals.right};
}

/// Finished shadows in a folder, one file each: the format, a digest of what they are of, and their numbers as they lie in memory. They are
/// for the machine that made them.
class KeptShadows {
 public:
  KeptShadows(const ShadowRequest& request, const schema::Policy& policy, const learn::LearningRows& rows)
      : folder_(request.keep), stage_(request.stage) {
    if (folder_.empty()) return;
    Sha256 digest;
    digest.add(request.identity);
    digest.add(request.stage);
    digest.add(fmt::format("\n{}\n{}\n", request.seed, rows.units()));
    digest.add(policy.text);
    for (std::uint32_t unit = 0; unit < rows.units(); ++unit) {
      for (const std::uint32_t row : rows.rows_of(unit)) {
        const auto codes = rows.codes(row);
        digest.add({reinterpret_cast<const char*>(codes.data()), codes.size_bytes()});
        const learn::RowTarget& target = rows.target(row);
        digest.add(fmt::format("{} {} {}\n", target.label, target.value, target.weight));
      }
      digest.add("\n");
    }
    digest_ = digest.finish();
  }

  [[nodiscard]] Result<std::optional<Signals>> find(std::size_t shadow, std::size_t records,
                                                    std::size_t classes) const {
    if (folder_.empty() || !std::filesystem::exists(path(shadow))) return std::optional<Signals>();
    GAUZE_TRY(const std::string bytes, read_file(path(shadow)));
    const std::string head = std::string(kFormat) + digest_ + "\n";
    const std::size_t expected = head.size() + records * (6 * sizeof(double) + classes * sizeof(float));
    if (!bytes.starts_with(kFormat) || bytes.compare(0, head.size(), head) != 0 || bytes.size() != expected)
      return invalid_parameter("the folder '{}' holds shadows of another attack: name another one", folder_.string());
    Signals signals;
    const char* from = bytes.data() + head.size();
    for (std::vector<double>* series : series_of(signals)) {
      series->resize(records);
      std::memcpy(series->data(), from, records * sizeof(double));
      from += records * sizeof(double);
    }
    signals.answers.resize(records * classes);
    std::memcpy(signals.answers.data(), from, signals.answers.size() * sizeof(float));
    return std::optional<Signals>(std::move(signals));
  }

  [[nodiscard]] Result<void> put(std::size_t shadow, Signals& signals) const {
    if (folder_.empty()) return {};
    std::string bytes = std::string(kFormat) + digest_ + "\n";
    for (const std::vector<double>* series : series_of(signals)) bytes += bytes_of(*series);
    bytes += bytes_of(signals.answers);
    return write_file(path(shadow), bytes, FileReaders::owner_alone);
  }

  [[nodiscard]] Result<void> make_folder() const {
    if (folder_.empty()) return {};
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    if (failed) return make_error(ErrorCode::io, "cannot make the folder '{}'", folder_.string());
    return {};
  }

 private:
  [[nodiscard]] std::filesystem::path path(std::size_t shadow) const {
    const bool open = stage_ != ShadowRequest().stage;
    return folder_ / fmt::format("{}-{:04}.shadow", open ? "unprotected" : "shadow", shadow + 1);
  }

  std::filesystem::path folder_;
  std::string_view stage_;
  std::string digest_;
};

}  // namespace

Result<ShadowRun> run_shadows(const schema::Policy& policy, const Recipe& recipe, const AttackedTable& table,
                              const ShadowRequest& request, Progress& progress) {
  const learn::LearningRows& rows = table.rows();
  ShadowRun run{.classes = policy.learn->target.classes.size()};
  for (std::uint32_t unit = 0; unit < rows.units(); ++unit)
    if (!rows.rows_of(unit).empty()) run.units.push_back(unit);
  const std::size_t records = run.units.size();
  run.targets.resize(request.targets);
  run.logits = {.records = records,
                .models = request.shadows,
                .values = std::vector<double>(records * request.shadows),
                .member = std::vector<std::int8_t>(records * request.shadows)};
  run.confidences.resize(records * request.shadows);

  const KeptShadows kept(request, policy, rows);
  GAUZE_TRY_VOID(kept.make_folder());
  SeededRandom seeds(request.seed, kTraining);
  std::vector<std::uint64_t> seed_of(request.shadows);
  for (std::uint64_t& seed : seed_of) seed = seeds.next() >> 1U;

  const auto one_shadow = [&](std::size_t shadow) -> Result<void> {
    const std::vector<std::uint8_t> coins = coins_of(shadow, rows.units(), request.seed);
    GAUZE_TRY(std::optional<Signals> signals, kept.find(shadow, records, run.classes));
    if (!signals) {
      GAUZE_TRY(const learn::ModelFile model, recipe.train(policy, rows.only(coins), seed_of[shadow], progress));
      GAUZE_TRY(signals, signals_of(model, rows, run.units));
      GAUZE_TRY_VOID(kept.put(shadow, *signals));
    }
    const std::size_t begin = shadow * records;
    for (std::size_t i = 0; i < records; ++i) {
      run.logits.values[begin + i] = signals->logit[i];
      run.logits.member[begin + i] = static_cast<std::int8_t>(coins[run.units[i]]);
      run.confidences[begin + i] = signals->confidence[i];
    }
    if (shadow < request.targets) run.targets[shadow] = std::move(*signals);
    return {};
  };
  std::mutex mutex;
  Result<void> failed;
  progress.begin(request.stage, request.shadows);
  parallel_for(request.shadows, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t shadow = begin; shadow < end; ++shadow) {
      if (progress.stop_requested()) return;
      auto done = one_shadow(shadow);
      if (!done) {
        const std::lock_guard lock(mutex);
        if (failed) failed = tl::unexpected(std::move(done).error());
      }
      progress.advance();
    }
  });
  GAUZE_TRY_VOID(progress.check());
  GAUZE_TRY_VOID(failed);
  return run;
}

}  // namespace gauze::audit
