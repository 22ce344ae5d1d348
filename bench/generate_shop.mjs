// Makes the tables of a shop as Parquet: node bench/generate_shop.mjs ITEMS FOLDER
//
// ITEMS line items in orders of one to seven (four in the mean); ten orders a customer in the mean, half of all orders from a
// quarter of the customers: the busiest has thousands, a few have none. 25 nations. Every value is a
// hash of its row's number: the same call with the same DuckDB makes the same tables. A folder that is complete is left as it is.
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';

const [itemsText, folder] = process.argv.slice(2);
const items = Number(itemsText);
if (!folder || !Number.isInteger(items) || items < 1000) {
  console.error('usage: node bench/generate_shop.mjs ITEMS FOLDER   (1,000 items or more)');
  process.exit(2);
}
if (existsSync(`${folder}/complete`)) process.exit(0);

const orders = Math.ceil(items / 28) * 7;
const customers = Math.ceil(items / 40);

// A number in [0, 1) from a row's number, another for each salt.
const share = (row, salt) => `(hash(${row}, ${salt}) / 18446744073709551616.0)`;
const below = (bound, row, salt) => `CAST(hash(${row}, ${salt}) % ${bound} AS INTEGER)`;
const one = (values, row, salt) => `[${values.map((value) => `'${value}'`).join(', ')}][1 + ${below(values.length, row, salt)}]`;
// The customer of an order: the square puts half of all orders on a quarter of the customers; the product scatters them.
const customer = (order) => `CAST(1 + (CAST(floor(${customers} * ${share(order, 1)} ** 2) AS BIGINT) * 7919) % ${customers} AS BIGINT)`;
// Sizes 1 to 7 one after the other: item i belongs to this order of its seven.
const places = [1, 2, 3, 4, 5, 6, 7].flatMap((size) => Array(size).fill(size - 1));
const order = `((i // 28) * 7 + [${places.join(', ')}][1 + i % 28])`;

const tables = {
  nations: 'SELECT i AS id, chr(CAST(65 + i AS INTEGER)) || \'land\' AS name FROM range(25) AS t(i)',
  customers: `SELECT i + 1 AS c_id, ${below(25, 'i', 11)} AS nation, ${one(['private', 'company', 'public'], 'i', 12)} AS segment,
    DATE '2015-01-01' + ${below(4000, 'i', 13)} AS since FROM range(${customers}) AS t(i)`,
  orders: `SELECT i AS o_id, ${customer('i')} AS c_id, DATE '2020-01-01' + ${below(2000, 'i', 2)} AS day,
    ${one(['web', 'shop', 'phone'], 'i', 3)} AS channel FROM range(${orders}) AS t(i)`,
  items: `SELECT i AS i_id, o AS o_id, ${customer('o')} AS c_id, ${one(['A', 'N', 'R'], 'i', 21)} AS flag, ${one(['F', 'O'], 'o', 22)} AS status, quantity,
    round(quantity * (1 + 99 * ${share('i', 24)} ** 3), 2) AS price, DATE '2020-01-01' + ${below(2000, 'o', 2)} AS day
    FROM (SELECT i, ${order} AS o, 1 + ${below(50, 'i', 23)} AS quantity FROM range(${items}) AS t(i))`,
};

const duckdb = createRequire(import.meta.url)(`@duckdb/node-bindings-linux-${process.arch}/duckdb.node`);
const connection = await duckdb.connect(await duckdb.open(':memory:'));
await duckdb.query(connection, 'SET threads = 1'); // rows in their order
mkdirSync(folder, { recursive: true });
for (const [name, sql] of Object.entries(tables)) {
  await duckdb.query(connection, `COPY (${sql}) TO '${folder.replaceAll('\'', '\'\'')}/${name}.parquet' (FORMAT parquet)`);
}
writeFileSync(`${folder}/complete`, `${items}\n`);
