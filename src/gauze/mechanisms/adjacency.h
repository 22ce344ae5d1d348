#pragma once

namespace gauze {

/// Which inputs a sensitivity is about: one privacy unit added or removed, or one replaced by another.
enum class Adjacency { add_remove, replace_one };

}  // namespace gauze
