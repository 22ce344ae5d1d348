#include "gauze/table/spreadsheet_cell.h"

#include <gtest/gtest.h>

namespace gauze::table {
namespace spreadsheet_cell_test {

TEST(SpreadsheetCell, WhatASpreadsheetRunsIsAFormula) {
  for (const char* cell : {"=1+1",        "=cmd|' /C calc'!A0",
                           "@SUM(A1)",    "+A1",
                           "-A1",         "-2+3",
                           "+1-1",        "-5 kg",
                           "-1e",         "-1e5x",
                           "+49 89 1234", "-.",
                           "-,,",         "\t=1",
                           "\tname",      "\rname",
                           " =1",         " \tname",
                           "--1",         "=",
                           "-e5",         "\uff1d1+1",
                           "\uff0b1+A1",  "\uff20SUM(A1)"})
    EXPECT_TRUE(is_formula(cell)) << cell;
}

TEST(SpreadsheetCell, NumbersSignsAndOtherTextsAreNone) {
  for (const char* cell :
       {"-5",       "+3.2", "-1e9", "-1E+9",  "-0.5e-12", "-1.234,5", "+1,000,000.00", "-.5",  "-5.", "- ",  "-",
        "+",        "--",   "+-",   "",       " ",        "\t",       "\r\n",          "name", "a=b", "'=1", "1-2",
        "[20, 30)", "*",    "-5 ",  "\uff0d5"})
    EXPECT_FALSE(is_formula(cell)) << cell;
}

TEST(SpreadsheetCell, AnApostropheMakesATextOfEveryFormula) {
  for (const char* cell : {"=1+1", "@a", "+a", "-a", "\ta", "\ra"})
    EXPECT_FALSE(is_formula(kTextSign + std::string(cell))) << cell;
}

TEST(SpreadsheetCell, TextsThatDifferStayDifferent) {
  for (const char* cell : {"=1", "'=1", "''=1", "'-a"}) EXPECT_TRUE(needs_text_sign(cell)) << cell;
  for (const char* cell : {"'", "'a", "'-5", "a", "", "''"}) EXPECT_FALSE(needs_text_sign(cell)) << cell;
}

}  // namespace spreadsheet_cell_test
}  // namespace gauze::table
