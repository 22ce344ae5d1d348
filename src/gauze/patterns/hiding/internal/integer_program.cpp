#include "gauze/patterns/hiding/internal/integer_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "gauze/files/atomic_file.h"
#include "gauze/files/scratch_folder.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): the standard names no header for it

namespace gauze::patterns::internal {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;

/// Runs a program without a shell, its output in a file; nothing when there is no such program. It is ended after so many
/// seconds, since solvers look at the clock only now and then, or when a stop is asked for.
std::optional<int> run(std::vector<std::string> words, const std::string& output, double seconds,
                       const Progress& progress) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
  ::pid_t child = 0;
  const int problem = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) return std::nullopt;
  int status = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  auto pause = std::chrono::milliseconds(1);
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (progress.stop_requested() || std::chrono::steady_clock::now() > deadline) ::kill(child, SIGKILL);
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds(50));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

using Solution = IntegerProgram::Solution;

/// What a program said: a solution, that there is none, or nothing.
struct Answer {
  std::optional<Solution> solution;
  bool is_impossible = false;
};

/// cbc: a line with the verdict, then "place name value cost" of variables that are not 0.
Answer read_cbc(const std::string& solution, const std::string& log, std::size_t variables) {
  std::istringstream lines(solution);
  std::string line;
  if (!std::getline(lines, line)) return {};
  if (line.find("nfeasible") != std::string::npos) return {{}, true};
  if (line.find("objective value") == std::string::npos || line.find("no integer solution") != std::string::npos)
    return {};
  Solution result;
  result.is_best = line.starts_with("Optimal");
  const double value = std::strtod(line.c_str() + line.find("objective value") + 15, nullptr);
  result.bound = result.is_best ? value : 0;
  if (const std::size_t at = log.find("Lower bound:"); !result.is_best && at != std::string::npos)
    result.bound = std::strtod(log.c_str() + at + 12, nullptr);
  result.values.assign(variables, false);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string place;
    std::string name;
    double number = 0;
    if (cells >> place && place == "**") cells >> place;
    if (!(cells >> name >> number) || name.size() < 2 || name[0] != 'x') continue;
    const std::size_t variable = std::strtoull(name.c_str() + 1, nullptr, 10);
    if (variable < variables) result.values[variable] = number > 0.5;
  }
  return {std::move(result), false};
}

/// glpsol -w: "s mip rows columns status objective", then "j place value", places from 1 in the order of the objective.
Answer read_glpsol(const std::string& solution, std::size_t variables) {
  Solution result;
  result.values.assign(variables, false);
  std::string status;
  std::istringstream lines(solution);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string kind;
    cells >> kind;
    if (kind == "s") {
      std::string type;
      std::string rows;
      std::string columns;
      double value = 0;
      cells >> type >> rows >> columns >> status >> value;
      result.is_best = status == "o";
      result.bound = result.is_best ? value : 0;
    } else if (kind == "j") {
      std::size_t place = 0;
      double value = 0;
      if (cells >> place >> value && place >= 1 && place <= variables) result.values[place - 1] = value > 0.5;
    }
  }
  if (status == "o" || status == "f") return {std::move(result), false};
  return {{}, status == "n"};
}

}  // namespace

IntegerProgram::Variable IntegerProgram::add_variable(double cost, bool whole) {
  costs_.push_back(cost);
  whole_.push_back(whole);
  return costs_.size() - 1;
}

void IntegerProgram::at_most(Terms terms, double limit) { rows_.push_back({std::move(terms), limit, true}); }
void IntegerProgram::at_least(Terms terms, double limit) { rows_.push_back({std::move(terms), limit, false}); }

/// The LP format of CPLEX, which both programs read. Lines are kept short: cbc reads a limited number of characters.
std::string IntegerProgram::text() const {
  std::string text = "Minimize\n cost:";
  for (Variable v = 0; v < costs_.size(); ++v) text += fmt::format("\n + {:.17g} x{}", costs_[v], v);
  text += "\nSubject To\n";
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    text += fmt::format(" r{}:", r);
    for (const auto& [factor, variable] : rows_[r].terms)
      text += fmt::format("\n {} {:.17g} x{}", factor < 0 ? '-' : '+', std::abs(factor), variable);
    text += fmt::format("\n {} {:.17g}\n", rows_[r].at_most ? "<=" : ">=", rows_[r].limit);
  }
  text += "Bounds\n";
  for (Variable v = 0; v < costs_.size(); ++v)
    if (!whole_[v]) text += fmt::format(" 0 <= x{} <= 1\n", v);
  text += "Binaries\n";
  for (Variable v = 0; v < costs_.size(); ++v)
    if (whole_[v]) text += fmt::format(" x{}\n", v);
  return text + "End\n";
}

Result<std::optional<IntegerProgram::Solution>> IntegerProgram::solve(double time_limit_seconds,
                                                                      const Progress& progress) const {
  GAUZE_TRY(const ScratchFolder folder, ScratchFolder::make());
  const std::string model = folder.file("model.lp");
  const std::string solution = folder.file("solution");
  const std::string log = folder.file("log");
  GAUZE_TRY_VOID(write_file(model, text()));
  const std::string seconds = std::to_string(static_cast<long>(std::ceil(time_limit_seconds)));
  const double patience = 1.25 * time_limit_seconds + 2;
  std::optional<int> status =
      run({"cbc", model, "-sec", seconds, "-solve", "-solution", solution, "-quit"}, log, patience, progress);
  const bool cbc = status && *status != 127;
  if (!cbc) status = run({"glpsol", "--lp", model, "--tmlim", seconds, "-w", solution}, log, patience, progress);
  if (!status || *status == 127)
    return make_error(ErrorCode::unsupported,
                      "exact needs the program cbc or glpsol; on Debian: apt install coinor-cbc");
  GAUZE_TRY_VOID(progress.check());
  const auto written = read_file(solution, kMostBytes);
  const auto said = read_file(log, kMostBytes);
  Answer answer;
  if (written)
    answer = cbc ? read_cbc(*written, said ? *said : "", costs_.size()) : read_glpsol(*written, costs_.size());
  if (answer.solution || answer.is_impossible) return answer.solution;
  return make_error(ErrorCode::unsupported, "exact found no solution in {} seconds: give it more, or take border",
                    seconds);
}

}  // namespace gauze::patterns::internal
