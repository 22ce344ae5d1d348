#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/words.h"
#include "gauze/text/mechanisms/custext_mechanism.h"
#include "gauze/text/mechanisms/dchi_mechanism.h"
#include "gauze/text/mechanisms/published_dchi.h"
#include "gauze/text/mechanisms/published_softmax.h"
#include "gauze/text/mechanisms/sensitive_words.h"
#include "gauze/text/mechanisms/softmax_mechanism.h"

namespace gauze::text {

enum class MechanismKind { santext, santext_plus, tem, dchi, mahalanobis, vickrey, custext };

/// As users name them.
inline constexpr Words<MechanismKind, 7> kMechanismWords = {{{MechanismKind::santext, "santext"},
                                                             {MechanismKind::santext_plus, "santext+"},
                                                             {MechanismKind::tem, "tem"},
                                                             {MechanismKind::dchi, "dchi"},
                                                             {MechanismKind::mahalanobis, "mahalanobis"},
                                                             {MechanismKind::vickrey, "vickrey"},
                                                             {MechanismKind::custext, "custext"}}};
[[nodiscard]] constexpr std::string_view to_string(MechanismKind kind) { return word_of(kMechanismWords, kind); }

/// Whether it adds noise to vectors (DchiMechanism): there is a closed law in special cases only.
[[nodiscard]] constexpr bool adds_noise(MechanismKind kind) {
  return kind == MechanismKind::dchi || kind == MechanismKind::mahalanobis || kind == MechanismKind::vickrey;
}
/// Whether it draws by weights over one list of outputs (SoftmaxMechanism).
[[nodiscard]] constexpr bool is_softmax(MechanismKind kind) {
  return !adds_noise(kind) && kind != MechanismKind::custext;
}

/// Any of the mechanisms that replace words, by its name and parameters.
struct MechanismOptions {
  MechanismKind kind = MechanismKind::santext;
  Rational epsilon = 0;                                    ///< required, positive: a unit of distance
  std::optional<Rational> gamma = std::nullopt;            ///< tem: see SoftmaxMechanism; this ...
  std::optional<Rational> beta = std::nullopt;             ///< ... or this
  Rational p{3, 10};                                       ///< santext+: how often a common word is replaced
  std::optional<SensitiveWords> sensitive = std::nullopt;  ///< santext+: required
  Rational lambda{1, 5};                                   ///< mahalanobis: how much the covariance counts
  Rational t{1, 2};                                        ///< vickrey: how much the second-nearest word is preferred
  std::size_t set_size = CustextMechanism::kUsualSize;     ///< custext: words in an output set
  bool as_published = false;  ///< the papers' floating point, without a guarantee; santext, santext+, tem, dchi

  [[nodiscard]] MechanismOptions at(const Rational& other_epsilon) const;
};

/// A mechanism on a vocabulary: softmax(), dchi() or custext(), and as published what is drawn from instead of it. Guarantees are those
/// of SoftmaxMechanism, DchiMechanism and CustextMechanism; as published there is none (PublishedSoftmax, PublishedDchi).
///
/// Thread safety: const members may be called concurrently. What it gives access to lives as long as it does; moving keeps it.
class TextMechanism {
 public:
  /// `invalid_parameter` where a parameter is missing, out of range or of another mechanism.
  [[nodiscard]] static Result<TextMechanism> make(const WordVectors& vectors, const MechanismOptions& options);

  [[nodiscard]] const MechanismOptions& options() const { return options_; }
  [[nodiscard]] MechanismKind kind() const { return options_.kind; }
  [[nodiscard]] std::string_view name() const { return to_string(options_.kind); }
  [[nodiscard]] const Rational& epsilon() const { return options_.epsilon; }
  [[nodiscard]] bool as_published() const { return options_.as_published; }
  [[nodiscard]] const WordVectors& vectors() const { return vectors_; }

  [[nodiscard]] const SoftmaxMechanism* softmax() const { return softmax_.get(); }  ///< null for the others
  [[nodiscard]] const DchiMechanism* dchi() const { return dchi_.get(); }           ///< null unless adds_noise()
  [[nodiscard]] const CustextMechanism* custext() const { return custext_.get(); }  ///< null for the others
  [[nodiscard]] const PublishedSoftmax* published_softmax() const { return published_softmax_.get(); }
  [[nodiscard]] const PublishedDchi* published_dchi() const { return published_dchi_.get(); }

 private:
  TextMechanism(WordVectors vectors, MechanismOptions options)
      : vectors_(std::move(vectors)), options_(std::move(options)) {}
  [[nodiscard]] Result<void> make_softmax();

  WordVectors vectors_;
  MechanismOptions options_;
  std::unique_ptr<SoftmaxMechanism> softmax_;
  std::unique_ptr<DchiMechanism> dchi_;
  std::unique_ptr<CustextMechanism> custext_;
  std::unique_ptr<PublishedSoftmax> published_softmax_;
  std::unique_ptr<PublishedDchi> published_dchi_;
};

}  // namespace gauze::text
