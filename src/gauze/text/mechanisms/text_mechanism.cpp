#include "gauze/text/mechanisms/text_mechanism.h"

namespace gauze::text {

MechanismOptions MechanismOptions::at(const Rational& other_epsilon) const {
  MechanismOptions result = *this;
  result.epsilon = other_epsilon;
  return result;
}

Result<TextMechanism> TextMechanism::make(const WordVectors& vectors, const MechanismOptions& options) {
  if ((options.gamma || options.beta) && options.kind != MechanismKind::tem)
    return invalid_parameter("gamma and beta are parameters of tem, not of {}", to_string(options.kind));
  if (options.sensitive.has_value() != (options.kind == MechanismKind::santext_plus))
    return invalid_parameter("sensitive words belong to santext+, which needs them; the mechanism is {}",
                             to_string(options.kind));
  if (options.sensitive && options.sensitive->marked.size() != vectors.size())
    return invalid_parameter("the sensitive words are marked among {} words, the vocabulary has {}",
                             options.sensitive->marked.size(), vectors.size());
  if (options.as_published && !is_softmax(options.kind) && options.kind != MechanismKind::dchi)
    return invalid_parameter("{} has no form as published", to_string(options.kind));
  TextMechanism result(vectors, options);
  if (is_softmax(options.kind)) {
    GAUZE_TRY_VOID(result.make_softmax());
    return result;
  }
  if (options.kind == MechanismKind::custext) {
    GAUZE_TRY(CustextMechanism mechanism,
              CustextMechanism::make(vectors, {.epsilon = options.epsilon, .size = options.set_size}));
    result.custext_ = std::make_unique<CustextMechanism>(std::move(mechanism));
    return result;
  }
  DchiMechanism::Options noise{.epsilon = options.epsilon};
  if (options.kind == MechanismKind::mahalanobis) noise.lambda = options.lambda;
  if (options.kind == MechanismKind::vickrey) noise.t = options.t;
  GAUZE_TRY(DchiMechanism mechanism, DchiMechanism::make(vectors, noise));
  result.dchi_ = std::make_unique<DchiMechanism>(std::move(mechanism));
  if (options.as_published) result.published_dchi_ = std::make_unique<PublishedDchi>(*result.dchi_);
  return result;
}

Result<void> TextMechanism::make_softmax() {
  SoftmaxMechanism::Options options{.epsilon = options_.epsilon, .gamma = options_.gamma, .beta = options_.beta};
  options.kind = kind() == MechanismKind::tem            ? SoftmaxKind::tem
                 : kind() == MechanismKind::santext_plus ? SoftmaxKind::santext_plus
                                                         : SoftmaxKind::santext;
  if (options_.sensitive) {
    options.p = options_.p;
    options.sensitive = options_.sensitive->marked;
  }
  GAUZE_TRY(WordMetric metric, WordMetric::make(vectors_));
  GAUZE_TRY(SoftmaxMechanism mechanism, SoftmaxMechanism::make(std::move(metric), options));
  softmax_ = std::make_unique<SoftmaxMechanism>(std::move(mechanism));
  if (!as_published()) return {};
  std::optional<double> gamma;
  if (options.gamma) gamma = options.gamma->to_double();
  if (options.beta)
    gamma = PublishedSoftmax::published_gamma(epsilon().to_double(), options.beta->to_double(), vectors_.size());
  published_softmax_ = std::make_unique<PublishedSoftmax>(*softmax_, gamma);
  return {};
}

}  // namespace gauze::text
