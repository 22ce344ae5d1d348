#include "gauze/anonymize/inspect/column_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

/// A word in a column's name, what it speaks for, and how easily outsiders learn such a thing.
struct Word {
  std::string_view text;
  Role role;
  int availability;
};

// Longer words come before the shorter ones they contain. Latin words must be words of their own in the name.
constexpr std::array kWords = {
    Word{"name", Role::identifier, 5},
    Word{"surname", Role::identifier, 5},
    Word{"firstname", Role::identifier, 5},
    Word{"lastname", Role::identifier, 5},
    Word{"email", Role::identifier, 5},
    Word{"mail", Role::identifier, 5},
    Word{"phone", Role::identifier, 5},
    Word{"telephone", Role::identifier, 5},
    Word{"mobile", Role::identifier, 5},
    Word{"ssn", Role::identifier, 4},
    Word{"passport", Role::identifier, 3},
    Word{"iban", Role::identifier, 3},
    Word{"account", Role::identifier, 3},
    Word{"id", Role::identifier, 3},
    Word{"uuid", Role::identifier, 2},
    Word{"ip", Role::identifier, 3},
    Word{"\u59d3\u540d", Role::identifier, 5},        // name
    Word{"\u8eab\u4efd\u8bc1", Role::identifier, 4},  // identity card
    Word{"\u7535\u8bdd", Role::identifier, 5},        // telephone
    Word{"\u624b\u673a", Role::identifier, 5},        // mobile
    Word{"\u90ae\u7bb1", Role::identifier, 5},        // mailbox
    Word{"diagnosis", Role::sensitive, 1},
    Word{"disease", Role::sensitive, 1},
    Word{"illness", Role::sensitive, 1},
    Word{"hiv", Role::sensitive, 1},
    Word{"medication", Role::sensitive, 1},
    Word{"salary", Role::sensitive, 2},
    Word{"income", Role::sensitive, 2},
    Word{"wage", Role::sensitive, 2},
    Word{"religion", Role::sensitive, 2},
    Word{"crime", Role::sensitive, 2},
    Word{"debt", Role::sensitive, 1},
    Word{"\u75be\u75c5", Role::sensitive, 1},  // disease
    Word{"\u8bca\u65ad", Role::sensitive, 1},  // diagnosis
    Word{"\u6536\u5165", Role::sensitive, 2},  // income
    Word{"\u5de5\u8d44", Role::sensitive, 2},  // wage
    Word{"\u5b97\u6559", Role::sensitive, 2},  // religion
    Word{"education", Role::quasi, 5},
    Word{"degree", Role::quasi, 5},
    Word{"school", Role::quasi, 5},
    Word{"sex", Role::quasi, 5},
    Word{"gender", Role::quasi, 5},
    Word{"zip", Role::quasi, 5},
    Word{"postcode", Role::quasi, 5},
    Word{"postal", Role::quasi, 5},
    Word{"born", Role::quasi, 5},
    Word{"birth", Role::quasi, 5},
    Word{"birthday", Role::quasi, 5},
    Word{"birthdate", Role::quasi, 5},
    Word{"dob", Role::quasi, 5},
    Word{"age", Role::quasi, 4},
    Word{"relationship", Role::quasi, 4},
    Word{"race", Role::quasi, 4},
    Word{"ethnicity", Role::quasi, 4},
    Word{"city", Role::quasi, 4},
    Word{"town", Role::quasi, 4},
    Word{"region", Role::quasi, 4},
    Word{"state", Role::quasi, 4},
    Word{"address", Role::quasi, 4},
    Word{"occupation", Role::quasi, 3},
    Word{"job", Role::quasi, 3},
    Word{"profession", Role::quasi, 3},
    Word{"marital", Role::quasi, 3},
    Word{"hours", Role::quasi, 3},
    Word{"workclass", Role::quasi, 3},
    Word{"employer", Role::quasi, 4},
    Word{"country", Role::quasi, 2},
    Word{"nationality", Role::quasi, 2},
    Word{"admission", Role::quasi, 2},
    Word{"visit", Role::quasi, 2},
    Word{"\u5b66\u5386", Role::quasi, 5},  // education
    Word{"\u6027\u522b", Role::quasi, 5},  // sex
    Word{"\u90ae\u7f16", Role::quasi, 5},  // postcode
    Word{"\u51fa\u751f", Role::quasi, 5},  // birth
    Word{"\u751f\u65e5", Role::quasi, 5},  // birthday
    Word{"\u5e74\u9f84", Role::quasi, 4},  // age
    Word{"\u6c11\u65cf", Role::quasi, 4},  // ethnicity
    Word{"\u57ce\u5e02", Role::quasi, 4},  // city
    Word{"\u5730\u5740", Role::quasi, 4},  // address
    Word{"\u804c\u4e1a", Role::quasi, 3},  // occupation
    Word{"\u5a5a\u59fb", Role::quasi, 3},  // marriage
    Word{"\u56fd\u7c4d", Role::quasi, 2},  // nationality
};

bool is_latin(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// The words of a name: split at anything that is no letter and where a capital follows a small letter, in lower case.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  char before = ' ';
  for (const char c : name) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    const bool hump =
        std::isupper(static_cast<unsigned char>(c)) != 0 && std::islower(static_cast<unsigned char>(before)) != 0;
    if (!letter || hump) words.emplace_back();
    if (letter) words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    before = c;
  }
  return words;
}

const Word* find_word(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  const Word* found = nullptr;
  for (const Word& word : kWords) {
    const bool matches = is_latin(word.text.front()) ? std::find(words.begin(), words.end(), word.text) != words.end()
                                                     : name.find(word.text) != std::string_view::npos;
    // A quasi-identifier's word says more than "name" or "id": city_name, country_id.
    if (matches && (found == nullptr || (found->role == Role::identifier && word.role != Role::identifier)))
      found = &word;
  }
  return found;
}

}  // namespace

SuggestedRole suggest_role(std::string_view name, const table::ColumnSummary& summary, std::uint64_t rows) {
  const std::uint64_t present = rows - std::min(rows, summary.missing);
  if (summary.distinct <= 1) return {Role::insensitive, "it has at most one value"};
  const double uniqueness =
      static_cast<double>(summary.distinct) / static_cast<double>(std::max<std::uint64_t>(present, 1));
  constexpr std::uint64_t kFew = 20;  // in a tiny table everything is unique
  const Word* word = find_word(name);
  if (word != nullptr && word->role == Role::sensitive)
    return {Role::sensitive, fmt::format("its name says '{}'", word->text)};
  if (word != nullptr && word->role == Role::quasi)
    return {Role::quasi, fmt::format("its name says '{}', which outsiders may know", word->text)};
  if (present > kFew && uniqueness >= 0.9 && summary.type != table::ColumnType::number)
    return {Role::identifier, "nearly every row has a value of its own"};
  if (word != nullptr) return {Role::identifier, fmt::format("its name says '{}'", word->text)};
  if (present > kFew && uniqueness > 0.5)
    return {Role::insensitive, "most rows have a value of their own; round or drop it if outsiders may know it"};
  if (summary.type == table::ColumnType::date) return {Role::quasi, "dates link to events that outsiders know of"};
  if (summary.type == table::ColumnType::number) return {Role::insensitive, "measurements are seldom known outside"};
  return {Role::quasi, "its values repeat, so that together with others they single out people"};
}

bool names_an_identifier(std::string_view name) {
  const Word* word = find_word(name);
  return word != nullptr && word->role == Role::identifier;
}

int default_availability(std::string_view name, Role role) {
  if (const Word* word = find_word(name)) return word->availability;
  switch (role) {
    case Role::identifier:
      return 3;
    case Role::sensitive:
    case Role::target:
      return 1;
    default:
      return 2;
  }
}

}  // namespace gauze::anonymize
