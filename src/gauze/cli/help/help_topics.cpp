#include "gauze/cli/core/commands.h"

namespace gauze::cli {
namespace {

constexpr const char* kExitCodes =
    R"(Every error has a code, and every code an exit status. With --json the code is under error.code.

  0    success
  1    io                 a file or stdout cannot be read or written
       bad_data           a file is not what it should be
       internal           a fault in Gauze or in a library it uses
  2    usage              an unknown command or flag, a missing argument
       invalid_parameter  a parameter that breaks a rule, such as epsilon 0
       unknown_column     a column that the table does not have
  3    budget_exhausted   the ledger has not enough left
       not_private        what was asked for would not be private
       infeasible         no solution; a criterion or level is not met
       unsupported        a query refused for privacy
       request_unfinished the request id is charged, its release not recorded
       cost_above_claim   a collection task costs more than it claims
  4    not_authorised     the caller may not do this
  130  interrupted        stopped by Ctrl-C; nothing half-written is left

Messages name parameters and columns. They never quote the values of your data.
)";

constexpr const char* kGuarantees =
    R"(A guarantee is a sentence with five parts, and the privacy label of every release states them all.

  definition  what is promised: pure differential privacy (epsilon),
              approximate (epsilon, delta), zero-concentrated (rho),
              metric (epsilon per distance), or k-anonymity, which is
              a property of a table and no differential privacy
  unit        whom it protects: one row, one person
  neighbours  which two inputs must look alike: one unit added or
              removed, or one unit replaced by another
  cost        how much of the budget it uses up; the costs of several
              releases on the same data add up
  limits      what the guarantee does not cover, in plain sentences

Noise is exact: it is drawn from a cryptographic generator on a public grid of powers of two, with integer arithmetic, so that the low bits of a number tell nothing. Bounds are rounded outward: costs up, what is left down.

What Gauze takes on trust: the sensitivity you declare, and that your choices (epsilon, columns, levels) were not made by looking at the data. Choices that were are marked so in the label.

A release made with a fixed seed has no guarantee, and its label says so.
)";

constexpr const char* kEpsilon =
    R"(Epsilon bounds what one person's data can change: no outcome becomes more than e^epsilon times as likely because the person is in the data. For this person that means, at most, whatever an attacker knows about everybody else:

  epsilon  belief that was 50 %  belief that was 1 %  advantage
  0.1      52.5 %                1.2 %                0.05
  0.25     56.3 %                1.3 %                0.13
  0.5      62.3 %                1.7 %                0.25
  1        73.2 %                2.7 %                0.47
  2        88.1 %                7.0 %                0.77
  3        95.3 %                16.9 %               0.91
  5        99.4 %                60.0 %               0.99
  10       99.996 %              99.6 %               0.99991

Belief: how sure somebody can become that the person is in the data, or has a value. Advantage: of a test that tells with the person from without, 0 being guessing and 1 certainty.

  strong    up to 1    whoever was undecided stays nearly undecided
  moderate  1 to 10    a determined attacker can be sure; the bound still
                       holds against every attack there is
  weak      above 10   the number alone promises nearly nothing

T/TAF 137-2022 lets a release with a trusted curator spend 0.25 in finance and 0.5 in medicine, in all. 'gauze evaluate --scenario medical' holds a sweep against that, and against what the thesis advises.

Epsilons of others compare only when all of these agree: local (against the collector) or central; per report, per day, per query or for life; whom it protects; which tables are neighbours; delta. docs/guide/epsilon.md has those of Google, Apple, Microsoft, LinkedIn and the US census, with their sources.
)";

constexpr const char* kBudgets =
    R"(A dataset has one privacy budget for its lifetime. 'gauze ledger' keeps it in a file: who spent what, when and for what.

  total       fixed when the dataset is created: epsilon, epsilon with
              delta, or rho; it never grows and never renews
  accountant  how charges add up when analysts adapt to the answers:
              basic (epsilon, delta), zcdp (rho), rdp:ORDER, gdp (mu^2)
  charge      what one release costs; rounded up, never refunded
  window      a rate limit inside the total that renews by the clock
  share       the part of the total that one analyst may spend

Amounts are exact decimals in whole units: epsilon and mu 1e-9, rho 1e-15, delta 1e-18. Ten times 0.1 is 1.

Charge before the data is read: 'gauze ledger reserve', then the release, then 'gauze ledger commit'. A reservation that is never committed stays charged. 'gauze ledger spend' is both in one.

Every change prints the new head of a chain of hashes. Keep it elsewhere: 'gauze ledger verify --head HASH' then finds a file that was changed, rolled back or cut off.
)";

constexpr const char* kTables =
    R"(Four commands work on tables of people. Read the columns, decide, anonymise, check:

  gauze inspect people.csv
  gauze anonymize people.csv --quasi age,zip --k 5 --drop name -o safe.csv
  gauze check safe.csv --quasi age,zip --k 5
  gauze hierarchy build people.csv --column age -o age.csv

What a column is decides what becomes of it:

  identifier  names a person on its own: dropped, or a pseudonym
  quasi       does so together with others: made coarser
  sensitive   what nobody should learn: kept; criteria look at it

Tables are CSV, Parquet or JSON lines, also .gz and .zst, a glob of files, or - for stdin. How CSV is written is found out; --delimiter, --no-header, --names, --null and --encoding say it where that fails. Cells stay text: leading zeros and dates do not change.

  ?, nothing, NULL  missing: a value of its own, or --missing any
  *                 in all quasi-identifiers: a suppressed row

What these commands print comes from the raw data and is for its owner's eyes. The written file with its label is what may leave.
)";

constexpr const char* kOutput =
    R"(Results go to stdout; notes, progress and errors go to stderr.

With --json the result is one object on stdout with stable keys, and so is an error: {"error":{"code":...,"message":...}}. Figures that are infinite or absent are null. Numbers read back to the very value that was released.

With -o OUT the result goes to OUT and its privacy label to OUT.label.json. Both are written beside their place and renamed, so that an interrupted run leaves nothing half-written. Check them later:

  gauze label check OUT

An output replaces what is at its place, but never what the command reads, a ledger or its journals, a label, a key or another output, also not through a link; a link at its place is replaced, not followed. /dev/stdout is stdout; /dev/null takes everything and gets no label.

In JSON output the label is under "label". '-' stands for stdin or stdout.

Colour is used on a terminal only; --color always|never decides otherwise, and NO_COLOR is respected. --quiet leaves results and errors.

While a command runs, no core dump is written and no other process of the same user can look into its memory; --allow-core-dumps lets developers.
)";

constexpr const char* kCurators =
    R"(A curator is the server that receives what devices report: 'gauze serve'. It keeps reports sealed, deletes them on their date, and answers analysts. To see one at work:

  gauze serve --demo

There are two kinds of tasks:

  local    devices disturb their answers before they send them; not even
           the curator learns one. Estimates are free: gauze curator
           estimate
  central  devices send records as they are, and trust the curator with
           them. Answers carry noise and cost budget: gauze curator query

Three listeners, each for its own people:

  devices   enrol with a token, fetch tasks and keys, send sealed batches:
            gauze collect send
  analysts  estimate, query, status
  admins    add, approve (another admin than the one who added), close,
            keys, token, sweep, audit, check, backup

Nobody reads single reports, whatever their role: there is no command for it, and whoever tries is in the audit trail.

What it needs to run for real (certificates, keys, systemd, backups) is in docs/guide/curator.md, what it cannot protect from in docs/guide/curator-threats.md, and what to do when something breaks in docs/guide/curator-runbook.md.
)";

constexpr const char* kSql =
    R"(What 'gauze query' understands. It means what it means in PostgreSQL, but nothing fails: what has no value is NULL.

  statement   one SELECT with WITH, FROM, WHERE, GROUP BY, HAVING,
              ORDER BY, LIMIT, OFFSET; UNION ALL; VALUES
  from        tables of the schema, subqueries, [INNER] JOIN, LEFT and
              RIGHT JOIN with ON or USING; private tables join on the
              unit's key or along a path, public ones on anything
  subqueries  IN and EXISTS linked by the unit's key; GROUP BY the unit
              with COUNT, COUNT(DISTINCT), SUM, AVG, MIN, MAX; single
              values of public tables
  aggregates  COUNT(*), COUNT(x), COUNT(DISTINCT x), SUM, AVG, VARIANCE,
              VAR_POP, VAR_SAMP, STDDEV, STDDEV_POP, STDDEV_SAMP, MIN,
              MAX, MEDIAN, PERCENTILE_CONT and PERCENTILE_DISC (p or
              ARRAY[p, ...]) WITHIN GROUP (ORDER BY x), MODE() WITHIN
              GROUP (ORDER BY x); FILTER (WHERE ...)
  operators   + - * / % || = <> < <= > >= AND OR NOT IN BETWEEN LIKE
              ILIKE IS NULL IS TRUE IS DISTINCT FROM CASE CAST ::
  numbers     abs sign floor ceil round trunc mod power sqrt exp ln log
              width_bucket greatest least
  texts       lower upper trim ltrim rtrim left right substring length
              position strpos replace concat starts_with
  dates       EXTRACT date_part date_trunc, date + days, date - date,
              INTERVAL '3 months', CURRENT_DATE
  any         COALESCE NULLIF
  answer      expressions of aggregates, SUM(COUNT(*)) OVER (), a SELECT
              over the grouped subquery

  x / 0, ln(0), sqrt(-1), a text that is no number     NULL
  NaN                                                  NULL
  a number beyond its column's bounds                  the bound
  a text outside its column's values                   `other`, or NULL
  integers that could leave 64 bits                    computed as reals
  reals that could overflow or become 0                refused
  5 / 2 and 5 / 2.0                                    2 and 2.5
  SUM of no rows                                       0
)";

}  // namespace

void register_help_topics(Registry& registry) {
  registry.add(Topic{.name = "exit-codes", .summary = "Exit codes and error codes", .text = kExitCodes});
  registry.add(
      Topic{.name = "guarantees", .summary = "What a guarantee says and what it does not", .text = kGuarantees});
  registry.add(Topic{
      .name = "epsilon", .summary = "How strong an epsilon is, and what it means for one person", .text = kEpsilon});
  registry.add(Topic{.name = "budgets", .summary = "How a privacy budget is kept", .text = kBudgets});
  registry.add(
      Topic{.name = "tables", .summary = "Tables of people: columns, files, missing cells", .text = kTables});
  registry.add(Topic{.name = "sql", .summary = "What can be asked in SQL", .text = kSql});
  registry.add(
      Topic{.name = "curators", .summary = "The server that receives reports of devices", .text = kCurators});
  registry.add(Topic{.name = "output", .summary = "Results, JSON, files and labels", .text = kOutput});
}

}  // namespace gauze::cli
