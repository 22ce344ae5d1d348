#include "gauze/patterns/baskets/internal/long_columns.h"

#include <algorithm>
#include <array>

#include "gauze/base/did_you_mean.h"
#include "gauze/patterns/baskets/internal/line_cells.h"

namespace gauze::patterns::internal {
namespace {

// In the order of preference, as they read without case, blanks, hyphens and underscores.
constexpr std::array<std::string_view, 33> kTransactionNames = {
    "transaction",   "transactionid", "transactionno", "transactionnumber",
    "transid",       "trans",         "tid",           "basket",
    "basketid",      "order",         "orderid",       "orderno",
    "ordernumber",   "invoice",       "invoiceid",     "invoiceno",
    "invoicenumber", "receipt",       "receiptid",     "receiptno",
    "ticket",        "ticketid",      "bill",          "billid",
    "billno",        "cartid",        "交易",          "交易序號",
    "交易序号",      "交易編號",      "交易编号",      "訂單編號",
    "订单编号"};
constexpr std::array<std::string_view, 24> kItemNames = {"item",        "itemid",    "itemname",    "itemdescription",
                                                         "itemno",      "itemcode",  "product",     "productid",
                                                         "productname", "productno", "productcode", "sku",
                                                         "article",     "articleid", "articlename", "stockcode",
                                                         "goods",       "項目",      "项目",        "品項",
                                                         "品项",        "商品",      "商品名稱",    "商品名称"};

std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name)
    if (c != ' ' && c != '_' && c != '-' && c != '.') text += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

template <class Names>
std::optional<std::size_t> known_place(const std::vector<std::string>& header, const Names& names) {
  std::vector<std::string> plain_header(header.size());
  std::transform(header.begin(), header.end(), plain_header.begin(), plain);
  for (const std::string_view name : names) {
    const auto found = std::find(plain_header.begin(), plain_header.end(), name);
    if (found != plain_header.end()) return static_cast<std::size_t>(found - plain_header.begin());
  }
  return std::nullopt;
}

Result<std::optional<std::size_t>> given_place(const std::vector<std::string>& header,
                                               const std::optional<std::string>& name) {
  if (!name) return std::optional<std::size_t>();
  const auto found = std::find(header.begin(), header.end(), *name);
  if (found == header.end())
    return make_error(ErrorCode::unknown_column, "there is no column {}{}", quoted_name(*name),
                      did_you_mean(*name, header));
  return std::optional(static_cast<std::size_t>(found - header.begin()));
}

}  // namespace

Result<LongColumns> find_long_columns(const std::vector<std::string>& header,
                                      const std::optional<std::string>& transaction,
                                      const std::optional<std::string>& item) {
  if (header.size() < 2)
    return make_error(ErrorCode::bad_data,
                      "a long table begins with a line that names its columns: a transaction and an item at least");
  GAUZE_TRY(std::optional<std::size_t> of_transaction, given_place(header, transaction));
  GAUZE_TRY(std::optional<std::size_t> of_item, given_place(header, item));
  if (!of_transaction) of_transaction = known_place(header, kTransactionNames);
  if (!of_item) of_item = known_place(header, kItemNames);
  if (of_transaction && of_transaction == of_item)
    return invalid_parameter("the transaction and the item must be different columns");
  LongColumns columns;
  columns.known = of_transaction && of_item;
  if (!of_transaction) of_transaction = of_item == std::size_t{0} ? 1 : 0;
  if (!of_item) of_item = of_transaction == std::size_t{0} ? 1 : 0;
  columns.transaction = *of_transaction;
  columns.item = *of_item;
  return columns;
}

char long_delimiter(std::string_view header) { return find_delimiter(header, ",;\t|"); }

}  // namespace gauze::patterns::internal
