#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/words.h"
#include "gauze/files/json.h"

namespace gauze::server {

enum class Listener : unsigned char { device, analyst, admin };
inline constexpr Words<Listener, 3> kListenerWords = {
    {{Listener::device, "device"}, {Listener::analyst, "analyst"}, {Listener::admin, "admin"}}};

/// Who may use a route: anybody, a device with a credential, or a person with the role of its listener.
enum class Access : unsigned char { anybody, device, person, nobody };

/// What every answer of a route is made by; one for each row of the table of routes.
enum class Action : unsigned char {
  page,
  openapi,
  records,
  enrol,
  keys,
  device_tasks,
  device_task,
  reports,
  remove,
  statement,
  estimate,
  state,
  query,
  budget,
  task_list,
  add_task,
  show_task,
  approve_task,
  close_task,
  rotate_keys,
  rewrap_keys,
  token,
  audit,
  sweep,
  check,
  backup,
  metrics,
  health,
  ready,
};

/// A route: the one table from which requests are dispatched and openapi.json is written.
struct Route {
  std::string_view method;
  std::string_view path;  ///< with {name} and {id} for one segment
  bool listeners[3];      ///< by Listener
  Access access = Access::person;
  Action action;
  std::string_view summary;
  std::string_view statuses;  ///< besides 400 and 429: "200 404"
};

[[nodiscard]] std::span<const Route> routes();

/// What a path is to a route: the text of its segment in braces, if it has one.
[[nodiscard]] std::optional<std::string> match(const Route& route, std::string_view path);

/// The document of all routes, OpenAPI 3.0, the same on every listener.
[[nodiscard]] const std::string& openapi_document();

}  // namespace gauze::server
