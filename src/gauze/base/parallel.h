#pragma once

#include <cstddef>
#include <functional>

namespace gauze {

/// How many threads parallel loops use. 0 means one a core, more than 1024 means 1024. Set once, at the
/// start of a program.
void set_thread_count(int count);
[[nodiscard]] int thread_count();

/// Calls body(begin, end) for consecutive pieces of [0, size), each at most `grain` long, on a small shared pool, and
/// returns when all are done. Pieces are the same whatever the number of threads, so a result that is combined by
/// piece does not depend on it. Loops may nest: an inner loop runs on the thread that called it. An exception of the
/// body ends the program: library code reports errors as values.
void parallel_for(std::size_t size, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace gauze
