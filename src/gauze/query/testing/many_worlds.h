#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "gauze/query/testing/query_testing.h"

namespace gauze::query::testing {

/// A database among many, as it is or without one of its units.
struct SeenWorld {
  static constexpr int kNobody = -2;
  int world = 0;
  int without = kNobody;
};

/// Runs a statement once for many worlds, and hands out the rows of the one that is looked at.
class WorldsSession final : public engines::SqlSession {
 public:
  explicit WorldsSession(engines::SqlSession& session) : session_(session) {}

  [[nodiscard]] const engines::SqlDialect& dialect() const override { return session_.dialect(); }
  void interrupt() override { session_.interrupt(); }
  [[nodiscard]] double progress() const override { return session_.progress(); }

  [[nodiscard]] Result<std::unique_ptr<table::RowStream>> run(const std::string& sql,
                                                              const std::string& doing) override {
    if (!place_) return session_.run(sql, doing);
    const std::string known = keys_are_alike_ ? without_key(sql) : sql;
    auto found = answers_.find(known);
    if (found == answers_.end()) {
      GAUZE_TRY(Answers answers, ask_all(sql, doing));
      found = answers_.emplace(known, std::move(answers)).first;
    }
    return std::make_unique<Rows>(found->second.columns, found->second.of_place[*place_]);
  }
  /// Runs a statement as it is, and takes no rows.
  void execute(const std::string& sql) {
    const auto ran = [&]() -> Result<void> {
      GAUZE_TRY(const auto rows, session_.run(sql, "prepare the tables"));
      for (;;) {
        GAUZE_TRY(const auto batch, rows->next());
        if (!batch) return {};
      }
    }();
    EXPECT_TRUE(ran.has_value()) << sql << ": " << (ran ? "" : ran.error().message);
  }

  /// Wherever a statement reads from `table`, it is to read from `rows` of the world at hand.
  void read_instead(std::string table, std::string rows) { instead_.emplace_back(std::move(table), std::move(rows)); }
  void forget(std::size_t places) {
    places_ = places;
    answers_.clear();
  }
  /// Where no unit is in too many groups the key of a run decides nothing: its statement need not be run again for another.
  void treat_keys_alike() { keys_are_alike_ = true; }
  /// The worlds' statements are run for all at once, unless none is looked at.
  void look(std::optional<std::size_t> place) { place_ = place; }

 private:
  struct Answers {
    std::vector<table::RowStream::Column> columns;
    std::vector<std::vector<table::ValueBatch>> of_place;
  };
  class Rows final : public table::RowStream {
   public:
    Rows(std::vector<Column> columns, const std::vector<table::ValueBatch>& batches)
        : RowStream(std::move(columns)), batches_(batches) {}
    [[nodiscard]] Result<std::optional<table::ValueBatch>> next() override {
      if (next_ == batches_.size()) return std::optional<table::ValueBatch>();
      return std::optional<table::ValueBatch>(batches_[next_++]);
    }

   private:
    const std::vector<table::ValueBatch>& batches_;
    std::size_t next_ = 0;
  };

  static std::string without_key(std::string sql) {
    constexpr std::string_view kBefore = "md5_order('";
    for (std::size_t at = sql.find(kBefore); at != std::string::npos; at = sql.find(kBefore, at + 1))
      sql.erase(at + kBefore.size(), 32);
    return sql;
  }
  [[nodiscard]] Result<Answers> ask_all(std::string sql, const std::string& doing) {
    for (const auto& [table, rows] : instead_)
      for (std::size_t at = sql.find(table); at != std::string::npos; at = sql.find(table, at + rows.size()))
        sql.replace(at, table.size(), rows);
    GAUZE_TRY(
        const auto stream,
        session_.run(fmt::format("SELECT w.place, s.* FROM \"worlds shown\" AS w, LATERAL ({}) AS s", sql), doing));
    Answers answers{{stream->columns().begin() + 1, stream->columns().end()}, {}};
    answers.of_place.resize(places_);
    for (;;) {
      GAUZE_TRY(const auto batch, stream->next());
      if (!batch) return answers;
      for (std::size_t row = 0; row < batch->rows; ++row)
        answers.of_place[static_cast<std::size_t>(batch->columns[0].integers[row])].push_back(row_of(*batch, row));
    }
  }
  /// A row as a batch of its own.
  static table::ValueBatch row_of(const table::ValueBatch& batch, std::size_t row) {
    table::ValueBatch one{.rows = 1, .columns = {}, .counts = {}, .memory = batch.memory};
    for (std::size_t i = 1; i < batch.columns.size(); ++i) {
      const table::ValueColumn& from = batch.columns[i];
      table::ValueColumn& to = one.columns.emplace_back();
      if (!from.integers.empty()) to.integers = {from.integers[row]};
      if (!from.wide_integers.empty()) to.wide_integers = {from.wide_integers[row]};
      if (!from.reals.empty()) to.reals = {from.reals[row]};
      if (!from.texts.empty()) to.texts = {from.texts[row]};
      if (from.is_null(row)) to.nulls = {1};
    }
    return one;
  }

  engines::SqlSession& session_;
  std::vector<std::pair<std::string, std::string>> instead_;
  std::map<std::string, Answers> answers_;
  std::optional<std::size_t> place_ = {};
  std::size_t places_ = 0;
  bool keys_are_alike_ = false;
};

/// Many small databases of one schema in one engine. A question is asked of dozens of them in one statement (a lateral join with
/// the list of worlds), which takes a thirtieth of the time that as many statements take.
///
/// Each private table's file has two further columns: `world`, the database that a row is in, and `owner`, the unit with which
/// it goes, or -1.
class ManyWorlds {
 public:
  explicit ManyWorlds(const Database& worlds) : schema_(worlds.schema()) {
    for (schema::TableSchema& table : schema_.tables)
      if (!table.is_public)
        for (const char* name : {"world", "owner"})
          table.columns.push_back({.name = name, .type = schema::DeclaredType::integer});
    std::vector<const schema::TableSchema*> all;
    for (const schema::TableSchema& table : schema_.tables) all.push_back(&table);
    auto opened = SchemaTables::open(schema_, std::move(all), {.engine = {.threads = 1}});
    EXPECT_TRUE(opened.has_value()) << (opened ? "" : opened.error().message);
    auto database = std::make_unique<Worlds>(std::move(*opened));
    session_ = &database->worlds();
    make_tables(worlds.schema());
    tables_ = std::make_unique<SchemaTables>(SchemaTables::over(worlds.schema(), std::move(database)).value());
  }

  [[nodiscard]] SchemaTables& tables() { return *tables_; }
  /// The worlds of which the next question is asked.
  void show(const std::vector<SeenWorld>& worlds) {
    session_->execute("DELETE FROM \"worlds shown\"");
    std::string rows;
    for (std::size_t i = 0; i < worlds.size(); ++i)
      add_item(rows, fmt::format("({}, {}, {})", i, worlds[i].world, worlds[i].without));
    session_->execute("INSERT INTO \"worlds shown\" VALUES " + rows);
    shown_ = worlds;
    session_->forget(worlds.size());
  }
  /// The tables are those of the world at this place, asked together with all others.
  void look(std::size_t place) { session_->look(place); }
  void treat_keys_alike() { session_->treat_keys_alike(); }
  /// The tables are those of the world at this place, asked for itself, by the statement as it is.
  void look_alone(std::size_t place) {
    session_->execute(
        fmt::format("UPDATE \"world alone\" SET w = {}, u = {}", shown_[place].world, shown_[place].without));
    session_->look(std::nullopt);
  }

 private:
  class Worlds final : public engines::SqlDatabase {
   public:
    explicit Worlds(SchemaTables tables)
        : tables_(std::move(tables)), worlds_(std::make_unique<WorldsSession>(tables_.database().session())) {
      Progress silent;
      const auto loaded = tables_.load(silent);
      EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().message);
    }
    [[nodiscard]] engines::SqlSession& session() override { return *worlds_; }
    [[nodiscard]] WorldsSession& worlds() { return *worlds_; }
    [[nodiscard]] table::StoredType stored_type(std::size_t, std::size_t) const override {
      return table::StoredType::text;
    }
    [[nodiscard]] std::string assumption() const override { return {}; }
    [[nodiscard]] Result<void> load(Progress&, const Witnesses&) override { return {}; }
    [[nodiscard]] Result<void> add(const std::string& name, table::RowStream& rows) override {
      return tables_.database().add(name, rows);
    }
    [[nodiscard]] Result<void> check_unchanged() const override { return {}; }

   private:
    SchemaTables tables_;
    std::unique_ptr<WorldsSession> worlds_;
  };

  /// Each table as it is after its scan, and a view of what one world has of it.
  void make_tables(const schema::DatabaseSchema& declared) {
    session_->execute("CREATE TABLE \"worlds shown\" (place BIGINT, w BIGINT, u BIGINT)");
    session_->execute("CREATE TABLE \"world alone\" AS SELECT CAST(0 AS BIGINT) AS w, CAST(0 AS BIGINT) AS u");
    const engines::SqlDialect& dialect = session_->dialect();
    for (const schema::TableSchema& table : declared.tables) {
      const std::string name = dialect.identifier(table.name);
      const std::string all = dialect.identifier(table.name + " of all worlds");
      session_->execute(fmt::format("CREATE TABLE {} AS SELECT * FROM {}", all, name));
      session_->execute("DROP VIEW " + name);
      // All that a scan gives, whatever it is.
      const std::string rows =
          fmt::format("SELECT t.*{} FROM {} AS t", table.is_public ? "" : " EXCLUDE (world, owner)", all);
      session_->execute(fmt::format(
          "CREATE VIEW {} AS {}{}", name, rows,
          table.is_public ? "" : " JOIN \"world alone\" AS alone ON world = alone.w AND owner <> alone.u"));
      if (!table.is_public)
        session_->read_instead("FROM " + name, fmt::format("FROM ({} WHERE world = w.w AND owner <> w.u)", rows));
    }
  }

  schema::DatabaseSchema schema_;
  std::unique_ptr<SchemaTables> tables_;
  WorldsSession* session_ = nullptr;
  std::vector<SeenWorld> shown_;
};

}  // namespace gauze::query::testing
