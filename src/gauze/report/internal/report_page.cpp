// The page as bytes of the program: the assembler copies the file, which is quicker than compiling it as a literal.
#include "gauze/report/internal/report_page.h"

#include <cstddef>
#include <cstdint>

// GAUZE_REPORT_PAGE is the file; CMakeLists.txt defines it and makes this source depend on it.
asm(".pushsection .rodata\n"
    ".globl gauze_report_page_begin\n"
    ".hidden gauze_report_page_begin\n"
    "gauze_report_page_begin:\n"
    ".incbin \"" GAUZE_REPORT_PAGE
    "\"\n"
    ".globl gauze_report_page_end\n"
    ".hidden gauze_report_page_end\n"
    "gauze_report_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
[[gnu::visibility("hidden")]] extern const char gauze_report_page_begin[];
[[gnu::visibility("hidden")]] extern const char gauze_report_page_end[];
}

namespace gauze::internal {

std::string_view report_page() {
  const auto begin = reinterpret_cast<std::uintptr_t>(gauze_report_page_begin);
  const auto end = reinterpret_cast<std::uintptr_t>(gauze_report_page_end);
  return {gauze_report_page_begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace gauze::internal
