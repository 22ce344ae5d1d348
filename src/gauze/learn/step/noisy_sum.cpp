#include "gauze/learn/step/noisy_sum.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "gauze/base/parallel.h"
#include "gauze/learn/step/grid_rounding.h"

namespace gauze::learn {
namespace {

constexpr std::size_t kNoisePiece = 8192;  ///< weights whose noise is drawn together

}  // namespace

ClipFactor clip_factor(double squared_norm, double clip) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double up = std::nextafter(std::sqrt(squared_norm * (1 + 0x1p-24)), kInfinity);
  if (!std::isfinite(up)) return {.factor = 0, .norm = kInfinity};
  if (up <= clip) return {.factor = 1, .norm = up};
  return {.factor = std::nextafter(clip / up, 0.0), .norm = up};
}

/// What one thread needs for a micro-batch.
struct GradientSums::Worker {
  std::unique_ptr<Network<float>::Pass> pass;
  std::vector<double> sum;
  std::vector<std::uint64_t> units;
  std::vector<float> encoded;
  std::vector<RowTarget> targets;
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> unit_ends;
  std::vector<double> squared;
  std::vector<double> factors;
  std::vector<std::int64_t> noise;
  std::int64_t within_clip = 0;
  bool used = false;  ///< in this step
};

/// A worker for the time of one piece.
class GradientSums::Lease {
 public:
  explicit Lease(GradientSums& owner) : owner_(&owner) {
    const std::lock_guard lock(owner.mutex_);
    if (owner.idle_.empty()) {
      owner.workers_.push_back(std::make_unique<Worker>());
      worker_ = owner.workers_.back().get();
    } else {
      worker_ = owner.idle_.back();
      owner.idle_.pop_back();
    }
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    const std::lock_guard lock(owner_->mutex_);
    owner_->idle_.push_back(worker_);
  }
  [[nodiscard]] Worker& worker() { return *worker_; }

 private:
  GradientSums* owner_;
  Worker* worker_;
};

GradientSums::GradientSums(const Network<float>& network, const LearningRows& rows, Options options)
    : network_(&network), rows_(&rows), options_(std::move(options)), packed_(network.make_packed()) {}

GradientSums::~GradientSums() = default;

void GradientSums::add_micro_batch(Worker& worker, std::span<const std::uint32_t> units, double clip,
                                   std::uint64_t step, std::uint64_t piece, Streams& streams, bool training) {
  worker.rows.clear();
  worker.targets.clear();
  worker.unit_ends.clear();
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::span<const std::uint32_t> own = rows_->rows_of(units[i]);
    const std::size_t begin = worker.rows.size();
    worker.rows.insert(worker.rows.end(), own.begin(), own.end());
    if (own.size() > options_.max_rows) {
      // which rows of a unit count is drawn anew in each step, from a stream that only this place of the sample uses
      streams.with(StreamPurpose::rows, step, piece * options_.micro_batch + i, [&](RandomWords& random) {
        for (std::size_t k = 0; k < options_.max_rows; ++k)
          std::swap(worker.rows[begin + k], worker.rows[begin + k + random.below(own.size() - k)]);
      });
      worker.rows.resize(begin + options_.max_rows);
    }
    const std::size_t count = worker.rows.size() - begin;
    for (std::size_t k = begin; k < worker.rows.size(); ++k) {
      RowTarget target = rows_->target(worker.rows[k]);
      target.weight /= static_cast<float>(count);
      worker.targets.push_back(target);
    }
    worker.unit_ends.push_back(static_cast<std::uint32_t>(worker.rows.size()));
  }
  const std::size_t count = worker.rows.size();
  if (!worker.pass) {
    worker.pass = network_->make_pass(options_.micro_batch * options_.max_rows);
    worker.sum.resize(network_->weights());
  }
  const std::size_t width = network_->inputs();
  const std::span<float> inputs = network_->inputs_of(*worker.pass, count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::span<float> own = inputs.subspan(k * width, width);
    if (!options_.map_inputs) {
      rows_->encoder().encode(rows_->codes(worker.rows[k]), own);
      continue;
    }
    worker.encoded.resize(rows_->encoder().inputs());
    rows_->encoder().encode(rows_->codes(worker.rows[k]), worker.encoded);
    options_.map_inputs(worker.encoded, own);
  }
  if (training) {
    streams.with(StreamPurpose::dropout, step, piece,
                 [&](RandomWords& masks) { network_->forward(*packed_, *worker.pass, count, &masks); });
  } else {
    network_->forward(*packed_, *worker.pass, count, nullptr);
  }
  loss_gradients<float>(options_.loss, network_->outputs_of(*worker.pass, count), network_->outputs(), worker.targets,
                        network_->output_gradients_of(*worker.pass, count), {});
  network_->backward(*packed_, *worker.pass, count);
  worker.factors.assign(units.size(), 1.0);
  if (options_.clipped) {
    worker.squared.resize(units.size());
    network_->squared_norms(*worker.pass, worker.unit_ends, options_.norms, options_.input_scales, worker.squared);
    for (std::size_t i = 0; i < units.size(); ++i) {
      const ClipFactor found = clip_factor(worker.squared[i], clip);
      worker.factors[i] = found.factor;
      worker.within_clip += found.norm <= clip ? 1 : -1;
    }
  }
  std::fill(worker.sum.begin(), worker.sum.end(), 0.0);
  network_->add_gradients(*worker.pass, worker.unit_ends, worker.factors, worker.sum);
  add_rounded(worker.sum, per_unit_, worker.units);
}

void GradientSums::draw_noise(const NoiseLaw& noise, std::uint64_t step, std::size_t piece, Streams& streams,
                              std::span<std::uint64_t> sum) {
  const std::size_t begin = piece * kNoisePiece;
  const std::size_t count = std::min(kNoisePiece, sum.size() - begin);
  Lease lease(*this);
  std::vector<std::int64_t>& drawn = lease.worker().noise;
  drawn.resize(kNoisePiece);
  streams.with(StreamPurpose::noise, step, piece,
               [&](RandomWords& random) { noise.sample(random, std::span(drawn).first(count)); });
  for (std::size_t i = 0; i < count; ++i) sum[begin + i] = static_cast<std::uint64_t>(drawn[i]);
  std::fill(drawn.begin(), drawn.end(), 0);
  asm volatile("" : : "r"(drawn.data()) : "memory");  // the wiping is no dead store
}

void GradientSums::add_up(std::span<const float> weights, std::span<const std::uint32_t> sampled, double clip,
                          std::uint64_t step, Streams& streams, bool training, const NoiseLaw* noise, Sum& sum) {
  const std::size_t size = network_->weights();
  network_->pack(weights, *packed_);
  const double unit = std::ldexp(1.0, kUnitBits) / clip;
  per_unit_.assign(options_.scales.empty() ? 1 : size, unit);
  for (std::size_t i = 0; i < options_.scales.size(); ++i) per_unit_[i] = unit / options_.scales[i];
  sum.units.assign(size + options_.further, 0);
  sum.rows.assign(options_.keeps_rows ? sum.units.size() : 0, 0);
  sum.within_clip = 0;
  const std::size_t batches = (sampled.size() + options_.micro_batch - 1) / options_.micro_batch;
  const std::size_t pieces = noise == nullptr ? 0 : (sum.units.size() + kNoisePiece - 1) / kNoisePiece;
  for (const auto& worker : workers_) worker->used = false;
  // the largest pieces first; noise fills what is left of the threads
  parallel_for(batches + pieces, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      if (piece >= batches) {
        draw_noise(*noise, step, piece - batches, streams, sum.units);
        continue;
      }
      Lease lease(*this);
      Worker& worker = lease.worker();
      if (!worker.used) {
        worker.used = true;
        worker.units.assign(size, 0);
        worker.within_clip = 0;
      }
      const std::size_t first = piece * options_.micro_batch;
      add_micro_batch(worker,
                      sampled.subspan(first, std::min<std::size_t>(options_.micro_batch, sampled.size() - first)),
                      clip, step, piece, streams, training);
    }
  });
  for (const auto& worker : workers_) {
    if (!worker->used) continue;
    for (std::size_t i = 0; i < size; ++i) sum.units[i] += worker->units[i];
    if (options_.keeps_rows)
      for (std::size_t i = 0; i < size; ++i) sum.rows[i] += worker->units[i];
    sum.within_clip += worker->within_clip;
  }
}

}  // namespace gauze::learn
