#include "gauze/files/find_files.h"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>

namespace gauze {

Result<std::vector<std::string>> find_files(const std::string& source) {
  if (source.find('\0') != std::string::npos) return make_error(ErrorCode::io, "a file name cannot hold a NUL byte");
  if (source.empty()) return make_error(ErrorCode::io, "cannot read '': it names no file");
  struct stat status {};
  if (source == "-" || ::stat(source.c_str(), &status) == 0) return std::vector<std::string>{source};
  if (source.find_first_of("*?[") == std::string::npos)
    return std::vector<std::string>{source};  // opening says why not
  glob_t found{};
  const int outcome = ::glob(source.c_str(), GLOB_NOSORT | GLOB_ERR, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + (outcome == 0 ? found.gl_pathc : 0));
  ::globfree(&found);
  if (outcome != 0 && outcome != GLOB_NOMATCH)
    return make_error(ErrorCode::io, "cannot list the files of '{}'", source);
  if (files.empty()) return make_error(ErrorCode::io, "no file matches '{}'", source);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace gauze
