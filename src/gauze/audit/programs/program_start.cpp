#include "gauze/audit/programs/program_start.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>

#include "gauze/files/file_descriptor.h"
#include "gauze/label/printable_text.h"

namespace gauze::audit {
namespace {

using Clock = std::chrono::steady_clock;

/// So often a stop, the time limit, and a program that ended without closing its output are looked for.
constexpr std::chrono::milliseconds kTick{50};
constexpr std::size_t kKeptErrors = 2'000;

std::string reason(int error) { return std::generic_category().message(error); }

/// A file in memory, not a pipe: a program may read it or not, as fast as it likes, and nobody has to wait with it.
Result<FileDescriptor> file_of(const std::string& text) {
  FileDescriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (file.number() < 0) return make_error(ErrorCode::io, "cannot hold the input of a program: {}", reason(errno));
  GAUZE_TRY_VOID(write_all(file, text, "the input of a program"));
  ::lseek(file.number(), 0, SEEK_SET);
  return file;
}

/// Whoever started us may ignore what becomes of children, and so would we: nobody could wait for them.
void listen_to_children() {
  struct sigaction action {};
  if (::sigaction(SIGCHLD, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) std::signal(SIGCHLD, SIG_DFL);
}

struct OutputPipe {
  FileDescriptor reading;
  FileDescriptor writing;

  static Result<OutputPipe> make() {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0)
      return make_error(ErrorCode::io, "cannot read from a program: {}", reason(errno));
    OutputPipe made{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return made;
  }
};

/// What posix_spawn() is told, freed at the end of its life.
class SpawnPlan {
 public:
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    // A group of its own can be ended as a whole, and does not hear the Ctrl-C of the terminal.
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t signals;
    sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int one : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&signals, one);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void give(int target, int descriptor) { ::posix_spawn_file_actions_adddup2(&actions_, descriptor, target); }
  void give_nothing(int target, int flags) {
    ::posix_spawn_file_actions_addopen(&actions_, target, "/dev/null", flags, 0);
  }

  Result<pid_t> spawn(const std::vector<std::string>& words) {
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    pid_t child = -1;
    const int error = ::posix_spawnp(&child, argv[0], &actions_, &attributes_, argv.data(), environ);
    if (error == 0) return child;
    const std::string name = printable(words[0]);
    if (error == ENOENT && ::access(argv[0], F_OK) == 0)
      return make_error(ErrorCode::io, "cannot start '{}': its first line names a program that is not there", name);
    if (error == ENOENT) return make_error(ErrorCode::io, "cannot start '{}': there is no such program", name);
    if (error == E2BIG)
      return make_error(ErrorCode::io,
                        "cannot start '{}': the input is too long for an argument; give it by standard input", name);
    return make_error(ErrorCode::io, "cannot start '{}': {}", name, reason(error));
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// A program that runs, until it was waited for.
class Child {
 public:
  explicit Child(pid_t number) : number_(number) {}
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Whether it ended by itself; it is not forgotten yet, so that its number is nobody else's.
  [[nodiscard]] bool has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(number_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == number_;
  }

  /// Ends whatever still runs of its group and returns the status of wait(2).
  int end() {
    if (number_ < 0) return status_;
    ::kill(-number_, SIGKILL);
    ::kill(number_, SIGKILL);  // it may have left its group
    while (::waitpid(number_, &status_, 0) < 0 && errno == EINTR) {
    }
    number_ = -1;
    return status_;
  }

 private:
  pid_t number_;
  int status_ = 0;
};

/// Reads what is there.
class Stream {
 public:
  Stream(int descriptor, std::function<bool(std::string_view)> on_bytes)
      : descriptor_(descriptor), on_bytes_(std::move(on_bytes)) {}

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] bool is_refused() const { return is_refused_; }
  /// One that is closed is left out of poll(2) by its negative number.
  [[nodiscard]] pollfd watched() const { return {.fd = descriptor_, .events = POLLIN, .revents = 0}; }

  /// Until nothing is there; at most so many blocks, so that a flood does not keep us from looking at the clock.
  void read_some() {
    std::array<char, 1U << 16U> block;
    for (int blocks = 0; is_open() && blocks < 16; ++blocks) {
      const ssize_t got = ::read(descriptor_, block.data(), block.size());
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
      if (got <= 0) {
        descriptor_ = -1;
        return;
      }
      is_refused_ = is_refused_ || !on_bytes_(std::string_view(block.data(), static_cast<std::size_t>(got)));
      if (is_refused_) return;
    }
  }

 private:
  int descriptor_;
  std::function<bool(std::string_view)> on_bytes_;
  bool is_refused_ = false;
};

/// Until the program ended, or was to be ended.
ProgramEnd::Kind follow(const Child& child, Stream& output, Stream& errors, Clock::time_point deadline,
                        const Progress& progress) {
  std::chrono::microseconds pause{20};
  for (;;) {
    if (output.is_open() || errors.is_open()) {
      pollfd watched[] = {output.watched(), errors.watched()};
      ::poll(watched, 2, static_cast<int>(kTick.count()));
    } else {  // it closes its output a moment before it has ended
      std::this_thread::sleep_for(pause);
      pause = std::min<std::chrono::microseconds>(2 * pause, kTick);
    }
    const bool is_over = child.has_ended();  // before the last reading: what it printed is there by now
    output.read_some();
    errors.read_some();
    if (output.is_refused()) return ProgramEnd::Kind::flooded;
    if (is_over) {
      while (output.is_open() && !output.is_refused()) {  // what was printed before it ended, and no more
        pollfd watched = output.watched();
        if (::poll(&watched, 1, 0) <= 0) break;
        output.read_some();
      }
      return output.is_refused() ? ProgramEnd::Kind::flooded : ProgramEnd::Kind::exited;
    }
    if (progress.stop_requested()) return ProgramEnd::Kind::stopped;
    if (Clock::now() >= deadline) return ProgramEnd::Kind::timed_out;
  }
}

}  // namespace

Result<ProgramEnd> run_program(const ProgramStart& start, const std::function<bool(std::string_view)>& on_output,
                               const Progress& progress) {
  listen_to_children();
  SpawnPlan plan;
  FileDescriptor input;
  if (start.input) {
    GAUZE_TRY(input, file_of(*start.input));
    plan.give(STDIN_FILENO, input.number());
  } else {
    plan.give_nothing(STDIN_FILENO, O_RDONLY);
  }
  GAUZE_TRY(OutputPipe output, OutputPipe::make());
  plan.give(STDOUT_FILENO, output.writing.number());
  OutputPipe errors;
  if (start.keeps_errors) {
    GAUZE_TRY(errors, OutputPipe::make());
    plan.give(STDERR_FILENO, errors.writing.number());
  } else {
    plan.give_nothing(STDERR_FILENO, O_WRONLY);
  }
  const Clock::time_point deadline = Clock::now() + start.time_limit;
  GAUZE_TRY(const pid_t number, plan.spawn(start.words));
  Child child(number);
  output.writing = {};
  errors.writing = {};

  ProgramEnd end;
  Stream printed(output.reading.number(), on_output);
  Stream complaints(errors.reading.number(), [&](std::string_view bytes) {
    end.errors += bytes;
    if (end.errors.size() > kKeptErrors) end.errors.erase(0, end.errors.size() - kKeptErrors);
    return true;
  });
  end.kind = follow(child, printed, complaints, deadline, progress);
  const int status = child.end();
  if (end.kind != ProgramEnd::Kind::exited) return end;
  if (WIFSIGNALED(status)) {
    end.kind = ProgramEnd::Kind::signalled;
    end.code = WTERMSIG(status);
  } else {
    end.code = WEXITSTATUS(status);
  }
  return end;
}

}  // namespace gauze::audit
