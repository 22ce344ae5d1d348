// node bench/table.mjs FILE.json...: one table from Google Benchmark's JSON files and, in the same list, peers' files.
//
// A peers' file is an array of {"work", "peer", "items_per_second"} (or "bytes_per_second"). A peer stands beside the
// benchmark of the same work. A benchmark named "limit/WORK" measures what the machine could do at best for WORK, and
// stands in the last column; so does a benchmark's own label that begins with "limit". One named "plain NAME/WORK" does WORK
// without privacy, and stands beside it as a peer. A peer with "error" and "own_error" instead of a rate is compared by errors:
// the ratio is that of Gauze's to the peer's. "laplace/100" is the work
// "laplace" at size 100; a peer or limit of "laplace" serves all sizes. A counter "correlation" is shown as it is.
import { readFileSync } from "node:fs";

const UNITS = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];

const rateOf = (entry) =>
  entry.items_per_second !== undefined ? { value: entry.items_per_second, unit: "/s" }
  : entry.bytes_per_second !== undefined ? { value: entry.bytes_per_second, unit: "B/s" }
  : entry.cpu_time > 0 ? { value: 1e9 / toNanoseconds(entry), unit: "/s" }
  : null;

function toNanoseconds({ cpu_time, time_unit = "ns" }) {
  return cpu_time * { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[time_unit];
}

function show(rate) {
  if (!rate) return "";
  const [size, prefix] = UNITS.find(([size]) => rate.value >= size) ?? [1, ""];
  return `${(rate.value / size).toPrecision(3)} ${prefix}${rate.unit}`;
}

// The medians of a Google Benchmark file; single runs where it was not told to repeat.
function medians({ benchmarks }) {
  const aggregates = benchmarks.filter((b) => b.aggregate_name === "median");
  const chosen = aggregates.length > 0 ? aggregates : benchmarks.filter((b) => b.run_type !== "aggregate");
  return chosen
    .filter((b) => !b.error_occurred)
    .sort((a, b) => a.family_index - b.family_index || a.per_family_instance_index - b.per_family_instance_index)
    .map((b) => ({ work: (b.run_name ?? b.name).replace(/\/(min_time|repeats|real_time|process_time)[^/]*/g, ""),
                   rate: rateOf(b), note: b.label ?? "",
                   figure: b.correlation === undefined ? undefined : `correlation ${b.correlation.toFixed(3)}` }));
}

function readAll(paths) {
  const all = [];
  const peers = [];
  for (const path of paths) {
    // Google Benchmark writes the variation of a counter that is 0 as NaN, which JSON does not have.
    const content = JSON.parse(readFileSync(path, "utf8").replaceAll(/: -?(NaN|Infinity)\b/g, ": null"));
    if (Array.isArray(content)) peers.push(...content.map((p) => ({ ...p, rate: rateOf(p) })));
    else all.push(...medians(content));
  }
  const isPlain = ({ work }) => /^plain [^/]*\//.test(work);
  for (const { work, rate } of all.filter(isPlain)) {
    const end = work.indexOf("/");
    peers.push({ peer: work.slice(0, end), work: work.slice(end + 1), rate });
  }
  return { measured: all.filter((m) => !isPlain(m)), peers };
}

// Whether a peer or limit of this name belongs to the work: "discrete laplace" and "discrete-laplace" are one name.
function serves(name, work) {
  const plain = (text) => text.replace(/[_ ]/g, "-").toLowerCase();
  return [plain(work), plain(work.replace(/\/[\d/]+$/, ""))].includes(plain(name));
}

function rows({ measured, peers }) {
  const limits = measured.filter((m) => m.work.startsWith("limit/"))
    .map((m) => ({ ...m, work: m.work.slice("limit/".length) }));
  const table = [];
  for (const { work, rate, note, figure } of measured.filter((m) => !m.work.startsWith("limit/"))) {
    const limit = limits.find((l) => serves(l.work, work));
    const shownLimit = limit ? `${show(limit.rate)}${limit.note ? ` (${limit.note})` : ""}` : note.startsWith("limit") ? note : "";
    const beside = peers.filter((p) => serves(p.work, work));
    if (beside.length === 0) table.push([work.replace(/\/iterations:\d+$/, ""), figure ?? show(rate), "", "", shownLimit]);
    beside.sort((a, b) => b.rate.value - a.rate.value).forEach((peer, i) => {
      const ratio = (rate.value / peer.rate.value).toPrecision(3);
      const first = i === 0 ? [work, show(rate)] : ["", ""];
      table.push([...first, `${peer.peer} ${show(peer.rate)}`, `${Number(ratio)}x`, i === 0 ? shownLimit : ""]);
    });
  }
  const alone = peers.filter((p) => !measured.some((m) => serves(p.work, m.work)));
  for (const peer of alone) {
    const shown = (error) => Number(error.toPrecision(3)).toString();
    if (peer.error === undefined) table.push([peer.work, "", `${peer.peer} ${show(peer.rate)}`, "", ""]);
    else table.push([peer.work, shown(peer.own_error), `${peer.peer} ${shown(peer.error)}`, `${shown(peer.own_error / peer.error)}x`, ""]);
  }
  return table;
}

function print(table) {
  const lines = [["work", "Gauze", "peer", "ratio", "physical limit"], ...table];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const render = (line) => line.map((cell, i) => (i === 1 || i === 3 ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
    .join("  ").trimEnd();
  console.log(render(lines[0]));
  console.log(widths.map((width) => "-".repeat(width)).join("  "));
  for (const line of table) console.log(render(line));
}

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error("usage: node bench/table.mjs FILE.json...");
  process.exit(2);
}
const results = readAll(paths);
print(rows(results));
console.log("\nOne core, CPU time, medians.");
if (results.peers.length > 0) {
  console.log("Peers are called from Python: whole vectors where the library takes them (opendp), else one call a value.");
}
