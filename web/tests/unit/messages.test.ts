import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { audits_en } from "../../src/audits/messages_en";
import { audits_zh } from "../../src/audits/messages_zh";
import { evaluation_en } from "../../src/evaluation/messages_en";
import { evaluation_zh } from "../../src/evaluation/messages_zh";
import { collect_en } from "../../src/collect/messages_en";
import { collect_zh } from "../../src/collect/messages_zh";
import { inspection_en } from "../../src/inspection/messages_en";
import { inspection_zh } from "../../src/inspection/messages_zh";
import { noise_en } from "../../src/noise/messages_en";
import { noise_zh } from "../../src/noise/messages_zh";
import { patterns_en } from "../../src/patterns/messages_en";
import { patterns_zh } from "../../src/patterns/messages_zh";
import { translator, type Messages } from "../../src/shell/i18n";
import { shell_en } from "../../src/shell/messages_en";
import { shell_zh } from "../../src/shell/messages_zh";
import { label_en } from "../../src/label/messages_en";
import { label_zh } from "../../src/label/messages_zh";
import { text_en } from "../../src/text/messages_en";
import { text_zh } from "../../src/text/messages_zh";

const catalogues: [string, Messages, Messages][] = [
  ["shell", shell_en, shell_zh], ["evaluation", evaluation_en, evaluation_zh], ["label", label_en, label_zh],
  ["patterns", patterns_en, patterns_zh], ["text", text_en, text_zh], ["collect", collect_en, collect_zh],
  ["audits", audits_en, audits_zh], ["noise", noise_en, noise_zh], ["inspection", inspection_en, inspection_zh],
];

test("every English sentence has a Chinese one, and the other way round", () => {
  for (const [name, en, zh] of catalogues) assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort(), name);
});

test("both languages fill in the same values", () => {
  const values = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
  for (const [, en, zh] of catalogues) {
    for (const key of Object.keys(en)) assert.deepEqual(values(zh[key] ?? ""), values(en[key] ?? ""), key);
  }
});

test("Chinese sentences are Chinese", () => {
  const same = new Set(["epsilon_is", "epsilon", "shell.download_csv", "shell.download_png", "metric.f1", "metric.auc", "setting.delta", "title.of", "column"]);
  for (const [, en, zh] of catalogues) {
    for (const key of Object.keys(en)) {
      if (!same.has(key)) assert.match(zh[key] ?? "", /[\u4e00-\u9fff]/, key);
    }
  }
});

test("every key that the sources ask for has words", () => {
  const all = new Set(catalogues.flatMap(([, en]) => Object.keys(en)));
  const folders = ["src/shell", "src/evaluation", "src/label", "src/patterns", "src/text", "src/collect", "src/audits", "src/noise", "src/inspection"];
  let asked = 0;
  for (const folder of folders) {
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.startsWith("messages"))) {
      const text = readFileSync(`${folder}/${file}`, "utf8");
      for (const [, key] of text.matchAll(/\bt\(\s*"([^"]+)"/g)) {
        asked += 1;
        assert.ok(key && (all.has(key) || key === "key"), `${file}: ${key}`);
      }
    }
  }
  assert.ok(asked > 150);
});

test("values are filled in as they are, and an unknown one stays", () => {
  const t = translator("en", { en: evaluation_en, zh: evaluation_zh });
  assert.equal(t("title.of", { file: "$& {k}", rows: "5", k: 3 }), "$& {k} · 5 rows · k = 3");
  assert.equal(t("group.small"), "{name} (small)");
});
