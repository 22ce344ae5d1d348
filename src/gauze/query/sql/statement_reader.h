#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "gauze/query/sql/syntax.h"
#include "gauze/query/sql/tokens.h"

namespace gauze::query {

/// The statement of a tree as PostgreSQL's parser makes it.
[[nodiscard]] Result<std::unique_ptr<Select>> read_statement(const nlohmann::json& tree, const Tokens& tokens);

}  // namespace gauze::query
