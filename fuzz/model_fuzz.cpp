// Any bytes give a model that answers and reads back from what is written of it, or an error.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "gauze/learn/model/model_kinds.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gauze::learn;
  const auto model = ModelFile::parse({reinterpret_cast<const char*>(data), size});
  if (!model) return 0;
  const auto back = ModelFile::parse(model->to_bytes());
  if (!back || !(back->description == model->description) || back->tensors != model->tensors) std::abort();
  const auto predictor = make_predictor(*model);
  if (!predictor) std::abort();
  if ((*predictor)->inputs() > 100'000) return 0;
  const std::vector<float> inputs((*predictor)->inputs(), 0.5F);
  std::vector<float> outputs((*predictor)->outputs());
  (*predictor)->predict(inputs, 1, outputs);
  return 0;
}
