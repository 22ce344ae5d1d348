// plot_study.mjs RESULTS FOLDER: draws the figures of docs/studies/text.md as SVG files in FOLDER, from the JSON files that study.sh
// wrote to RESULTS. Needs Node 18 and nothing else.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [results, folder] = process.argv.slice(2);
if (!results || !folder) {
  console.error("usage: node plot_study.mjs RESULTS FOLDER");
  process.exit(2);
}
const read = (name) => JSON.parse(readFileSync(join(results, `${name}.json`), "utf8"));
const read_lines = (name) => readFileSync(join(results, `${name}.jsonl`), "utf8").trim().split("\n").map((line) => JSON.parse(line));

// Colours that can be told apart without seeing red or green; every series has a dash or a mark of its own, too.
const ink = "#1d2733", soft = "#5a6775", rule = "#dfe4ea";
const blue = "#0068a8", orange = "#c4500a", green = "#00785a", purple = "#8b4a86", grey = "#5b5b5b";

const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const at = (value) => Number(value.toFixed(1));
const label = (x, y, text, more = "") => `<text x="${at(x)}" y="${at(y)}" ${more}>${escaped(text)}</text>`;
const percent = (value) => `${Math.round(value * 100)} %`;

/// A scale from [low, high] to the drawing; logarithmic for epsilons.
function scale([low, high], [from, to], logarithmic = false) {
  const place = logarithmic ? Math.log : (value) => value;
  return (value) => from + ((place(value) - place(low)) / (place(high) - place(low))) * (to - from);
}

function mark(shape, x, y, color) {
  if (shape === "square") return `<rect x="${at(x - 3)}" y="${at(y - 3)}" width="6" height="6" fill="${color}"/>`;
  if (shape === "triangle") return `<path d="M${at(x)} ${at(y - 4)}l4 7h-8z" fill="${color}"/>`;
  return shape === "none" ? "" : `<circle cx="${at(x)}" cy="${at(y)}" r="3" fill="${color}"/>`;
}

/// One pair of axes. A series has points [x, y, low, high]: with low and high there are bars; `band` fills between
/// its own low and high. A level is a horizontal line with a name.
function panel({ left, top, width, height, title, x, y, series, levels = [] }) {
  const to_x = scale(x.range, [left, left + width], x.logarithmic);
  const to_y = scale(y.range, [top + height, top]);
  const out = [label(left, top - 26, title, `fill="${ink}" font-weight="600"`), label(left, top - 8, y.name, `fill="${soft}" font-size="11"`)];
  for (const tick of y.ticks) {
    out.push(`<path d="M${at(left)} ${at(to_y(tick))}h${at(width)}" stroke="${rule}"/>`);
    out.push(label(left - 6, to_y(tick) + 4, y.text ? y.text(tick) : tick, `fill="${soft}" text-anchor="end"`));
  }
  for (const tick of x.ticks) {
    out.push(`<path d="M${at(to_x(tick))} ${at(top + height)}v4" stroke="${soft}"/>`);
    out.push(label(to_x(tick), top + height + 17, x.text ? x.text(tick) : tick, `fill="${soft}" text-anchor="middle"`));
  }
  out.push(`<path d="M${at(left)} ${at(top + height)}h${at(width)}" stroke="${soft}"/>`);
  out.push(label(left + width / 2, top + height + 36, x.name, `fill="${ink}" text-anchor="middle"`));
  for (const { value, color, name, below, start } of levels) {
    out.push(`<path d="M${at(left)} ${at(to_y(value))}h${at(width)}" stroke="${color}" stroke-dasharray="3 3"/>`);
    const place = start ? [left + 2, "start"] : [left + width - 2, "end"];
    out.push(label(place[0], to_y(value) + (below ? 13 : -5), name, `fill="${color}" font-size="11" text-anchor="${place[1]}"`));
  }
  for (const { points, color, dash, shape, band } of series) {
    if (band) {
      const upper = band.map(([px, , high]) => `${at(to_x(px))} ${at(to_y(high))}`);
      const lower = band.map(([px, low]) => `${at(to_x(px))} ${at(to_y(low))}`).reverse();
      out.push(`<path d="M${[...upper, ...lower].join("L")}z" fill="${color}" fill-opacity="0.13"/>`);
    }
    for (const [px, , low, high] of points) {
      if (low === undefined || low === null) continue;
      out.push(`<path d="M${at(to_x(px))} ${at(to_y(low))}V${at(to_y(high))}" stroke="${color}" stroke-width="1.5"/>`);
    }
    const line = points.map(([px, py]) => `${at(to_x(px))} ${at(to_y(py))}`).join("L");
    out.push(`<path d="M${line}" fill="none" stroke="${color}" stroke-width="2"${dash ? ` stroke-dasharray="${dash}"` : ""}/>`);
    for (const [px, py] of points) out.push(mark(shape, to_x(px), to_y(py), color));
  }
  return out.join("\n");
}

function legend(left, top, entries) {
  let x = left;
  return entries.map(({ name, color, dash, shape, band }) => {
    const own = band
      ? `<rect x="${at(x)}" y="${top - 9}" width="22" height="10" fill="${color}" fill-opacity="0.18"/>`
      : `<path d="M${at(x)} ${top - 4}h22" stroke="${color}" stroke-width="2"${dash ? ` stroke-dasharray="${dash}"` : ""}/>${mark(shape, x + 11, top - 4, color)}`;
    const text = label(x + 28, top, name, `fill="${ink}"`);
    x += 28 + name.length * 6.3 + 18;
    return own + text;
  }).join("\n");
}

function save(name, { width = 760, height, title, description, parts }) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-labelledby="t d">
<title id="t">${escaped(title)}</title>
<desc id="d">${escaped(description)}</desc>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${parts.join("\n")}
</svg>
`;
  writeFileSync(join(folder, `${name}.svg`), svg);
}

const epsilon_axis = (low, high, ticks) => ({ range: [low, high], ticks, logarithmic: true, name: "epsilon (logarithmic)" });
const santext_axis = epsilon_axis(0.45, 9, [0.5, 1, 2, 3, 4, 5, 8]);
const from_one = epsilon_axis(0.9, 9, [1, 2, 3, 4, 5, 8]);
const dchi_axis = epsilon_axis(1.8, 44, [2, 5, 10, 20, 40]);
const dchi_short = epsilon_axis(3.6, 33, [4, 6, 10, 15, 20, 30]);
const share_axis = (name) => ({ range: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], text: percent, name });

/// N over epsilon, computed for santext and drawn for dchi.
function stays() {
  const series = ({ results: rows, exact }, color) => ({
    color, shape: "circle",
    points: rows.map(({ epsilon, N }) => [epsilon, N.mean, ...(exact ? [] : [N.low, N.high])]),
    band: rows.map(({ epsilon, N }) => [epsilon, N.q05, N.q95]),
  });
  const box = { top: 78, width: 300, height: 200, y: share_axis("chance that a word stays as it is") };
  save("text-stays", {
    height: 360, title: "How often a word stays as it is",
    description: "Two charts over epsilon. With santext the mean rises from near 0 below epsilon 1.5 to above 95 % at epsilon 4; with dchi the same happens between epsilon 4 and 15.",
    parts: [
      label(52, 22, "Does a word stay as it is? (N)", `fill="${ink}" font-size="14" font-weight="600"`),
      panel({ ...box, left: 52, title: "santext, computed", x: santext_axis, series: [series(read("stats_santext"), blue)] }),
      panel({ ...box, left: 430, title: "dchi, drawn (500 words, 100 times each)", x: dchi_axis, series: [series(read("stats_dchi"), orange)] }),
      legend(52, 347, [
        { name: "mean over the words; dchi with its 95 % interval", color: ink, shape: "circle" },
        { name: "middle 90 % of the words", color: ink, band: true },
      ]),
    ],
  });
}

/// The number of different outputs, and S and S* for santext.
function outputs() {
  const santext = read("stats_santext").results, dchi = read("stats_dchi").results;
  const counted = (rows, color, key) => ({
    color, shape: "circle", points: rows.map((row) => [row.epsilon, row[key].mean]), band: rows.map((row) => [row.epsilon, row[key].q05, row[key].q95]),
  });
  const box = { top: 78, width: 190, height: 190 };
  const runs = { range: [0, 100], ticks: [0, 20, 40, 60, 80, 100], name: "different words in 100 runs" };
  save("text-outputs", {
    height: 350, title: "How many words a word becomes",
    description: "Three charts over epsilon. The number of different outputs in 100 runs falls from 100 to 1, with santext between epsilon 2 and 4, with dchi between 5 and 15. The number of outputs with a chance of 0.001 or more first rises to about 6 at epsilon 3, then falls to 1.",
    parts: [
      label(40, 22, "How many words a word becomes", `fill="${ink}" font-size="14" font-weight="600"`),
      panel({ ...box, left: 40, title: "santext, computed", x: epsilon_axis(0.45, 9, [0.5, 1, 2, 4, 8]), y: runs, series: [counted(santext, blue, "distinct")] }),
      panel({ ...box, left: 295, title: "dchi, drawn", x: dchi_axis, y: runs, series: [counted(dchi, orange, "distinct")] }),
      panel({
        ...box, left: 550, title: "santext: S and S*", x: epsilon_axis(0.45, 9, [0.5, 1, 2, 4, 8]), y: { range: [0, 20], ticks: [0, 5, 10, 15, 20], name: "words with a chance of 0.1 % up" },
        series: [{ ...counted(santext, blue, "S"), shape: "circle" }, { ...counted(santext, orange, "S_star"), dash: "5 4", shape: "none", band: undefined }],
      }),
      legend(40, 340, [
        { name: "mean", color: ink, shape: "circle" }, { name: "middle 90 % of the words", color: ink, band: true },
        { name: "right: S", color: blue, shape: "circle" }, { name: "S*, on the same line", color: orange, dash: "5 4", shape: "none" },
      ]),
    ],
  });
}

/// Accuracy over epsilon, trained on sanitised and tested on clean sentences.
function accuracy() {
  const line = ({ results: rows }, model, color, shape) => ({
    color, shape, points: rows.map(({ epsilon, models }) => {
      const { mean, low, high } = models[model].sanitized_clean.accuracy;
      return [epsilon, mean, low, high];
    }),
  });
  const mechanism = (name, left, title, x) => {
    const document = read(name);
    const clean = document.results[0].models;
    return panel({
      left, top: 78, width: 195, height: 210, title, x, y: { range: [0.48, 0.84], ticks: [0.5, 0.6, 0.7, 0.8], text: percent, name: "right answers" },
      series: [line(document, "logistic", blue, "circle"), line(document, "vectors", orange, "square")],
      levels: [
        { value: clean.logistic.clean_clean.accuracy.mean, color: blue, name: "clean, words", start: true },
        { value: clean.vectors.clean_clean.accuracy.mean, color: orange, name: "clean, vectors", below: true },
        { value: document.majority.accuracy, color: grey, name: "most frequent answer", below: true },
      ],
    });
  };
  save("text-accuracy", {
    height: 370, title: "Accuracy on SST-2 after learning from sanitised sentences",
    description: "Three charts over epsilon. With santext accuracy rises from that of always giving one answer at epsilon 1 to that of clean text at epsilon 4; with dchi the same happens between 5 and 15; with santext+ it is high throughout.",
    parts: [
      label(48, 22, "Right answers on clean sentences, after learning from sanitised ones", `fill="${ink}" font-size="14" font-weight="600"`),
      mechanism("utility_santext", 48, "santext", from_one),
      mechanism("utility_santext_plus", 300, "santext+", from_one),
      mechanism("utility_dchi", 552, "dchi", epsilon_axis(4.6, 33, [5, 10, 15, 20, 30])),
      legend(48, 358, [
        { name: "logistic on words", color: blue, shape: "circle" }, { name: "on averaged vectors", color: orange, shape: "square" },
        { name: "bars: middle 95 % of the repetitions", color: ink, shape: "none" },
      ]),
    ],
  });
}

const attack_styles = {
  hmm: { color: purple, shape: "triangle", name: "hmm: in context" },
  bayes: { color: blue, shape: "circle", name: "bayes: word by word" },
  mask: { color: orange, shape: "square", name: "mask: from neighbours only" },
  as_read: { color: grey, shape: "none", dash: "2 3", name: "as_read: just reading" },
};
const of_attack = (row, name) => row.attacks[name] ?? row.baselines[name];

/// The share of drawn words that an attack recovers.
function attacks() {
  const mechanism = (name, left, title, x) => panel({
    left, top: 78, width: 195, height: 200, title, x, y: share_axis("drawn words that are recovered"),
    series: Object.entries(attack_styles).map(([attack, style]) => ({ ...style, points: read_lines(name).map((row) => [row.epsilon, of_attack(row, attack).recovery.mean]) })),
  });
  save("text-attacks", {
    height: 360, title: "Words that attacks recover",
    description: "Three charts over epsilon: share of the drawn words that four attackers get right. For santext bayes and hmm rise from 10 % to nearly 100 % between epsilon 2 and 4, mask never passes 25 %. For dchi the same between 6 and 15. For santext+ more than 60 % are right at any epsilon.",
    parts: [
      label(48, 22, "What attackers recover", `fill="${ink}" font-size="14" font-weight="600"`),
      mechanism("attack_santext", 48, "santext", from_one),
      mechanism("attack_santext_plus", 300, "santext+", from_one),
      mechanism("attack_dchi", 552, "dchi", dchi_short),
      legend(48, 348, Object.values(attack_styles)),
    ],
  });
}

/// Accuracy against the share of tokens that an attacker gets wrong: what epsilon buys, whatever its unit.
function tradeoff() {
  const mechanisms = [
    { name: "santext", color: blue, shape: "circle" }, { name: "santext_plus", color: orange, shape: "square" }, { name: "dchi", color: green, shape: "triangle" },
  ];
  const document = read("utility_santext_3000");
  const chart = (left, title, privacy) => panel({
    left, top: 78, width: 305, height: 230, title,
    x: { range: [0.3, 1], ticks: [0.4, 0.6, 0.8, 1], text: percent, name: "privacy: words that the attacker gets wrong" },
    y: { range: [0.48, 0.82], ticks: [0.5, 0.6, 0.7, 0.8], text: percent, name: "right answers after learning from sanitised sentences" },
    levels: [{ value: document.majority.accuracy, color: grey, name: "", below: true }],
    series: mechanisms.map(({ name, color, shape }) => {
      const useful = new Map(read(`utility_${name}_3000`).results.map(({ epsilon, models }) => [epsilon, models.logistic.sanitized_clean.accuracy.mean]));
      const points = read_lines(`attack_${name}`).filter(({ epsilon }) => useful.has(epsilon)).map((row) => [privacy(row), useful.get(row.epsilon)]);
      return { color, shape, points };
    }),
  });
  const strongest = ({ attacks: all, baselines }) => Math.min(...[...Object.values(all), ...Object.values(baselines)].map((one) => one.privacy));
  save("text-tradeoff", {
    height: 390, title: "Privacy against accuracy",
    description: "Two charts of accuracy over the share of tokens that an attacker gets wrong. Left, judged by the mask attack, all mechanisms keep above 85 % privacy at full accuracy. Right, judged by the strongest attack, accuracy is bought with privacy; the curves of santext and dchi lie close together and that of santext+ below them.",
    parts: [
      label(48, 22, "Privacy against accuracy, 3,000 words, one point an epsilon", `fill="${ink}" font-size="14" font-weight="600"`),
      chart(48, "judged by the mask attack, as in the papers", (row) => row.attacks.mask.privacy),
      chart(432, "judged by the strongest attack", strongest),
      legend(48, 378, [...mechanisms.map((one) => ({ ...one, name: one.name.replace("_plus", "+") })), { name: "most frequent answer", color: grey, dash: "3 3", shape: "none" }]),
    ],
  });
}

mkdirSync(folder, { recursive: true });
for (const draw of [stays, outputs, accuracy, attacks, tradeoff]) draw();
