#pragma once
// What the tests of the commands on tables share: figures out of JSON, streams of the process, a small table.

#include <string>
#include <vector>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/testing/folder.h"

namespace gauze::cli {

[[nodiscard]] Json json_of(const Ran& ran);

/// Runs a command line with --json that must end with this status; the code of its error.
[[nodiscard]] std::string refusal(std::vector<std::string> args, int status = 2);

/// What lies at a path of keys, as text; "(absent)" when there is nothing, "null" for null.
[[nodiscard]] std::string at(const Json& object, const std::vector<std::string>& keys);

[[nodiscard]] double number_at(const Json& object, const std::vector<std::string>& keys);

/// A label without its hashes, in which any short number may occur by chance.
[[nodiscard]] std::string without_digests(const std::string& label);

[[nodiscard]] std::vector<std::string> keys_of(const Json& object);

/// The codes under "warnings", in their order.
[[nodiscard]] std::vector<std::string> warning_codes(const Json& object);

[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

[[nodiscard]] std::vector<std::string> sorted(std::vector<std::string> lines);

/// UTF-8 in another encoding.
[[nodiscard]] std::string encoded(const std::string& text, const char* encoding);

/// The standard input of the process is a file for as long as this lives: engines read it themselves.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path);
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;
  ~StandardInput();

 private:
  int saved_;
};

/// Sixteen people in a small town; two postcodes are missing.
inline const std::string kPeople =
    "guest,age,zip,sex,illness\n"
    "Ada,34,81667,F,flu\n"
    "Ben,36,81675,M,asthma\n"
    "Cleo,31,81925,F,gastritis\n"
    "Dan,33,81931,M,flu\n"
    "Eve,47,81667,F,asthma\n"
    "Finn,45,81675,M,flu\n"
    "Gül,49,81925,F,asthma\n"
    "Hal,42,81931,M,gastritis\n"
    "Ida,52,80331,F,flu\n"
    "Jon,58,80333,M,asthma\n"
    "Kim,55,80335,F,gastritis\n"
    "Lou,51,?,M,flu\n"
    "Mia,63,80331,F,asthma\n"
    "Ned,67,80333,M,gastritis\n"
    "Ola,61,80335,F,flu\n"
    "Pam,66,?,F,asthma\n";

}  // namespace gauze::cli
