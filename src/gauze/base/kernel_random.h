#pragma once

#include <span>

namespace gauze {

/// Fills the bytes from the kernel's generator (getrandom), which every process and container asks anew: no state of this
/// process is involved that a fork, a clone or a restored image could repeat. Waits while the generator is not seeded yet;
/// a kernel without one ends the program, since there is no weaker way to go on.
void fill_from_kernel(std::span<unsigned char> bytes);

}  // namespace gauze
