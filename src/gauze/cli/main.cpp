#include <string>
#include <vector>

#include "gauze/cli/core/run_command_line.h"

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  gauze::cli::Streams streams = gauze::cli::process_streams();
  return gauze::cli::run_command_line(args, streams);
}
