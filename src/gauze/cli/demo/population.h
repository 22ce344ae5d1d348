#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gauze/random/seeded_random.h"

namespace gauze::cli {

/// One invented person.
struct DemoPerson {
  std::uint64_t number = 0;
  int age = 0;
  std::string_view sex;
  std::string_view origin;
  std::string_view district;
  std::string_view education;
  std::string_view household;
  int hours = 0;
  std::string_view occupation;
  std::string_view income;
};

/// A census-like population for demonstrations and tests: nobody in it exists. How people are drawn is written down in
/// docs/guide/demo.md: skewed origins (82, 9, 6 and 3 %) and districts, and an income that depends on education, age and
/// hours, and besides on sex and origin: a disparity that an evaluation should find.
class DemoPopulation {
 public:
  explicit DemoPopulation(std::uint64_t seed) : random_(seed, 0x64656d6f) {}
  [[nodiscard]] DemoPerson next();

  static const std::vector<std::string>& columns();
  /// The cells of a person, in the order of columns().
  static std::vector<std::string> cells(const DemoPerson& person);
  /// A policy for such a table; all of it is public knowledge about the generator.
  static std::string_view policy();

 private:
  [[nodiscard]] double uniform();
  template <std::size_t N>
  [[nodiscard]] std::size_t choose(const double (&weights)[N]);

  SeededRandom random_;
  std::uint64_t drawn_ = 0;
};

}  // namespace gauze::cli
