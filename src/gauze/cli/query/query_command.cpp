#include <chrono>
#include <ctime>
#include <thread>

#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/query/query_text.h"
#include "gauze/ledger/charge_of_cost.h"
#include "gauze/ledger/ledger.h"
#include "gauze/query/job/query_json.h"
#include "gauze/query/job/query_label.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::cli {
namespace {

using query::QueryPlan;
using query::QueryResult;
using schema::DatabaseSchema;

constexpr std::size_t kSchemaLimit = std::size_t{64} << 20;

/// 512MB, 2GiB, 800000000
Result<std::uint64_t> parse_size(const std::string& text) {
  std::size_t digits = 0;
  while (digits < text.size() && (std::isdigit(static_cast<unsigned char>(text[digits])) != 0 || text[digits] == '.'))
    ++digits;
  const auto number = Rational::parse(text.substr(0, digits));
  std::string unit = text.substr(digits);
  if (unit.starts_with(' ')) unit.erase(0, 1);
  for (char& c : unit) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const Rational factor = unit.empty() || unit == "b"   ? Rational(1)
                          : unit == "mb" || unit == "m" ? Rational(1'000'000)
                          : unit == "gb" || unit == "g" ? Rational(1'000'000'000)
                          : unit == "mib"               ? Rational::power_of_two(20)
                          : unit == "gib"               ? Rational::power_of_two(30)
                                                        : Rational();
  if (!number || factor.sign() == 0 || *number * factor > Rational::power_of_two(50))
    return invalid_parameter("--memory takes a size such as 512MB or 2GB");
  if (*number * factor < Rational(256'000'000)) return invalid_parameter("--memory must be at least 256MB");
  const auto bytes = (*number * factor).floor().to_int64();
  return static_cast<std::uint64_t>(bytes.value_or(0));
}

Result<query::EngineLimits> engine_limits(const Invocation& invocation) {
  query::EngineLimits limits;
  if (const auto memory = invocation.optional_text("memory")) {
    GAUZE_TRY(limits.engine.memory_limit, parse_size(*memory));
  }
  GAUZE_TRY(const auto timeout, invocation.optional_rational("timeout"));
  if (timeout) {
    if (*timeout <= Rational() || *timeout > Rational(1'000'000))
      return invalid_parameter("--timeout must lie between 0 and 1,000,000 seconds");
    limits.time_limit =
        std::chrono::milliseconds(static_cast<std::int64_t>((*timeout * Rational(1000)).to_double_up()));
  }
  return limits;
}

/// What the ledger says before anything is charged.
struct LedgerView {
  std::optional<Balance> balance = {};
};

Result<LedgerView> ledger_view(const Invocation& invocation) {
  LedgerView view;
  const auto path = invocation.optional_text("ledger");
  const auto dataset = invocation.optional_text("dataset");
  if (path.has_value() != dataset.has_value())
    return make_error(ErrorCode::usage, "--ledger and --dataset come together");
  if (!path) return view;
  GAUZE_TRY(const Ledger ledger, Ledger::open(*path));
  GAUZE_TRY(view.balance, ledger.balance(*dataset));
  return view;
}

Result<query::QueryParameters> parameters_of(const Invocation& invocation, const LedgerView& ledger) {
  query::QueryParameters parameters;
  GAUZE_TRY(parameters.budget.epsilon, invocation.optional_rational("epsilon"));
  GAUZE_TRY(parameters.budget.rho, invocation.optional_rational("rho"));
  if (parameters.budget.epsilon.has_value() == parameters.budget.rho.has_value())
    return make_error(ErrorCode::usage, "give either --epsilon or --rho");
  GAUZE_TRY(const auto delta, invocation.optional_rational("delta"));
  parameters.budget.delta = delta.value_or(Rational());
  GAUZE_TRY(const std::string noise, invocation.text("noise"));
  if (noise != "auto") parameters.budget.noise = value_of(query::kNoiseKindWords, noise);
  if (ledger.balance) {
    const auto kind = ledger.balance->terms->accountant.kind();
    parameters.budget.adds_up_rho = kind == PrivacyFilter::Kind::zcdp || kind == PrivacyFilter::Kind::gdp;
  }
  const auto limit = [&](const char* name, std::optional<std::uint64_t>& value) -> Result<void> {
    if (!invocation.has(name)) return {};
    GAUZE_TRY(const std::int64_t given,
              invocation.integer(name, 1, static_cast<std::int64_t>(DatabaseSchema::kLargestLimit)));
    value = static_cast<std::uint64_t>(given);
    return {};
  };
  GAUZE_TRY_VOID(limit("groups-per-unit", parameters.groups_per_unit));
  GAUZE_TRY_VOID(limit("rows-per-unit", parameters.rows_per_unit));
  GAUZE_TRY(const std::int64_t most, invocation.integer("max-groups", 1, 10'000'000));
  parameters.most_groups = static_cast<std::uint64_t>(most);
  parameters.today = static_cast<std::int64_t>(std::time(nullptr) / 86'400);
  return parameters;
}

/// The error with its place in the SQL: a caret for people, "position" and "hint" for programs.
tl::unexpected<Error> pointed(Invocation& invocation, const std::string& sql, const Error& error) {
  if (error.span) {
    const query::TextPlace place = query::place_of(sql, error.span->offset);
    invocation.attach_to_error("position", Json::object({{"line", place.line},
                                                         {"column", place.column},
                                                         {"offset", error.span->offset},
                                                         {"length", error.span->length}}));
  }
  if (!error.hint.empty()) invocation.attach_to_error("hint", error.hint);
  if (!invocation.json()) {
    const std::string carets = caret_text(sql, error);
    if (!carets.empty()) invocation.show_with_error(carets);
  }
  return tl::unexpected<Error>(error);
}

/// The dataset's unit must be the one that the schema protects, and its accountant must absorb the price.
Result<void> check_ledger(const LedgerView& ledger, const QueryPlan& plan) {
  if (!ledger.balance) return {};
  const DatasetTerms& terms = *ledger.balance->terms;
  if (terms.unit != plan.schema->unit.name)
    return invalid_parameter(
        "the dataset '{}' protects '{}', the schema '{}': the ledger's dataset must name the schema's unit",
        terms.name, terms.unit, plan.schema->unit.name);
  GAUZE_TRY(const Charge charge, charge_of_cost(plan.noise.cost, terms));
  GAUZE_TRY(const Cost cost, terms.accountant.cost(charge));
  (void)cost;
  return {};
}

Result<int> print_explanation(Invocation& invocation, const QueryPlan& plan, const LedgerView& ledger) {
  GAUZE_TRY(const std::int64_t rows, invocation.integer("assume-rows", 1, 1'000'000'000'000));
  GAUZE_TRY(const query::Explanation explanation, query::explain(plan, static_cast<std::uint64_t>(rows)));
  Json left = Json();
  if (ledger.balance) {
    Balance after = *ledger.balance;
    GAUZE_TRY(const Charge charge, charge_of_cost(plan.noise.cost, *after.terms));
    GAUZE_TRY(const Cost cost, after.terms->accountant.cost(charge));
    after.spent.amount += cost.amount;
    after.spent.delta += cost.delta;
    const Cost rest = after.left();
    if (rest.amount >= 0 && rest.delta >= 0) left = after.left_json();
  }
  if (invocation.json()) {
    Json object = query::to_json(plan, explanation);
    object.set("left_after", std::move(left));
    invocation.print_json(std::move(object));
    return 0;
  }
  invocation.out().write(
      explanation_text(plan, explanation, static_cast<std::uint64_t>(rows), invocation.out_style()));
  const Json price = query::price_json(plan);
  std::string text;
  for (const char* name : {"epsilon", "delta", "rho"})
    if (const Json* figure = price.find(name); !figure->is_null() && figure->text() != "0")
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, figure->text());
  invocation.out().print(
      "{}\n  {}{}\n", invocation.out_style().bold("price"), text,
      left.is_null() ? (ledger.balance ? "; more than is left" : "") : "; left afterwards: " + figures_text(left));
  return 0;
}

void print_answer(Invocation& invocation, const QueryPlan& plan, const QueryResult& result,
                  const publish::Publication& publication) {
  invocation.out().write(answer_text(result, invocation.out_style()));
  std::string cost;
  const Json price = query::price_json(plan);
  for (const char* name : {"epsilon", "delta", "rho"})
    if (const Json* figure = price.find(name); !figure->is_null() && figure->text() != "0")
      cost += fmt::format("{}{} {}", cost.empty() ? "" : ", ", name, figure->text());
  invocation.note(fmt::format("cost {}, {}; {}", cost, plan.schema->unit.name, publication.text()));
  invocation.note("intervals are of the noise alone, around values after bounds and limits");
}

/// Waits until a multiple of so many seconds has passed since the start.
void pad(const std::chrono::steady_clock::time_point start, double seconds) {
  const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double end = std::ceil(passed / seconds) * seconds;
  std::this_thread::sleep_for(std::chrono::duration<double>(end - passed));
}

Result<int> run_query_command(Invocation& invocation) {
  const auto start = std::chrono::steady_clock::now();
  GAUZE_TRY(std::string sql, invocation.text("sql"));
  if (sql == "-") {
    GAUZE_TRY(sql, invocation.read_input("-", query::kLongestSql + 1));
  }
  GAUZE_TRY(const std::string schema_path, invocation.text("schema"));
  GAUZE_TRY(const DatabaseSchema schema, schema::read_database_schema(schema_path));
  GAUZE_TRY(const LedgerView ledger, ledger_view(invocation));
  GAUZE_TRY(const query::QueryParameters parameters, parameters_of(invocation, ledger));
  GAUZE_TRY(const query::EngineLimits limits, engine_limits(invocation));
  GAUZE_TRY(const auto padding, invocation.optional_rational("pad-time"));
  if (padding && (*padding <= Rational() || *padding > Rational(86'400)))
    return invalid_parameter("--pad-time must lie between 0 and 86,400 seconds");
  const auto output = invocation.optional_text("output");
  GAUZE_TRY_VOID(check_plain_output(invocation));
  if (invocation.has("consistent") && invocation.has("raw"))
    return make_error(ErrorCode::usage, "--consistent and --raw exclude each other");
  GAUZE_TRY(const std::string format, invocation.text("format"));
  const bool text = format == "text" && !invocation.json();
  const bool consistent = invocation.has("consistent") || (text && !output && !invocation.has("raw"));

  query::PublicTables public_tables(schema, limits);
  const auto planned = query::plan_query(sql, schema, parameters, public_tables);
  if (!planned) return pointed(invocation, sql, planned.error());
  const QueryPlan& plan = *planned;
  invocation.warn_all(plan.warnings);
  GAUZE_TRY_VOID(check_ledger(ledger, plan));
  if (invocation.has("explain")) return print_explanation(invocation, plan, ledger);

  GAUZE_TRY(RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(publish::Publication publication,
            begin_publication(invocation, random.is_seeded(), "query", sql + "\n" + schema.text));
  const bool binds_inputs = invocation.has("commit-inputs");
  if (binds_inputs && !invocation.has("ledger"))
    return make_error(ErrorCode::usage, "--commit-inputs needs --ledger, which keeps the key of commitments");
  std::vector<const schema::TableSchema*> wanted = query::tables_of(*plan.question.answer.input, schema);
  GAUZE_TRY(query::SchemaTables tables, query::SchemaTables::open(schema, std::move(wanted), limits));
  GAUZE_TRY(const bool granted, reserve(invocation, publication, plan.noise.cost));
  if (!granted) return 0;  // this request was answered before

  const auto answer = [&](auto& words) {
    query::Chance chance(words);
    return query::run_query(plan, tables, chance, consistent, limits, invocation.progress(), [&](std::size_t table) {
      return binds_inputs ? publication.witness_of_input(tables.tables()[table]->name) : ByteWitness();
    });
  };
  GAUZE_TRY(const QueryResult result, random.draw([&](SecureRandom& secure) { return answer(secure); },
                                                  [&](SeededRandom& seeded) { return answer(seeded); }));
  PrivacyLabel label = query::make_query_label(plan, result, binds_inputs);
  publication.bind_policy(schema.text);
  const std::string csv = query::to_csv(result);
  std::vector<publish::LabelledOutput> outputs;
  if (output) {
    GAUZE_TRY(publish::LabelledOutput written, open_output(invocation, *output));
    GAUZE_TRY_VOID(written.write(csv));
    outputs.push_back(std::move(written));
  }
  GAUZE_TRY_VOID(finish(invocation, publication, label, outputs));
  invocation.end_progress();
  if (padding) pad(start, padding->to_double());
  if (output) invocation.note(wrote_with_label(*output));
  if (invocation.json()) {
    Json object = query::to_json(plan, result);
    object.set("ledger", publication.to_json()).set("label", label.to_json());
    invocation.print_json(std::move(object));
  } else if (format == "csv") {
    if (output != "-") invocation.out().write(csv);
    if (!output && !invocation.quiet()) invocation.err().write(label.to_text(invocation.columns()));
  } else if (output != "-") {
    print_answer(invocation, plan, result, publication);
  }
  return 0;
}

std::vector<Flag> query_flags() {
  std::vector<Flag> flags = {
      {.name = "schema",
       .placeholder = "S",
       .help = "the schema: whom the guarantee protects, what is public (docs/formats/schema.md)",
       .required = true,
       .is_file = true},
      epsilon_flag(),
      {.name = "rho",
       .placeholder = "R",
       .help = "the price in zero-concentrated differential privacy, instead of --epsilon"},
      delta_flag(),
      {.name = "noise",
       .placeholder = "KIND",
       .help = "the noise; auto takes what is smaller",
       .default_text = "auto",
       .choices = {"auto", "laplace", "gaussian"}},
      {.name = "groups-per-unit",
       .placeholder = "G",
       .help = "the most groups of a unit that count, instead of the schema's limit"},
      {.name = "rows-per-unit",
       .placeholder = "R",
       .help = "the most rows of a unit in a group that count, instead of the schema's limit"},
      {.name = "max-groups",
       .placeholder = "N",
       .help = "the most groups of public keys that are shown",
       .default_text = "100000"},
      {.name = "explain", .help = "say what would be done, measured and charged, and read nothing private"},
      {.name = "assume-rows",
       .placeholder = "N",
       .help = "with --explain: the size of the group whose interval is told",
       .default_text = "1000"},
      {.name = "consistent",
       .help = "counts that are whole and not negative, shares that add up; the default for text"},
      {.name = "raw", .help = "numbers as they were drawn; the default for JSON and CSV, and with --output"},
      {.name = "format",
       .placeholder = "FORMAT",
       .help = "what is printed",
       .default_text = "text",
       .choices = {"text", "csv"}},
      {.name = "output",
       .short_name = 'o',
       .placeholder = "OUT",
       .help = "write CSV to OUT and its label to OUT.label.json, replacing what is there",
       .is_file = true,
       .makes = Makes::labelled_file,
       .or_stdout = true},
  };
  for (Flag& flag : account_flags()) flags.push_back(std::move(flag));
  flags.push_back(
      {.name = "commit-inputs",
       .help = "with --ledger: bind the label to the bytes of the private files (takes as long as reading them)"});
  flags.push_back({.name = "timeout",
                   .placeholder = "S",
                   .help = "end a statement that takes longer, in seconds; what was charged stays charged"});
  flags.push_back({.name = "memory",
                   .placeholder = "SIZE",
                   .help = "what the engine may use before it goes to the disk: 512MB, 4GB; at least 256MB"});
  flags.push_back({.name = "pad-time",
                   .placeholder = "S",
                   .help = "show the answer at the next multiple of S seconds, so that its time tells less"});
  flags.push_back(seed_flag());
  flags.push_back(insecure_seed_flag());
  return flags;
}

}  // namespace

void register_query_command(Registry& registry) {
  registry.add(
      {.name = "query",
       .group = "Questions",
       .summary = "Ask in SQL, get noisy numbers with intervals",
       .description =
           "Answers one SELECT over the tables of a schema under differential privacy: joins, subqueries, COUNT, SUM, AVG, "
           "variances, MIN, MAX, quantiles, MODE, by public or private keys. The schema says whom the guarantee protects and "
           "what is public; '-' reads the SQL from the standard input.\n\n"
           "Contributions are bounded: of one unit at most R rows in a group and G groups count (more rows count with less weight). "
           "Noise is exact and drawn for that. With keys whose values are not public, groups are named above a threshold, which "
           "needs a delta.\n\n"
           "What is refused is refused before anything is charged, and the message points into the SQL. --explain tells the price, "
           "the noise and the statement for the engine, and reads schema, ledger and public tables alone. With --ledger the price "
           "is charged before private data is read; whatever fails after that stays charged.\n\n"
           "With --json: columns, rows, keys, threshold, noise, epsilon, delta, rho, limits, measurements, consistent, ledger, label. "
           "A refusal has position and hint beside its error.",
       .examples =
           {{"gauze query \"SELECT segment, COUNT(*), AVG(price) FROM orders JOIN customers USING (c_id) GROUP BY segment\" "
             "--schema shop.yaml --epsilon 1",
             "two noisy numbers for each segment"},
            {"gauze query \"SELECT COUNT(*) FROM orders\" --schema shop.yaml --epsilon 0.5 --explain",
             "the price and the noise before asking"},
            {"gauze query - --schema shop.yaml --rho 0.1 --delta 1e-6 --json < question.sql", "for programs"}},
       .positionals = {{.name = "sql", .help = "the question, or - for the standard input"}},
       .flags = query_flags(),
       .run = run_query_command});
}

}  // namespace gauze::cli
