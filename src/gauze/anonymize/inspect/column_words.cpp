#include "gauze/anonymize/inspect/column_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

using Word = ColumnWord;

// English, Chinese, German and French. Latin words must be words of their own in the name, without accents; a star at the
// end stands for any ending.
constexpr std::array kWords = {
    Word{"name", Role::identifier, 5},
    Word{"surname", Role::identifier, 5, true},
    Word{"firstname", Role::identifier, 5, true},
    Word{"lastname", Role::identifier, 5, true},
    Word{"email", Role::identifier, 5, true},
    Word{"mail", Role::identifier, 5, true},
    Word{"phone", Role::identifier, 5, true},
    Word{"telephone", Role::identifier, 5, true},
    Word{"mobile", Role::identifier, 5, true},
    Word{"ssn", Role::identifier, 4, true},
    Word{"passport", Role::identifier, 3, true},
    Word{"iban", Role::identifier, 3, true},
    Word{"account", Role::identifier, 3},
    Word{"id", Role::identifier, 3},
    Word{"uuid", Role::identifier, 2, true},
    Word{"ip", Role::identifier, 3},
    Word{"\u59d3\u540d", Role::identifier, 5, true},        // name
    Word{"\u8eab\u4efd\u8bc1", Role::identifier, 4, true},  // identity card
    Word{"\u7535\u8bdd", Role::identifier, 5, true},        // telephone
    Word{"\u624b\u673a", Role::identifier, 5, true},        // mobile
    Word{"\u90ae\u7bb1", Role::identifier, 5, true},        // mailbox
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
    Word{"\u5b66\u5386", Role::quasi, 5},                   // education
    Word{"\u6027\u522b", Role::quasi, 5},                   // sex
    Word{"\u90ae\u7f16", Role::quasi, 5},                   // postcode
    Word{"\u51fa\u751f", Role::quasi, 5},                   // birth
    Word{"\u751f\u65e5", Role::quasi, 5},                   // birthday
    Word{"\u5e74\u9f84", Role::quasi, 4},                   // age
    Word{"\u6c11\u65cf", Role::quasi, 4},                   // ethnicity
    Word{"\u57ce\u5e02", Role::quasi, 4},                   // city
    Word{"\u5730\u5740", Role::quasi, 4},                   // address
    Word{"\u804c\u4e1a", Role::quasi, 3},                   // occupation
    Word{"\u5a5a\u59fb", Role::quasi, 3},                   // marriage
    Word{"\u56fd\u7c4d", Role::quasi, 2},                   // nationality
    Word{"\u62a4\u7167", Role::identifier, 3, true},        // passport
    Word{"\u5fae\u4fe1", Role::identifier, 3, true},        // WeChat
    Word{"\u8f66\u724c", Role::identifier, 3, true},        // number plate
    Word{"\u75c5\u5386\u53f7", Role::identifier, 3, true},  // record number
    Word{"\u4f4f\u9662\u53f7", Role::identifier, 3, true},  // number of a stay
    Word{"\u5b66\u53f7", Role::identifier, 3, true},        // student number
    Word{"\u5de5\u53f7", Role::identifier, 3, true},        // staff number
    Word{"\u5361\u53f7", Role::identifier, 3, true},        // card number
    Word{"\u8d26\u53f7", Role::identifier, 3, true},        // account
    Word{"\u7f16\u53f7", Role::identifier, 3},              // number
    Word{"\u5730\u533a", Role::quasi, 4},                   // region
    Word{"\u53bf", Role::quasi, 4},                         // county
    Word{"\u6751", Role::quasi, 4},                         // village
    Word{"\u5355\u4f4d", Role::quasi, 4},                   // employer
    Word{"\u6237\u7c4d", Role::quasi, 3},                   // registered residence
    Word{"\u75c5", Role::sensitive, 1},                     // illness
    Word{"\u836f", Role::sensitive, 1},                     // medication
    Word{"\u85aa", Role::sensitive, 1},                     // pay
    Word{"\u7f6a", Role::sensitive, 1},                     // crime
    Word{"\u75c5\u6848\u53f7", Role::identifier, 3, true},  // record number
    Word{"\u533b\u4fdd\u53f7", Role::identifier, 3, true},  // number of health insurance
    Word{"\u793e\u4fdd\u53f7", Role::identifier, 3, true},  // number of social security
    Word{"\u95e8\u8bca\u53f7", Role::identifier, 3, true},  // number of a visit
    Word{"\u5c31\u8bca\u53f7", Role::identifier, 3, true},  // number of a treatment
    Word{"\u767b\u8bb0\u53f7", Role::identifier, 3, true},  // number of a registration
    Word{"\u8bc1\u4ef6\u53f7", Role::identifier, 3, true},  // number of a paper
    Word{"\u51c6\u8003\u8bc1", Role::identifier, 3, true},  // admission to an examination
    Word{"\u5065\u5eb7\u5361", Role::identifier, 3, true},  // health card
    Word{"\u94f6\u884c\u5361", Role::identifier, 3, true},  // bank card
    Word{"\u8d26\u6237", Role::identifier, 3, true},        // account
    Word{"mrn", Role::identifier, 3, true},
    Word{"imei", Role::identifier, 3, true},
    Word{"username", Role::identifier, 3, true},
    Word{"login", Role::identifier, 3, true},
    Word{"nickname", Role::identifier, 3, true},
    Word{"vorname", Role::identifier, 4, true},
    Word{"nachname", Role::identifier, 4, true},
    Word{"zuname", Role::identifier, 4, true},
    Word{"familienname", Role::identifier, 4, true},
    Word{"telefon*", Role::identifier, 4, true},
    Word{"handy*", Role::identifier, 4, true},
    Word{"mobilnummer", Role::identifier, 4, true},
    Word{"ausweis*", Role::identifier, 4, true},
    Word{"reisepass*", Role::identifier, 4, true},
    Word{"versichertennummer", Role::identifier, 4, true},
    Word{"krankenversicherungsnummer", Role::identifier, 4, true},
    Word{"steuernummer", Role::identifier, 4, true},
    Word{"sozialversicherungsnummer", Role::identifier, 4, true},
    Word{"kundennummer", Role::identifier, 4, true},
    Word{"kontonummer", Role::identifier, 4, true},
    Word{"personalnummer", Role::identifier, 4, true},
    Word{"matrikelnummer", Role::identifier, 4, true},
    Word{"patientennummer", Role::identifier, 4, true},
    Word{"aktenzeichen", Role::identifier, 4, true},
    Word{"geburt*", Role::quasi, 5},
    Word{"geschlecht", Role::quasi, 5},
    Word{"plz", Role::quasi, 5},
    Word{"postleitzahl", Role::quasi, 5},
    Word{"wohnort", Role::quasi, 4},
    Word{"ort", Role::quasi, 4},
    Word{"stadt", Role::quasi, 4},
    Word{"strasse", Role::quasi, 4},
    Word{"anschrift", Role::quasi, 4},
    Word{"adresse", Role::quasi, 4},
    Word{"alter", Role::quasi, 4},
    Word{"jahrgang", Role::quasi, 4},
    Word{"bundesland", Role::quasi, 4},
    Word{"landkreis", Role::quasi, 4},
    Word{"gemeinde", Role::quasi, 4},
    Word{"beruf", Role::quasi, 3},
    Word{"familienstand", Role::quasi, 3},
    Word{"staatsangehorigkeit", Role::quasi, 3},
    Word{"staatsangehoerigkeit", Role::quasi, 3},
    Word{"nationalitat", Role::quasi, 3},
    Word{"nationalitaet", Role::quasi, 3},
    Word{"bildung", Role::quasi, 3},
    Word{"schulabschluss", Role::quasi, 3},
    Word{"arbeitgeber", Role::quasi, 3},
    Word{"land", Role::quasi, 3},
    Word{"diagnose*", Role::sensitive, 1},
    Word{"krankheit*", Role::sensitive, 1},
    Word{"erkrankung*", Role::sensitive, 1},
    Word{"medikament*", Role::sensitive, 1},
    Word{"befund", Role::sensitive, 1},
    Word{"gehalt", Role::sensitive, 1},
    Word{"einkommen", Role::sensitive, 1},
    Word{"lohn", Role::sensitive, 1},
    Word{"konfession", Role::sensitive, 1},
    Word{"schulden", Role::sensitive, 1},
    Word{"straftat*", Role::sensitive, 1},
    Word{"nom", Role::identifier, 5},
    Word{"prenom", Role::identifier, 5, true},
    Word{"courriel", Role::identifier, 4, true},
    Word{"portable", Role::identifier, 4, true},
    Word{"nir", Role::identifier, 4, true},
    Word{"matricule", Role::identifier, 4, true},
    Word{"passeport", Role::identifier, 4, true},
    Word{"naissance", Role::quasi, 4},
    Word{"sexe", Role::quasi, 4},
    Word{"ville", Role::quasi, 4},
    Word{"commune", Role::quasi, 4},
    Word{"departement", Role::quasi, 4},
    Word{"rue", Role::quasi, 4},
    Word{"metier", Role::quasi, 3},
    Word{"pays", Role::quasi, 3},
    Word{"nationalite", Role::quasi, 3},
    Word{"etudes", Role::quasi, 3},
    Word{"diplome", Role::quasi, 3},
    Word{"employeur", Role::quasi, 3},
    Word{"maladie", Role::sensitive, 1},
    Word{"diagnostic", Role::sensitive, 1},
    Word{"traitement", Role::sensitive, 1},
    Word{"salaire", Role::sensitive, 1},
    Word{"revenu*", Role::sensitive, 1},
    Word{"dette*", Role::sensitive, 1},
    Word{"croyance", Role::sensitive, 1},
};

/// What people and their papers are numbered by: beside "number", "no" or "nr", or written together with it or with "id".
constexpr std::array<std::string_view, 33> kNumbered = {
    "record",   "patient", "customer",    "client",  "member",  "card",       "policy",    "case",     "file",
    "employee", "student", "licence",     "license", "invoice", "insurance",  "dossier",   "nhs",      "user",
    "person",   "account", "participant", "subject", "health",  "respondent", "household", "national", "tax",
    "hospital", "visitor", "encounter",   "chart",   "medical", "staff"};
constexpr std::array<std::string_view, 6> kNumber = {"number", "no", "nr", "num", "numero", "nummer"};
constexpr Word kRecordNumber{"number", Role::identifier, 3, true};
constexpr Word kRecordId{"id", Role::identifier, 3};

/// Words beside which "phone" or "email" speaks of something else: its kind, whether there is one, how many.
constexpr std::array<std::string_view, 26> kAspects = {
    "type",     "opt",      "flag",  "consent",  "has",     "is",       "status",    "kind",      "verified",
    "provider", "count",    "num",   "payments", "allowed", "accepted", "brand",     "preferred", "preference",
    "contact",  "operator", "model", "network",  "carrier", "valid",    "frequency", "subscribed"};

/// Things that have names of their own: a "product_name" is no person's.
constexpr std::array<std::string_view, 33> kThings = {
    "product",    "item",    "brand",  "drug",     "medicine", "company", "file",  "event",    "course",
    "department", "ward",    "test",   "station",  "hotel",    "book",    "film",  "movie",    "game",
    "team",       "project", "device", "app",      "domain",   "host",    "model", "variable", "column",
    "table",      "field",   "class",  "category", "produkt",  "produit"};

bool is_latin(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// Letters with accents, as they are without.
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kPlain = {{{"\u00e0", "a"},
                                                                                   {"\u00e2", "a"},
                                                                                   {"\u00e4", "a"},
                                                                                   {"\u00c4", "A"},
                                                                                   {"\u00e7", "c"},
                                                                                   {"\u00e8", "e"},
                                                                                   {"\u00e9", "e"},
                                                                                   {"\u00c9", "E"},
                                                                                   {"\u00ea", "e"},
                                                                                   {"\u00eb", "e"},
                                                                                   {"\u00ee", "i"},
                                                                                   {"\u00ef", "i"},
                                                                                   {"\u00f4", "o"},
                                                                                   {"\u00f6", "o"},
                                                                                   {"\u00d6", "O"},
                                                                                   {"\u00f9", "u"},
                                                                                   {"\u00fb", "u"},
                                                                                   {"\u00fc", "u"},
                                                                                   {"\u00df", "ss"}}};

std::string without_accents(std::string_view name) {
  std::string plain;
  while (!name.empty()) {
    const auto found = std::find_if(kPlain.begin(), kPlain.end(),
                                    [&](const auto& letter) { return name.starts_with(letter.first); });
    plain += found == kPlain.end() ? name.substr(0, 1) : found->second;
    name.remove_prefix(found == kPlain.end() ? 1 : found->first.size());
  }
  return plain;
}

/// The words of a name: split at anything that is no letter and where a capital follows a small letter, in lower case.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  char before = ' ';
  for (const char c : without_accents(name)) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    const bool hump =
        std::isupper(static_cast<unsigned char>(c)) != 0 && std::islower(static_cast<unsigned char>(before)) != 0;
    if (!letter || hump) words.emplace_back();
    if (letter) words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    before = c;
  }
  return words;
}

bool matches(const Word& word, std::string_view name, const std::vector<std::string>& words) {
  if (!is_latin(word.text.front())) return name.find(word.text) != std::string_view::npos;
  if (!word.text.ends_with('*')) return std::find(words.begin(), words.end(), word.text) != words.end();
  const std::string_view beginning = word.text.substr(0, word.text.size() - 1);
  return std::any_of(words.begin(), words.end(), [&](const std::string& one) { return one.starts_with(beginning); });
}

template <std::size_t N>
bool is_one(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

template <std::size_t N>
bool holds_one(const std::vector<std::string>& words, const std::array<std::string_view, N>& list) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return is_one(word, list); });
}

/// "patientid", "recordno": a thing that is numbered, and its number, in one word.
const Word* find_compound(std::string_view word) {
  const auto rest_is_numbered = [&](std::string_view ending) {
    return word.ends_with(ending) && is_one(word.substr(0, word.size() - ending.size()), kNumbered);
  };
  if (rest_is_numbered("id")) return &kRecordId;
  return std::any_of(kNumber.begin(), kNumber.end(), rest_is_numbered) ? &kRecordNumber : nullptr;
}

/// A record's number: "card no", "nhs_number", "numero dossier"; "num_card_payments" counts payments.
const Word* find_number(const std::vector<std::string>& all) {
  std::vector<std::string_view> words;
  for (const std::string& word : all)
    if (!word.empty()) words.push_back(word);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const Word* const compound = find_compound(words[i])) return compound;
    if (i + 1 == words.size()) break;
    const bool number_behind = is_one(words[i], kNumbered) && is_one(words[i + 1], kNumber);
    const bool number_in_front =
        is_one(words[i], kNumber) && is_one(words[i + 1], kNumbered) && i + 2 == words.size();
    if (number_behind || number_in_front) return &kRecordNumber;
  }
  return nullptr;
}

/// What speaks loudest: a word that always means an identifier, then "diagnosis" or "city", which say more than the "name"
/// or "id" beside them, then these.
int loudness(const Word& word) {
  if (word.always) return 2;
  return word.role == Role::identifier ? 0 : 1;
}

}  // namespace

bool speaks_of_an_aspect(std::string_view name) { return holds_one(words_of(name), kAspects); }

bool speaks_of_an_amount(std::string_view name) {
  constexpr std::array<std::string_view, 26> kLatin = {
      "amount", "price",    "cost",     "total",  "balance", "income",  "salary", "wage",   "revenue",
      "sales",  "turnover", "value",    "charge", "payment", "loan",    "debt",   "weight", "volume",
      "size",   "area",     "distance", "betrag", "preis",   "montant", "prix",   "gain"};
  constexpr std::array<std::string_view, 7> kChinese = {"金额", "价格", "价", "工资", "收入", "余额", "面积"};
  return holds_one(words_of(name), kLatin) ||
         std::any_of(kChinese.begin(), kChinese.end(),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

std::optional<std::string_view> numbering_word(std::string_view name) {
  constexpr std::array<std::string_view, 6> kChinese = {"编号", "序号", "代码", "号码", "编码", "号"};
  for (const std::string_view word : kChinese)
    if (name.ends_with(word)) return word;
  constexpr std::array<std::string_view, 8> kLatin = {"id", "uid", "code", "ref", "nr", "no", "number", "key"};
  const std::vector<std::string> words = words_of(name);
  const auto found = std::find(kLatin.begin(), kLatin.end(), words.back());
  if (words.size() < 2 || found == kLatin.end()) return std::nullopt;
  return *found;
}

const ColumnWord* find_word(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  const Word* found = find_number(words);
  const bool of_a_thing = holds_one(words, kThings);
  for (const Word& word : kWords)
    if (matches(word, name, words) && !(of_a_thing && (word.text == "name" || word.text == "nom")) &&
        (found == nullptr || loudness(word) > loudness(*found)))
      found = &word;
  return found;
}

}  // namespace gauze::anonymize
