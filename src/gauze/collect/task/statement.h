#pragma once

#include "gauze/collect/task/task.h"

namespace gauze::collect {

/// Plain sentences for whoever is asked: what is asked, how it is disturbed, how often, what it costs, how long it is kept.
[[nodiscard]] Statement make_statement(const TaskSpec& spec, const LocalMechanism& mechanism,
                                       std::uint64_t cost_nano);

}  // namespace gauze::collect
