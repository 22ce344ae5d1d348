#include "gauze/table/testing/source_conformance.h"

namespace gauze::table {
namespace source_conformance_test {

INSTANTIATE_TEST_SUITE_P(MemoryTable, SourceConformance,
                         ::testing::Values(SourceMaker{"Typed",
                                                       [](const ConformanceTable& table) {
                                                         return std::make_unique<MemoryTable>(table.in_memory());
                                                       }},
                                           SourceMaker{"SmallBatches",
                                                       [](const ConformanceTable& table) {
                                                         return std::make_unique<MemoryTable>(table.names, table.rows,
                                                                                              table.null_tokens, 2);
                                                       }}),
                         maker_name);

}  // namespace source_conformance_test
}  // namespace gauze::table
