// Makes large tables that look like Adult: node bench/generate_adult.mjs SOURCE.csv FACTOR OUT.csv
//
// All rows FACTOR times; then, in each of age, occupation and native-country, half of the rows, chosen at random, have
// their values permuted among themselves. Shares of values stay exactly as they were, and there are many more distinct
// tuples (about 505,000 at FACTOR 100). The random numbers are seeded: the same call makes the same file.
import { createWriteStream, readFileSync } from 'node:fs';

const [source, factorText, target] = process.argv.slice(2);
const factor = Number(factorText);
if (!target || !Number.isInteger(factor) || factor < 1) {
  console.error('usage: node bench/generate_adult.mjs SOURCE.csv FACTOR OUT.csv');
  process.exit(2);
}

// xorshift128, enough for permuting rows.
const state = new Uint32Array([123456789, 362436069, 521288629, 88675123]);
function random(bound) {
  let t = state[3];
  const s = state[0];
  state[3] = state[2];
  state[2] = state[1];
  state[1] = s;
  t ^= t << 11;
  t ^= t >>> 8;
  state[0] = (t ^ s ^ (s >>> 19)) >>> 0;
  return Math.floor((state[0] / 4294967296) * bound);
}

const lines = readFileSync(source, 'utf8').split(/\r?\n/).filter((line) => line !== '');
const header = lines[0].split(';');
const rows = lines.slice(1).map((line) => line.split(';'));
const total = rows.length * factor;
const columns = header.map((_, column) => Array.from({ length: total }, (__, row) => rows[row % rows.length][column]));
for (const name of ['age', 'occupation', 'native-country']) {
  const column = columns[header.indexOf(name)];
  const chosen = [];
  for (let row = 0; row < total; row += 1) if (random(2) === 0) chosen.push(row);
  for (let i = chosen.length - 1; i > 0; i -= 1) {
    const j = random(i + 1);
    const a = chosen[i];
    const b = chosen[j];
    [column[a], column[b]] = [column[b], column[a]];
  }
}

const out = createWriteStream(target);
out.write(`${header.join(';')}\n`);
let text = '';
for (let row = 0; row < total; row += 1) {
  text += `${columns.map((column) => column[row]).join(';')}\n`;
  if (text.length > 1 << 20) {
    if (!out.write(text)) await new Promise((resolve) => { out.once('drain', resolve); });
    text = '';
  }
}
out.end(text);
