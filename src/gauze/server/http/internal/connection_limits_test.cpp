#include "gauze/server/http/internal/connection_limits.h"

#include <gtest/gtest.h>

namespace gauze::server {
namespace connection_limits_test {

using internal::ConnectionLimits;

constexpr ConnectionLimits::Time kNow{std::chrono::hours(1)};

/// How many handshakes in a row are let through, up to so many.
int handshakes(ConnectionLimits& limits, const std::string& place, bool is_reserved, int most,
               ConnectionLimits::Time now = kNow) {
  int through = 0;
  while (through < most && limits.shake_hands(place, false, is_reserved, now)) ++through;
  return through;
}

TEST(HttpConnectionLimits, OnePlaceHasAQuarterOfTheHandshakes) {
  ConnectionLimits limits({.handshakes_per_second = 80});
  EXPECT_EQ(handshakes(limits, "a", false, 100), 20);
  EXPECT_EQ(handshakes(limits, "b", false, 100), 20) << "others have their own";
  EXPECT_EQ(handshakes(limits, "a", false, 100, kNow + std::chrono::milliseconds(500)), 10);
}

TEST(HttpConnectionLimits, OnePlaceHasTenHandshakesASecondAtLeast) {
  ConnectionLimits limits({.handshakes_per_second = 20});
  EXPECT_EQ(handshakes(limits, "a", false, 100), 10);
}

TEST(HttpConnectionLimits, TheLastEighthOfTheHandshakesIsKept) {
  ConnectionLimits limits({.handshakes_per_second = 80});
  int through = 0;
  for (int i = 0; i < 10; ++i) through += handshakes(limits, "a" + std::to_string(i), false, 100);
  EXPECT_EQ(through, 70);
  EXPECT_EQ(handshakes(limits, "b", true, 100), 10);
  ConnectionLimits small({.handshakes_per_second = 1});
  EXPECT_EQ(handshakes(small, "a", false, 10), 1) << "a small limit still lets somebody in";
}

TEST(HttpConnectionLimits, TheLastEighthOfTheConnectionsIsKept) {
  ConnectionLimits limits({.connections = 16});
  int entered = 0;
  while (entered < 100 && limits.enter("a", false, false)) ++entered;
  EXPECT_EQ(entered, 14);
  EXPECT_TRUE(limits.enter("b", false, true));
  EXPECT_TRUE(limits.enter("b", false, true));
  EXPECT_FALSE(limits.enter("b", false, true));
}

TEST(HttpConnectionLimits, AConnectionThatIsRefusedSpendsNothingOfOthers) {
  ConnectionLimits limits({.connections_per_address = 2, .handshakes_per_second = 10});
  for (int i = 0; i < 1'000; ++i) (void)limits.enter("a", false, false);
  EXPECT_EQ(limits.open(), 2U);
  EXPECT_EQ(handshakes(limits, "b", false, 100), 9);
}

TEST(HttpConnectionLimits, PlacesAreForgotten) {
  ConnectionLimits limits({.handshakes_per_second = 1'000});
  for (int i = 0; i < 500; ++i) {
    const std::string place = std::to_string(i);
    EXPECT_TRUE(limits.enter(place, false, false));
    EXPECT_TRUE(limits.shake_hands(place, false, false, kNow));
    limits.leave(place);
  }
  EXPECT_EQ(limits.places(), 500U);
  EXPECT_TRUE(limits.enter("last", false, false));
  EXPECT_TRUE(limits.shake_hands("last", false, false, kNow + std::chrono::seconds(2)));
  EXPECT_EQ(limits.places(), 1U);
  limits.leave("last");
  EXPECT_EQ(handshakes(limits, "0", false, 1'000, kNow + std::chrono::seconds(2)), 250) << "its bucket is whole";
}

TEST(HttpConnectionLimits, LoopbackIsSparedWhereThatIsSaid) {
  ConnectionLimits limits({.connections_per_address = 1, .handshakes_per_second = 1, .spares_loopback = true});
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(limits.enter("127.0.0.1", true, false));
    EXPECT_TRUE(limits.shake_hands("127.0.0.1", true, false, kNow));
  }
}

}  // namespace connection_limits_test
}  // namespace gauze::server
