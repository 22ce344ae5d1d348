#include <gauze/base/rational.h>

#include <cstdio>

int main() {
  const auto share = gauze::Rational::parse("0.29");
  if (!share) return 1;
  std::printf("%s\n", (*share * 100).to_decimal().c_str());
}
