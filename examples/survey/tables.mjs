// node tables.mjs FOLDER [PREFIX]: the tables of docs/studies/learning.md, in Markdown, from what study.sh left in FOLDER. With PREFIX "cgss-" those
// of the second survey.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, prefix = ""] = process.argv.slice(2);
if (!folder || !existsSync(folder)) {
  console.error("usage: node tables.mjs FOLDER [PREFIX]");
  process.exit(2);
}
const MODELS = ["mlp", "cnn", "lstm", "transformer"];
const RATES = ["0.001", "0.005", "0.02"];
const METHODS = { none: "no privacy", dpsgd: "DP-SGD, sigma = c/E", "apba-frozen": "APBA frozen", "apba-plain": "APBA plain",
                  "apba-private": "APBA private", "apba-uniform": "APBA, uniform budgets" };

const has = (name) => existsSync(join(folder, `${name}.json`));
const study = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
const results = (...names) => names.filter(has).flatMap((name) => study(name).results);

const mean = (figure) => (figure?.mean === undefined ? "" : figure.mean.toFixed(3));
const spread = (figure) =>
  figure?.mean === undefined ? "" : `${figure.mean.toFixed(3)} (${figure.low.toFixed(3)}-${figure.high.toFixed(3)})`;
const proved = (result) => (result.proved?.epsilon == null ? "nothing" : Number(result.proved.epsilon).toPrecision(3));

function table(title, head, lines) {
  if (lines.length === 0) return;
  console.log(`\n${title}\n\n| ${head.join(" | ")} |\n|${" --- |".repeat(head.length)}`);
  for (const line of lines) console.log(`| ${line.join(" | ")} |`);
}

function defaults() {
  const all = results("defaults-mlp", "defaults-cnn", "defaults-sequences");
  table("Defaults: accuracy, weighted F1, attack", ["model", "method", "epsilon", "accuracy", "F1", "attack accuracy", "attack AUC"],
        all.map((r) => [r.model, r.method, r.epsilon ?? "-", spread(r.accuracy), mean(r.f1_weighted), mean(r.attack?.accuracy), mean(r.attack?.auc)]));
}

// One line a method, one column a rate.
function byRate(title, before, models) {
  for (const [what, show] of [["accuracy", (r) => spread(r.accuracy)], ["weighted F1", (r) => mean(r.f1_weighted)],
                              ["attack: accuracy / AUC", (r) => `${mean(r.attack?.accuracy)} / ${mean(r.attack?.auc)}`]]) {
    const lines = [];
    for (const model of models) {
      for (const method of Object.keys(METHODS)) {
        const cells = RATES.map((rate) => results(`${before}${model}-apba-${rate}`, `${before}${model}-sgd-${rate}`).find((r) => r.method === method));
        if (cells.some((r) => r)) lines.push([model, METHODS[method], ...cells.map((r) => (r ? show(r) : "")), proved(cells.find((r) => r))]);
      }
    }
    table(`${title}: ${what}`, ["model", "method", ...RATES.map((rate) => `rate ${rate}`), "proved epsilon"], lines);
  }
}

// Attack by attack: of everybody (accuracy, AUC), and of those who are found with few false alarms.
function attacks() {
  const all = results("defaults-mlp", "defaults-cnn", "defaults-sequences", ...RATES.flatMap((rate) => [`mlp-apba-${rate}`, `mlp-sgd-${rate}`]));
  const found = (attack, fpr) => {
    const at = attack.tpr_at_fpr?.find((one) => one.fpr === fpr);
    return at?.tpr ? `${(100 * at.tpr.mean).toFixed(2)} %` : "";
  };
  table("Attacks", ["model", "method", "epsilon", "attack", "accuracy", "AUC", "found at 1 %", "found at 0.1 %"],
        all.flatMap((r) => (r.attacks ?? []).map((one) => [r.model, METHODS[r.method] ?? r.method, r.epsilon ?? "-", one.attack, spread(one.accuracy),
                                                          spread(one.auc), found(one, 0.01), found(one, 0.001)])));
}

function budgets() {
  const lines = [];
  for (const model of MODELS) {
    for (const method of ["dpsgd", "apba-frozen", "apba-plain", "apba-private", "apba-uniform"]) {
      const at = (epsilon) => {
        const names = epsilon === "1" ? [`${model}-apba-0.005`, `${model}-sgd-0.005`]
                                      : [`${model}-budgets-apba`, `${model}-budgets-sgd-${epsilon}`];
        return results(...names).find((r) => r.method === method && (r.epsilon == null || Number(r.epsilon) === Number(epsilon)));
      };
      const cells = ["0.1", "0.3", "1", "3"].map(at);
      if (cells.some((r) => r)) lines.push([model, METHODS[method], ...cells.map((r) => (r ? spread(r.accuracy) : ""))]);
    }
  }
  table("Beside Figure 3: accuracy at rate 0.005", ["model", "method", "E = 0.1", "0.3", "1", "3"], lines);
}

const first = readdirSync(folder).find((file) => file.endsWith(".json") && file.startsWith(prefix));
if (first) console.log(`Majority class: ${spread(study(first.slice(0, -5)).majority)}`);
if (prefix === "") {
  defaults();
  byRate("Eleven values of happiness", "eleven-", ["mlp"]);
}
byRate("Beside Table 3, E = 1", prefix, MODELS);
if (prefix === "") {
  budgets();
  attacks();
}
