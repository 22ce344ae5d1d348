#pragma once
// One line a mechanism: its own file defines it, local_mechanism.cpp lists it.

#include "gauze/collect/mechanisms/local_mechanism.h"

namespace gauze::collect {

extern const LocalMechanism kDirectEncoding;
extern const LocalMechanism kSymmetricUnary;
extern const LocalMechanism kOptimisedUnary;
extern const LocalMechanism kThresholdHistogram;
extern const LocalMechanism kSummedHistogram;
extern const LocalMechanism kBinaryHashing;
extern const LocalMechanism kOptimisedHashing;
extern const LocalMechanism kHadamardResponse;
extern const LocalMechanism kSubsetSelection;
extern const LocalMechanism kDuchi;
extern const LocalMechanism kPiecewise;
extern const LocalMechanism kHybrid;
extern const LocalMechanism kLaplace;

}  // namespace gauze::collect
