#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "gauze/cli/core/streams.h"

namespace gauze::cli {
namespace {

std::atomic<Progress*> running{nullptr};
static_assert(std::atomic<Progress*>::is_always_lock_free, "used in a signal handler");

bool stop_requested() {
  const Progress* progress = running.load();
  return progress != nullptr && progress->stop_requested();
}

void handle_interrupt(int signal) {
  Progress* progress = running.load();
  if (progress != nullptr && !progress->stop_requested()) {
    progress->request_stop();
    return;
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// A terminal that is closed may say so twice, by the kernel and by the shell: the second must not end the work of the first.
void handle_hangup(int signal) {
  if (!stop_requested()) handle_interrupt(signal);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

/// Whether whoever started us wants to be rid of the signal, as nohup does.
bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void install_handlers() {
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);  // writing fails, which is told
  for (const int signal : {SIGINT, SIGTERM}) handle(signal, handle_interrupt);
  if (!is_ignored(SIGHUP)) handle(SIGHUP, handle_hangup);
}

/// A stream that was closed by whoever started us would be given to the next file opened, which would then receive
/// the output. Reserved here, for reading only, so that writing to it still fails.
void reserve_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
      const int opened = ::open("/dev/null", O_RDONLY);
      if (opened > 2) ::close(opened);
    }
  }
}

/// Not being dumpable ends core dumps and ptrace for this process; the limit also ends core dumps of programs it starts.
void hide_memory() {
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &none);
}

Sink descriptor_sink(int descriptor) {
  return {[descriptor](std::string_view bytes) -> Sink::Outcome {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        return {.written = false, .reader_gone = errno == EPIPE, .reason = std::generic_category().message(errno)};
      }
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }};
}

Result<std::string> read_descriptor(int descriptor, std::size_t limit) {
  std::string bytes;
  std::string block(1U << 16, '\0');
  for (;;) {
    const ssize_t got = ::read(descriptor, block.data(), block.size());
    if (got < 0 && errno == EINTR && !stop_requested()) continue;
    if (got < 0) {
      return make_error(ErrorCode::io, "cannot read stdin: {}", std::generic_category().message(errno));
    }
    if (got == 0) return bytes;
    bytes.append(block, 0, static_cast<std::size_t>(got));
    if (bytes.size() > limit) return make_error(ErrorCode::io, "stdin holds more than {} bytes", limit);
  }
}

int terminal_columns() {
  struct winsize size {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const int value = columns != nullptr ? std::atoi(columns) : 0;
  return value > 0 ? value : 80;
}

}  // namespace

Streams process_streams() {
  reserve_standard_descriptors();
  install_handlers();
  const char* no_color = std::getenv("NO_COLOR");
  return {.out = descriptor_sink(STDOUT_FILENO),
          .err = descriptor_sink(STDERR_FILENO),
          .read_in = [](std::size_t limit) { return read_descriptor(STDIN_FILENO, limit); },
          .out_is_terminal = ::isatty(STDOUT_FILENO) == 1,
          .err_is_terminal = ::isatty(STDERR_FILENO) == 1,
          .no_color = no_color != nullptr && *no_color != '\0',
          .columns = std::clamp(terminal_columns(), 40, 100),
          .on_progress = [](Progress* progress) { running.store(progress); },
          .hide_memory = hide_memory};
}

}  // namespace gauze::cli
