#include "gauze/anonymize/inspect/person_names.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "gauze/base/ascii.h"

namespace gauze::anonymize {
namespace {

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/// The commonest Chinese surnames; more than four in five people have one of them.
constexpr std::string_view kSurnames =
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖"
    "石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤";

bool may_be_chinese_name(std::string_view value) {
  constexpr std::size_t kBytes = 3;  // of a character
  if (value.size() < 2 * kBytes || value.size() > 4 * kBytes || value.size() % kBytes != 0) return false;
  for (std::size_t i = 0; i < value.size(); i += kBytes) {
    const auto lead = static_cast<unsigned char>(value[i]);
    if (lead < 0xE4 || lead > 0xE9) return false;
  }
  const std::size_t place = kSurnames.find(value.substr(0, kBytes));
  return place != std::string_view::npos && place % kBytes == 0;
}

/// Given names of English, German, French and Spanish speakers and others, and surnames in Pinyin; no words that are places
/// or months as well. Each behind a blank.
constexpr std::string_view kKnown =
    " aaron adam adrian ahmed alan albert alejandro alex alexander alexandra ali alice alison amanda amelia amir"
    " amy ana andre andrea andreas andrew angela anita anja anke ann anna anne anneliese annette anthony antoine"
    " anton antonio arthur ashley astrid barbara beate beatrice ben benjamin bernard bernd betty bianca birgit bob"
    " brandon brenda brian bruno cai camille cao carl carla carlos carmen carol caroline catherine cecile charles"
    " chen cheng chloe christa christina christine christoph christophe christopher claire clara claudia claus"
    " colin craig cynthia daniel daniela david deborah deng denis denise dennis diana diane dieter ding dirk"
    " donald donna doris dorothy douglas edith eduardo edward elena elisabeth elizabeth elke ella ellen emily emma"
    " emmanuel eric erika ernst esther eva evelyn fatima felix feng ferdinand fernando frances francis francisco"
    " francois frank franz fred frederic friedrich gabriel gabriele gao gary george gerald gerd gerhard gertrud"
    " gisela gloria grace greg gregory guillaume gunter guo hanna hannah hans harald harry heather heidi heike"
    " heinrich heinz helen helena helga helmut henri henry herbert hermann hiroshi holger horst huang hubert hugo"
    " ian ibrahim ines ingrid irene isabel isabelle ivan jacob jacqueline jacques james jan jane janet jason"
    " javier jean jeffrey jennifer jens jeremy jerry jessica jiang jill joachim joan joanna joe johann johannes"
    " john jonas jonathan jorge jose joseph joshua joyce juan judith judy julia julian julie julien jurgen justin"
    " karen karin karl karsten katharina katherine kathleen kathryn katja keith kelly kenneth kevin khalid"
    " kimberly klaus kurt lars laura lauren laurent lea leah leon leonie liang lin linda lisa liu louis louise luc"
    " lucas lucia lucie luis luisa lukas luo manfred manuel marc marco margaret maria marianne marie mario marion"
    " mark markus marta martha martin martina mary mathieu matthew matthias maurice max maximilian megan mehmet"
    " melanie melissa michael michel michele michelle miguel mike mohamed mohammed monica monika muhammad nadine"
    " nancy natalie nathalie nathan nicholas nick nicolas nicole nils nina noah olaf olga oliver olivia olivier"
    " oscar otto pablo pamela pan pascal patricia patrick paul paula pauline pedro peng peter petra philip philipp"
    " philippe pierre qian rachel rafael rainer ralf ralph ramon raymond rebecca reinhard renate richard rita"
    " robert roberto robin roger roland rolf ronald rosa ruth ryan sabine samantha samuel sandra sara sarah scott"
    " sean sebastian sergio sharon shen shirley silke silvia simon simone sofia sonja sophia sophie stefan"
    " stefanie stephan stephanie stephen steve steven susan susanne sven sylvia tang tanja teresa theresa thierry"
    " thomas thorsten tian tim timothy tina tobias tom torsten udo ulrich ulrike ursula ute uwe valentin vanessa"
    " vera veronica veronika vincent volker walter waltraud wang werner wilhelm william wolfgang xiao xie xu yang"
    " yann yasmin yuan yusuf yves zeng zhang zhao zheng zhong zhou zhu zoe";

std::unordered_set<std::string_view> words_of_list(std::string_view list) {
  std::unordered_set<std::string_view> words;
  for (std::size_t end = 0; !list.empty(); list.remove_prefix(end)) {
    end = std::min(list.find(' ', 1), list.size());
    words.insert(list.substr(1, end - 1));
  }
  return words;
}

bool is_known(std::string_view word) {
  static const std::unordered_set<std::string_view> known = words_of_list(kKnown);
  std::string small;
  for (const char c : word) small += ascii_lower(c);
  return known.contains(small);
}

std::string_view first_word(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_of(" -,."));
}

/// The given name is in front, or behind the comma of "Surname, First"; a Chinese surname is in front.
bool has_known_name(std::string_view value) {
  const std::size_t comma = value.find(',');
  return is_known(first_word(value)) ||
         (comma != std::string_view::npos && is_known(first_word(value.substr(comma + 1))));
}

/// Two or three words that begin with a capital, or "Surname, First".
bool may_be_latin_name(std::string_view value) {
  int words = 0;
  bool inside = false;
  std::size_t length = 0;
  for (const char c : value) {
    const bool beyond_ascii = static_cast<unsigned char>(c) >= 0x80;
    if (c == ' ' || c == ',' || c == '-' || c == '.') {
      inside = false;
      continue;
    }
    if (!inside) {
      if (!is_capital(c) && !beyond_ascii) return false;
      ++words;
      length = 0;
    } else if (!is_small(c) && !is_capital(c) && !beyond_ascii && c != '\'') {
      return false;
    }
    inside = true;
    if (++length > 40) return false;
  }
  return words >= 2 && words <= 4;
}

/// The same in small letters: with a common given name in front.
bool may_be_small_name(std::string_view value) {
  const auto fits = [](char c) { return is_small(c) || c == ' ' || c == ',' || c == '-' || c == '.' || c == '\''; };
  if (!std::all_of(value.begin(), value.end(), fits)) return false;
  int words = 0;
  for (std::size_t i = 0; i < value.size(); ++i)
    words += is_small(value[i]) && (i == 0 || value[i - 1] == ' ') ? 1 : 0;
  return words >= 2 && words <= 4 && has_known_name(value);
}

}  // namespace

NameForm name_form(std::string_view value) {
  if (may_be_chinese_name(value)) return NameForm::chinese;
  if (!may_be_latin_name(value)) return may_be_small_name(value) ? NameForm::known : NameForm::none;
  return has_known_name(value) ? NameForm::known : NameForm::capitals;
}

}  // namespace gauze::anonymize
