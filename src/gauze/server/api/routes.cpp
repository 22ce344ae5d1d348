#include "gauze/server/api/routes.h"

#include <algorithm>

namespace gauze::server {
namespace {

constexpr Route on(Listener listener, std::string_view method, std::string_view path, Access access, Action action,
                   std::string_view summary, std::string_view statuses) {
  Route route{method, path, {false, false, false}, access, action, summary, statuses};
  route.listeners[static_cast<std::size_t>(listener)] = true;
  return route;
}
constexpr Route everywhere(std::string_view method, std::string_view path, Access access, Action action,
                           std::string_view summary, std::string_view statuses) {
  return {method, path, {true, true, true}, access, action, summary, statuses};
}

using enum Listener;

constexpr Route kRoutes[] = {
    everywhere("GET", "/", Access::anybody, Action::page, "What this is, as a short plain page", "200"),
    everywhere("GET", "/v1/openapi.json", Access::anybody, Action::openapi, "This document", "200"),
    everywhere("*", "/v1/records", Access::nobody, Action::records, "Refused to everyone, and audited", "403"),
    everywhere("*", "/v1/tasks/{name}/records", Access::nobody, Action::records, "Refused to everyone, and audited",
               "403"),

    on(device, "POST", "/v1/enrol", Access::anybody, Action::enrol, "A credential for one more device, by a token",
       "201 403 415"),
    on(device, "GET", "/v1/keys", Access::anybody, Action::keys, "What batches are sealed to", "200"),
    on(device, "GET", "/v1/tasks", Access::anybody, Action::device_tasks,
       "Active tasks as task files, and notice of those that were closed", "200"),
    on(device, "GET", "/v1/tasks/{name}", Access::anybody, Action::device_task, "An active task, as a task file",
       "200 404"),
    on(device, "POST", "/v1/reports", Access::device, Action::reports,
       "A sealed batch of blocks of reports; the answer comes when all is durable", "200 401 403 409 413 415 503"),
    on(device, "DELETE", "/v1/reports/{id}", Access::device, Action::remove,
       "Deletes the block with this id, which only its device knows", "204 401 403 503"),
    on(device, "GET", "/v1/statement", Access::anybody, Action::statement, "What is collected, for the public",
       "200"),

    on(analyst, "GET", "/v1/tasks", Access::person, Action::task_list,
       "Versions of tasks, with the reports of local ones", "200 401 403"),
    on(analyst, "GET", "/v1/tasks/{name}/estimate", Access::person, Action::estimate,
       "What the reports of a local task say; from, to: periods; version: a hash", "200 401 403 404"),
    on(analyst, "GET", "/v1/tasks/{name}/state", Access::person, Action::state,
       "The mergeable state of a local task (application/vnd.gauze.state)", "200 401 403 404 409"),
    on(analyst, "POST", "/v1/tasks/{name}/query", Access::person, Action::query,
       "A noisy answer about the records of a central task, charged once for each request id",
       "200 401 403 404 409 415 503"),
    on(analyst, "GET", "/v1/budget", Access::person, Action::budget, "Balances of central tasks", "200 401 403"),

    on(admin, "POST", "/v1/tasks", Access::person, Action::add_task, "Proposes a task: the body is a task file",
       "201 401 403 415"),
    on(admin, "GET", "/v1/tasks/{name}", Access::person, Action::show_task,
       "All versions of a task with their task files, the proposed one too", "200 401 403 404"),
    on(admin, "POST", "/v1/tasks/{name}/approve", Access::person, Action::approve_task,
       "Approves what another admin proposed; {\"hash\"}: only this version", "200 401 403"),
    on(admin, "POST", "/v1/tasks/{name}/close", Access::person, Action::close_task, "No more reports for a task",
       "200 401 403"),
    on(admin, "POST", "/v1/keys/rotate", Access::person, Action::rotate_keys, "New sealing keys at once",
       "200 401 403"),
    on(admin, "POST", "/v1/keys/rewrap", Access::person, Action::rewrap_keys,
       "Wraps the file of keys by the key that the configuration names at present", "200 401 403"),
    on(admin, "POST", "/v1/tokens", Access::person, Action::token, "A token for devices: {\"devices\",\"until\"}",
       "201 401 403 415"),
    on(admin, "GET", "/v1/audit", Access::person, Action::audit, "The audit trail; from, limit; verify, head; tasks",
       "200 401 403 409"),
    on(admin, "POST", "/v1/sweep", Access::person, Action::sweep, "What is done at 00:00 of a day: {\"as_of\"}",
       "200 401 403 415"),
    on(admin, "POST", "/v1/check", Access::person, Action::check,
       "Counts the whole store anew, against its aggregates", "200 401 403"),
    on(admin, "POST", "/v1/backup", Access::person, Action::backup,
       "A copy of everything but the keys, into a new folder of the server: {\"folder\"}", "200 401 403 415"),
    on(admin, "GET", "/metrics", Access::person, Action::metrics, "Figures for Prometheus", "200 401 403"),
    on(admin, "GET", "/healthz", Access::person, Action::health, "Whether it runs", "200 401 403"),
    on(admin, "GET", "/readyz", Access::person, Action::ready, "Whether it is ready, and what stands in the way",
       "200 401 403 503"),
};

std::string_view describe(int status) {
  switch (status) {
    case 200:
      return "done";
    case 201:
      return "made";
    case 204:
      return "done, whether or not it was there";
    case 400:
      return "malformed";
    case 401:
      return "no or an unknown credential";
    case 403:
      return "refused";
    case 404:
      return "there is none";
    case 409:
      return "refused in the present state: budget, key, request id, or no state";
    case 413:
      return "too large";
    case 415:
      return "another type of content";
    case 429:
      return "too many; Retry-After says when again";
    default:
      return "not at present";
  }
}

Json parameter(std::string_view name, std::string_view in, bool required) {
  return Json::object(
      {{"name", name}, {"in", in}, {"required", required}, {"schema", Json::object({{"type", "string"}})}});
}

Json parameters_of(const Route& route) {
  Json all = Json::array();
  if (route.path.find("{name}") != std::string_view::npos) all.push(parameter("name", "path", true));
  if (route.path.find("{id}") != std::string_view::npos) all.push(parameter("id", "path", true));
  const auto in_query = [&](std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) all.push(parameter(name, "query", false));
  };
  if (route.action == Action::estimate) in_query({"from", "to", "version"});
  if (route.action == Action::state) in_query({"version"});
  if (route.action == Action::audit) in_query({"from", "limit", "verify", "head", "tasks"});
  return all;
}

std::string_view answer_type(const Route& route) {
  switch (route.action) {
    case Action::page:
      return "text/html";
    case Action::metrics:
      return "text/plain";
    case Action::state:
      return "application/vnd.gauze.state";
    default:
      return "application/json";
  }
}

Json operation_of(const Route& route) {
  Json answers = Json::object();
  std::vector<int> statuses = {400, 429};
  for (std::string_view rest = route.statuses; !rest.empty();) {
    statuses.push_back(std::stoi(std::string(rest.substr(0, 3))));
    rest.remove_prefix(std::min<std::size_t>(rest.size(), 4));
  }
  std::sort(statuses.begin(), statuses.end());
  const Json any = Json::object({{"schema", Json::object({{"type", "object"}})}});
  const Json text = Json::object({{"schema", Json::object({{"type", "string"}})}});
  for (const int status : statuses) {
    Json answer = Json::object({{"description", describe(status)}});
    const std::string_view type = status < 300 ? answer_type(route) : "application/json";
    if (status != 204)
      answer.set("content", Json::object({{std::string(type), type == "application/json" ? any : text}}));
    answers.set(std::to_string(status), std::move(answer));
  }
  std::vector<Json> where;
  for (std::size_t i = 0; i < 3; ++i)
    if (route.listeners[i]) where.emplace_back(kListenerWords[i].second);
  Json operation = Json::object({{"summary", route.summary}, {"tags", Json::array(std::move(where))}});
  operation.set("parameters", parameters_of(route)).set("responses", std::move(answers));
  if (route.access == Access::device || route.access == Access::person)
    operation.set("security", Json::array({Json::object({{"bearer", Json::array()}})}));
  else
    operation.set("security", Json::array());
  if (route.action == Action::reports)
    operation.set("requestBody", Json::object({{"required", true},
                                               {"content", Json::object({{"application/vnd.gauze.batch", text}})}}));
  else if (route.method == "POST")
    operation.set("requestBody", Json::object({{"content", Json::object({{"application/json", any}})}}));
  return operation;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

std::span<const Route> routes() { return kRoutes; }

std::optional<std::string> match(const Route& route, std::string_view path) {
  const std::string_view pattern = route.path;
  const std::size_t open = pattern.find('{');
  if (open == std::string_view::npos) return pattern == path ? std::optional(std::string()) : std::nullopt;
  const std::size_t close = pattern.find('}');
  const std::string_view before = pattern.substr(0, open);
  const std::string_view after = pattern.substr(close + 1);
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after))
    return std::nullopt;
  const std::string_view segment = path.substr(before.size(), path.size() - before.size() - after.size());
  if (segment.find('/') != std::string_view::npos) return std::nullopt;
  return std::string(segment);
}

const std::string& openapi_document() {
  static const std::string document = [] {
    Json paths = Json::object();
    for (const Route& route : routes()) {
      const Json* known = paths.find(route.path);
      Json path = known != nullptr ? *known : Json::object();
      // Two listeners may have one path and method; the tags of an operation say where it is.
      for (const std::string_view method :
           {std::string_view("GET"), std::string_view("POST"), std::string_view("DELETE")}) {
        if (route.method != method && !(route.method == "*" && method != "DELETE")) continue;
        const std::string key = lower(method);
        Json operation = operation_of(route);
        if (const Json* other = path.find(key)) {
          const Json* summary = other->find("summary");
          const Json* tags = other->find("tags");
          Json both = *tags;
          for (const Json& tag : *operation.find("tags")->elements()) both.push(tag);
          operation.set("summary", std::string(summary->text()) + "; elsewhere: " + std::string(route.summary));
          operation.set("tags", std::move(both));
          // On one listener open to anybody, on another for people alone: an empty requirement says that none is one of the ways.
          if (operation.find("security")->elements()->size() != other->find("security")->elements()->size())
            operation.set("security", Json::array({Json::object({{"bearer", Json::array()}}), Json::object()}));
        }
        path.set(key, std::move(operation));
      }
      paths.set(route.path, std::move(path));
    }
    Json made = Json::object(
        {{"openapi", "3.0.3"},
         {"info",
          Json::object({{"title", "Gauze curator"},
                        {"version", "1"},
                        {"description",
                         "One document for three listeners: the tags of an operation name those that have it. "
                         "Every JSON answer has `warnings`; errors are {\"error\":{\"code\",\"message\"}}."},
                        {"license", Json::object({{"name", "Apache-2.0"}})}})},
         {"servers", Json::array({Json::object({{"url", "/"}})})},
         {"paths", std::move(paths)}});
    made.set("components",
             Json::object({{"securitySchemes",
                            Json::object({{"bearer", Json::object({{"type", "http"}, {"scheme", "bearer"}})}})}}));
    return made.dump(2) + "\n";
  }();
  return document;
}

}  // namespace gauze::server
