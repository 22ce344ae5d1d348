#include <algorithm>
#include <array>
#include <cmath>

#include "gauze/learn/engine/internal/layer.h"
#include "gauze/learn/engine/internal/linear_map.h"
#include "gauze/learn/engine/internal/sequence_rows.h"

namespace gauze::learn::internal {
namespace {

/// Self-attention between the positions of a row: each head weighs the values of all positions by the softmax of query times key.
template <class Real>
class AttentionLayer final : public Layer<Real> {
 public:
  AttentionLayer(const LayerSpec& spec, Shape shape, const std::string& name)
      : Layer<Real>(shape, shape),
        width_(shape.channels),
        heads_(spec.heads),
        head_(width_ / heads_),
        scale_(static_cast<Real>(1 / std::sqrt(static_cast<double>(head_)))),
        map_(width_, width_) {
    for (const char* const part : {".query", ".key", ".value", ".out"}) {
      this->add_tensor({.name = name + part + ".weight", .shape = {width_, width_}, .fan_in = width_});
      this->add_tensor({.name = name + part + ".bias", .shape = {width_}});
    }
  }

  enum Part : std::size_t { kQuery, kKey, kValue, kOut };
  struct Packed final : LayerPacked {
    explicit Packed(const LinearMap<Real>& map) : maps{Map(map), Map(map), Map(map), Map(map)} {}
    using Map = typename LinearMap<Real>::Packed;
    std::array<Map, 4> maps;
  };
  struct Pass final : LayerPass {
    Pass(std::size_t rows, std::size_t positions, std::size_t width, std::size_t heads)
        : shares(rows * heads * positions * positions),
          share_gradients(positions * positions),
          panels(rounded_up(std::max(positions, width / heads), kPanelWidth<Real>) *
                 std::max(positions, width / heads)) {
      for (auto& buffer : maps) buffer.at_least(rows * positions * width);
      for (auto& buffer : gradients) buffer.at_least(rows * positions * width);
    }
    std::array<Buffer<Real>, 4> maps;       ///< queries, keys, values, and what goes into the last map
    std::array<Buffer<Real>, 4> gradients;  ///< by those
    Buffer<Real> shares;                    ///< of every position in every other, by row and head
    Buffer<Real> share_gradients;           ///< of one row and head
    Buffer<Real> panels;
  };

  double operations_per_row() const override {
    const double positions = static_cast<double>(this->in().positions);
    return 4 * map_.operations(this->in().positions) + 12 * positions * positions * static_cast<double>(width_);
  }
  std::size_t numbers_per_row() const override {
    return 8 * this->in().size() + heads_ * this->in().positions * this->in().positions;
  }
  std::unique_ptr<LayerPacked> make_packed() const override { return std::make_unique<Packed>(map_); }
  std::unique_ptr<LayerPass> make_pass(std::size_t most_rows) const override {
    return std::make_unique<Pass>(most_rows, this->in().positions, width_, heads_);
  }
  void pack(const Real* weights, LayerPacked* packed) const override {
    for (std::size_t part = 0; part < 4; ++part)
      map_.pack(weights + part * map_.weights(), static_cast<Packed*>(packed)->maps[part]);
  }

  void forward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow, RandomWords*) const override {
    const auto& by = *static_cast<const Packed*>(packed);
    auto& kept = *static_cast<Pass*>(pass);
    const std::size_t positions = this->in().positions;
    const std::size_t vectors = flow.rows * positions;
    for (const Part part : {kQuery, kKey, kValue})
      map_.forward(by.maps[part], flow.x, vectors, kept.maps[part].get());
    for_heads(
        flow.rows,
        [&](std::size_t place, Real* panels) {
          const std::size_t at = place / heads_ * this->in().size() + place % heads_ * head_;
          Real* const shares = kept.shares.get() + place * positions * positions;
          multiply_turned(kept.maps[kQuery].get() + at, kept.maps[kKey].get() + at, panels, shares);
          soften(shares, positions, positions, scale_);
          multiply_weighted(shares, positions, 1, kept.maps[kValue].get() + at, panels, kept.maps[kOut].get() + at);
        },
        kept);
    map_.forward(by.maps[kOut], kept.maps[kOut].get(), vectors, flow.y);
  }

  void backward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow) const override {
    const auto& by = *static_cast<const Packed*>(packed);
    auto& kept = *static_cast<Pass*>(pass);
    const std::size_t positions = this->in().positions;
    const std::size_t vectors = flow.rows * positions;
    map_.backward(by.maps[kOut], flow.y_gradients, vectors, kept.gradients[kOut].get());
    for_heads(
        flow.rows,
        [&](std::size_t place, Real* panels) {
          const std::size_t at = place / heads_ * this->in().size() + place % heads_ * head_;
          const Real* const shares = kept.shares.get() + place * positions * positions;
          const Real* const gradients = kept.gradients[kOut].get() + at;
          Real* const by_scores = kept.share_gradients.get();
          multiply_weighted(shares, 1, positions, gradients, panels, kept.gradients[kValue].get() + at);
          multiply_turned(gradients, kept.maps[kValue].get() + at, panels, by_scores);
          pass_back_shares(shares, by_scores, positions, positions, scale_);
          multiply_weighted(by_scores, positions, 1, kept.maps[kKey].get() + at, panels,
                            kept.gradients[kQuery].get() + at);
          multiply_weighted(by_scores, 1, positions, kept.maps[kQuery].get() + at, panels,
                            kept.gradients[kKey].get() + at);
        },
        kept);
    if (flow.x_gradients == nullptr) return;
    for (const Part part : {kQuery, kKey, kValue})
      map_.backward(by.maps[part], kept.gradients[part].get(), vectors, flow.x_gradients, part != kQuery);
  }

  void add_squared_norms(LayerPass* pass, const Flow<Real>& flow, const NormRequest& request, Scratch& scratch,
                         std::span<double> squared) const override {
    for (const Part part : {kQuery, kKey, kValue, kOut})
      internal::add_squared_norms(factors(pass, flow, part), request.units, request.mode, nullptr, scratch, squared);
  }
  void add_gradients(LayerPass* pass, const Flow<Real>& flow, const Units& units, std::span<const double> weights,
                     Scratch& scratch, double* sum) const override {
    for (const Part part : {kQuery, kKey, kValue, kOut}) {
      double* const here = sum + part * map_.weights();
      add_weighted_gradients(factors(pass, flow, part), units, weights, scratch,
                             {.weight = here, .bias = here + width_ * width_});
    }
  }

 private:
  /// body(row x heads + head, room for a packed matrix)
  template <class Body>
  void for_heads(std::size_t rows, const Body& body, Pass& kept) const {
    for (std::size_t place = 0; place < rows * heads_; ++place) body(place, kept.panels.get());
  }
  /// to (positions x positions) = left right^T, of vectors of one head.
  void multiply_turned(const Real* left, const Real* right, Real* panels, Real* to) const {
    const std::size_t positions = this->in().positions;
    pack_panels(right, head_, positions, 1, width_, panels);
    multiply_rows(RowProduct<Real>{.x = left,
                                   .rows = positions,
                                   .row_stride = width_,
                                   .panels = panels,
                                   .depth = head_,
                                   .columns = positions,
                                   .y = to,
                                   .y_stride = positions});
  }
  /// to (vectors of one head) = weights times vectors; the weights or what is turned of them, by their strides.
  void multiply_weighted(const Real* weights, std::size_t row_stride, std::size_t depth_stride, const Real* vectors,
                         Real* panels, Real* to) const {
    const std::size_t positions = this->in().positions;
    pack_panels(vectors, positions, head_, width_, 1, panels);
    multiply_rows(RowProduct<Real>{.x = weights,
                                   .rows = positions,
                                   .row_stride = row_stride,
                                   .depth_stride = depth_stride,
                                   .panels = panels,
                                   .depth = positions,
                                   .columns = head_,
                                   .y = to,
                                   .y_stride = width_});
  }
  [[nodiscard]] Factors<Real> factors(LayerPass* pass, const Flow<Real>& flow, Part part) const {
    auto& kept = *static_cast<Pass*>(pass);
    if (part == kOut) return map_.factors(kept.maps[kOut].get(), flow.y_gradients, this->in().positions);
    return map_.factors(flow.x, kept.gradients[part].get(), this->in().positions);
  }

  std::size_t width_;
  std::size_t heads_;
  std::size_t head_;
  Real scale_;
  LinearMap<Real> map_;
};

}  // namespace

template <class Real>
MadeLayer<Real> make_attention(const LayerSpec& spec, Shape in, const std::string& name) {
  GAUZE_TRY_VOID(check_channels(spec, in, name));
  if (spec.heads == 0 || spec.in % spec.heads != 0)
    return unfit_layer(spec, name, "has a number of heads that divides its {} channels, not {}", spec.in, spec.heads);
  return std::make_unique<AttentionLayer<Real>>(spec, in, name);
}

template MadeLayer<float> make_attention<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_attention<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
