#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "gauze/query/testing/query_testing.h"

namespace gauze::query::testing {

using Random = std::mt19937_64;

inline std::size_t below(Random& random, std::size_t bound) { return static_cast<std::size_t>(random() % bound); }
inline std::string one_of(Random& random, const std::vector<const char*>& list) {
  return list[below(random, list.size())];
}

/// Tables of 3 to 30 units of the shop: shared, repeated and dangling keys, missing and odd cells.
///
/// An order number that two units share leads an item to both. An item goes with its unit, or stays and leads nowhere when the
/// unit is gone: neither may matter.
struct RandomShop {
  struct Line {
    int owner;  ///< goes with this unit; -1: stays
    std::string text;
  };

  explicit RandomShop(Random& random, int most_units = 30, bool shares_keys = true) {
    units = 3 + static_cast<int>(below(random, below(random, 3) == 0 ? static_cast<std::size_t>(most_units - 2) : 8));
    int order = 0;
    for (int unit = 0; unit < units; ++unit) {
      const std::size_t copies = below(random, 10) == 0 ? 2 : below(random, 8) == 0 ? 0 : 1;
      for (std::size_t i = 0; i < copies; ++i)
        customers.push_back(
            {unit, fmt::format("{},{},{},20{}-0{}-1{},{},{}", unit, one_of(random, {"private", "company", "odd", ""}),
                               one_of(random, {"0", "1", "2", "9", "", "x"}), 15 + below(random, 10),
                               1 + below(random, 9), below(random, 9), one_of(random, {"true", "false", ""}),
                               one_of(random, {"a", "b", "c", ""}))});
      const std::size_t count = below(random, 6) == 0 ? 20 : below(random, 5);
      for (std::size_t i = 0; i < count; ++i) {
        const bool is_shared = shares_keys && order > 0 && below(random, 6) == 0;
        const int number = is_shared ? static_cast<int>(below(random, static_cast<std::size_t>(order))) : order++;
        add_order(random, unit, number);
        if (shares_keys && below(random, 12) == 0) orders.push_back(orders.back());
        for (std::size_t item = 0; item < below(random, 4); ++item)
          items.push_back({-1, fmt::format("{},{}", number, one_of(random, {"1", "7", "50", "99", "", "-3"}))});
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      customers.push_back({-1, ",private,1,2020-01-01,true,a"});
      items.push_back({-1, "99999,4"});
      items.push_back({-1, fmt::format("{},6", order)});  // leads to an order that leads to nobody
      orders.push_back({-1, fmt::format("{},,5,2024-01-01,1", order++)});
    }
  }

  void shuffle(Random& random) {
    for (auto* lines : {&customers, &orders, &items}) std::shuffle(lines->begin(), lines->end(), random);
  }

  int units = 0;
  std::vector<Line> customers, orders, items;

 private:
  void add_order(Random& random, int unit, int number) {
    orders.push_back({unit, fmt::format("{},{},{},2024-{:02}-1{},{}", number, unit,
                                        one_of(random, {"1", "2.5", "-7", "1e9", "nan", "inf", "", "999.5", "abc"}),
                                        1 + below(random, 12), below(random, 9),
                                        one_of(random, {"1", "nan", "1e300", "-1e-300", "", "0.1", "-5"}))});
  }
};

/// The files of several shops, each line with its world and owner behind it.
inline std::vector<std::pair<std::string, std::string>> files_of(const std::vector<RandomShop>& shops) {
  std::string customers = "c_id,segment,nation,since,active,note,world,owner\n";
  std::string orders = "o_id,c_id,price,day,weight,world,owner\n";
  std::string items = "o_id,quantity,world,owner\n";
  for (std::size_t world = 0; world < shops.size(); ++world) {
    const auto add = [&](std::string& text, const std::vector<RandomShop::Line>& lines) {
      for (const auto& line : lines) text += fmt::format("{},{},{}\n", line.text, world, line.owner);
    };
    add(customers, shops[world].customers);
    add(orders, shops[world].orders);
    add(items, shops[world].items);
  }
  return {{"customers.csv", customers},
          {"orders.csv", orders},
          {"items.csv", items},
          {"nations.csv", "id,name\n0,A\n1,B\n2,C\n3,D\n4,E\n"}};
}

/// What may be asked of some rows.
struct QuestionSource {
  const char* from;
  std::vector<const char*> numbers, keys, private_keys, conditions;
};

inline const std::vector<QuestionSource>& shop_sources() {
  static const std::vector<QuestionSource> sources = {
      {"orders",
       {"price", "price * 2 - 5", "abs(price - 3)", "GREATEST(LEAST(weight, 10), -10)",
        "CASE WHEN price > 2 THEN 1 END", "EXTRACT(month FROM day)", "EXTRACT(dow FROM day)"},
       {"EXTRACT(month FROM day)", "price > 2", "width_bucket(price, 0, 10, 3)", "date_trunc('quarter', day)",
        "CASE WHEN price > 1 THEN 'a' END", "o_id % 3"},
       {"o_id", "o_id / 2", "CAST(o_id AS text) || '/'"},
       {"price > 2", "day < '2024-06-01'", "price IS NULL", "weight > 0"}},
      {"customers",
       {"nation", "nation * nation - 3", "CAST(active AS integer)"},
       {"segment", "nation", "active", "segment || nation"},
       {"note", "upper(note)", "note || segment"},
       {"nation > 0", "active", "note = 'a'", "c_id > 2"}},
      {"orders o JOIN customers c USING (c_id)",
       {"price", "nation", "price * nation"},
       {"segment", "nation", "EXTRACT(month FROM day)"},
       {"note", "o_id"},
       {"price > nation", "segment = 'private'"}},
      {"orders o LEFT JOIN customers c ON o.c_id = c.c_id",
       {"price", "COALESCE(nation, 3)"},
       {"segment", "active"},
       {"note"},
       {"price > 1", "nation IS NULL"}},
      {"orders a JOIN orders b ON a.c_id = b.c_id AND a.price < b.price",
       {"a.price", "EXTRACT(month FROM b.day)"},
       {"EXTRACT(month FROM a.day)", "a.price > 1"},
       {"a.o_id"},
       {"b.price > 2"}},
      {"items JOIN orders USING (o_id)",
       {"quantity", "quantity * price"},
       {"EXTRACT(month FROM day)", "quantity > 5"},
       {"o_id"},
       {"quantity > 2", "price > 1"}},
      // Along a path, where the equality of the units is not what was written: an order's number may be that of two units.
      {"items i LEFT JOIN orders o ON i.o_id = o.o_id",
       {"quantity", "price"},
       {"EXTRACT(month FROM day)", "quantity > 5"},
       {"i.o_id"},
       {"quantity > 2", "price > 1"}},
      {"(SELECT o_id, quantity FROM items WHERE quantity > 0) i JOIN orders o ON i.o_id = o.o_id",
       {"quantity", "price"},
       {"EXTRACT(month FROM day)", "quantity > 5"},
       {"o.o_id"},
       {"price > 1"}},
      {"orders o JOIN items i ON o.o_id = i.o_id JOIN (SELECT o_id, quantity AS q FROM items) j ON j.o_id = o.o_id",
       {"quantity", "q"},
       {"EXTRACT(month FROM day)", "q > 5"},
       {"o.o_id"},
       {"quantity < q"}},
      {"items i JOIN orders USING (o_id) JOIN customers USING (c_id) JOIN nations ON nation = id",
       {"quantity", "price"},
       {"name", "segment"},
       {"note"},
       {"name < 'C'"}},
      {"items", {"quantity"}, {"quantity", "quantity % 3"}, {"o_id"}, {"quantity > 3"}},
      {"customers JOIN nations ON nation >= id",
       {"nation", "CAST(id < 2 AS integer)"},
       {"name"},
       {"note"},
       {"nation < 4"}},
      {"customers JOIN (VALUES (1, 'z'), (1, 'y'), (2, 'w')) v(k, word) ON nation = k",
       {"nation"},
       {"word"},
       {"note"},
       {"word > 'w'"}},
      {"(SELECT c_id, price AS p, day AS d FROM orders UNION ALL SELECT c_id, nation, since FROM customers) t",
       {"LEAST(GREATEST(p, 0), 9)"},
       {"p > 2", "EXTRACT(year FROM d)"},
       {},
       {"p > 1", "d > '2020-01-01'"}},
      {"(SELECT c_id, COUNT(*) AS n, SUM(price) AS s, MAX(price) AS m FROM orders GROUP BY c_id) t",
       {"LEAST(n, 10)", "GREATEST(LEAST(s, 100), 0)", "m"},
       {"n > 1", "LEAST(n, 3) > 1"},
       {"n"},
       {"n > 1", "s > 3"}},
      {"(SELECT c_id, EXTRACT(month FROM day) AS m, SUM(GREATEST(LEAST(weight, 1000), -1000)) AS s, AVG(price) AS a FROM orders "
       "GROUP BY c_id, EXTRACT(month FROM day) HAVING COUNT(*) > 0) t",
       {"m", "GREATEST(LEAST(s, 10), -10)", "a"},
       {"m", "s > 0.1"},
       {"CAST(s AS integer)"},
       {"s <> 0.3"}},
      {"(SELECT DISTINCT c_id, EXTRACT(month FROM day) AS m FROM orders) t", {"m"}, {"m"}, {"m"}, {"m > 3"}},
      {"customers c",
       {"nation"},
       {"segment"},
       {"note"},
       {"EXISTS (SELECT 1 FROM orders o WHERE o.c_id = c.c_id AND price > 2)",
        "c_id IN (SELECT c_id FROM orders WHERE price > 1)", "c_id NOT IN (SELECT c_id FROM orders)",
        "NOT EXISTS (SELECT 1 FROM orders o WHERE o.c_id = c.c_id AND o.price > c.nation)",
        "nation IN (SELECT id FROM nations WHERE name < 'C')"}},
      {"orders o JOIN (SELECT c_id, COUNT(*) AS n FROM orders GROUP BY c_id) t ON o.c_id = t.c_id",
       {"price", "LEAST(n, 5)"},
       {"LEAST(GREATEST(n, 0), 4)"},
       {"n"},
       {"n > 2"}},
  };
  return sources;
}

struct RandomQuestion {
  std::string sql = {};
  std::string above = {};  ///< HAVING and the like, which is not in `sql`
  bool has_private_keys = false;
};

/// A question over rows of one of the sources, most of them answerable.
inline RandomQuestion random_question(Random& random, const std::vector<QuestionSource>& sources) {
  const QuestionSource& source = sources[below(random, sources.size())];
  std::string select;
  for (std::size_t i = 0; i <= below(random, 3); ++i) {
    const std::string x = one_of(random, source.numbers);
    const std::string condition = one_of(random, source.conditions);
    const std::string sums[] = {"COUNT(*)",
                                "COUNT(" + x + ")",
                                "SUM(" + x + ")",
                                "AVG(" + x + ")",
                                "VARIANCE(" + x + ")",
                                "COUNT(DISTINCT " + x + ")",
                                "COUNT(*) FILTER (WHERE " + condition + ")",
                                "SUM(" + x + ") FILTER (WHERE " + condition + ")",
                                "STDDEV_POP(" + x + ") / COUNT(*)"};
    // Among few candidates mostly: a choice among a thousand takes as long as ten questions.
    const std::string y = below(random, 4) == 0 ? x : fmt::format("CAST(LEAST(GREATEST({}, -2), 20) AS integer)", x);
    const std::string choices[] = {"MEDIAN(" + y + ")", "MIN(" + y + ")",
                                   "MAX(" + y + ") FILTER (WHERE " + condition + ")",
                                   "PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY " + y + ")",
                                   "MODE() WITHIN GROUP (ORDER BY " + one_of(random, source.keys) + ")"};
    const bool chooses = below(random, 8) == 0;
    select += (select.empty() ? "" : ", ") +
              (chooses ? choices[below(random, std::size(choices))] : sums[below(random, std::size(sums))]);
  }
  RandomQuestion question{.sql = fmt::format("SELECT {} FROM {}", select, source.from)};
  if (below(random, 2) == 0) question.sql += " WHERE " + one_of(random, source.conditions);
  const std::size_t grouping = below(random, 6);
  question.has_private_keys = grouping == 0 && !source.private_keys.empty();
  if (question.has_private_keys)
    question.sql += " GROUP BY " + one_of(random, source.private_keys);
  else if (grouping < 4)
    question.sql += " GROUP BY " + one_of(random, source.keys);
  if (grouping > 0 && below(random, 4) == 0 && grouping < 4) question.sql += ", " + one_of(random, source.keys);
  question.above = " HAVING " + select.substr(0, select.find(", ")) + " IS NOT NULL ORDER BY 1 DESC LIMIT 2";
  return question;
}

}  // namespace gauze::query::testing
