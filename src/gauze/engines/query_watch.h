#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "gauze/base/progress.h"
#include "gauze/engines/sql_session.h"

namespace gauze::engines {

/// While it lives, ends the running statement when a stop is asked for, and, if `rows` is not 0, reports how far it is.
class QueryWatch {
 public:
  QueryWatch(SqlSession& session, Progress& progress, std::uint64_t rows);
  QueryWatch(const QueryWatch&) = delete;
  QueryWatch& operator=(const QueryWatch&) = delete;
  ~QueryWatch();

 private:
  void watch();

  SqlSession& session_;
  Progress& progress_;
  std::uint64_t rows_;
  std::uint64_t reported_ = 0;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace gauze::engines
