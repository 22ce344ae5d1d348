import assert from "node:assert/strict";
import { test } from "node:test";
import { csv_field, to_csv } from "../../src/shell/csv";
import { drawn, with_infinities } from "../../src/shell/estimate";
import { count, exact, figure, percent, tick, use_language } from "../../src/shell/format";
import { listed } from "../../src/shell/i18n";
import { dark, ink_on, light, on_ramp } from "../../src/shell/look";
import { parse_settings, settings_hash } from "../../src/shell/settings";
import { Undefined } from "../../src/shell/table_data";

test("figures have three significant digits and a comma between thousands", () => {
  const known: [number, string][] = [
    [0, "0"], [0.5, "0.500"], [0.12345, "0.123"], [0.9996, "1.00"], [12.345, "12.3"], [999.4, "999"], [999.6, "1,000"],
    [32561.4, "32,561"], [-0.25, "\u22120.250"], [0.0001234, "0.000123"], [0.00001234, "1.23 × 10⁻⁵"],
    [1234567, "1,234,567"], [3e20, "3.00 × 10²⁰"],
  ];
  for (const [value, text] of known) assert.equal(figure(value), text);
});

test("infinity is a sign of its own, and a missing end of a figure means it", () => {
  assert.equal(figure(Infinity), "∞");
  assert.equal(figure(-Infinity), "\u2212∞");
  assert.equal(count(Infinity), "∞");
  assert.equal(exact(Infinity), "∞");
  const read = with_infinities({ a: [{ mean: 3, low: 2, high: null }, { mean: null, low: null, high: null }], b: { mean: null } });
  assert.deepEqual(read, {
    a: [{ mean: 3, low: 2, high: Infinity }, { mean: Infinity, low: Infinity, high: Infinity }],
    b: { mean: null },
  });
  assert.deepEqual(drawn({ mean: 3, low: 2, high: Infinity }), { mean: 3, low: 3, high: 3 });
  assert.equal(drawn({ mean: Infinity, low: 2, high: Infinity }), null);
});

test("counts keep all digits, parameters their own", () => {
  assert.equal(count(32561), "32,561");
  assert.equal(count(0), "0");
  assert.equal(exact(0.1), "0.1");
  assert.equal(exact(1000), "1,000");
  assert.equal(tick(0.30000000000000004), "0.3");
});

test("percentages follow the habits of the language", () => {
  use_language("en");
  assert.equal(percent(0.567), "56.7\u202f%");
  use_language("zh");
  assert.equal(percent(0.567), "56.7%");
  use_language("en");
});

test("lists end with the word of the language", () => {
  assert.equal(listed("en", ["1", "2", "3"]), "1, 2 and 3");
  assert.equal(listed("zh", ["1", "2", "3"]), "1、2 和 3");
  assert.equal(listed("en", ["1"]), "1");
  assert.equal(listed("en", []), "");
});

test("CSV fields are quoted as RFC 4180 wants", () => {
  assert.equal(csv_field("plain"), "plain");
  assert.equal(csv_field('a "b", c'), '"a ""b"", c"');
  assert.equal(csv_field("two\nlines"), '"two\nlines"');
  assert.equal(csv_field(" edge"), '" edge"');
  assert.equal(csv_field(0.1), "0.1");
});

test("text of the data is no formula for a spreadsheet", () => {
  assert.equal(csv_field("=1+1"), "'=1+1");
  assert.equal(csv_field("@SUM(A1)"), "'@SUM(A1)");
  assert.equal(csv_field("+cmd|' /C calc'!A0"), "'+cmd|' /C calc'!A0");
  assert.equal(csv_field("-5"), "-5");
  assert.equal(csv_field("-5–-1"), "-5–-1");
  assert.equal(csv_field(-5), "-5");
});

test("an estimate takes four columns, and what is undefined stays empty", () => {
  const csv = to_csv({
    columns: [
      { key: "epsilon", label: "ε", kind: "exact" },
      { key: "tvd", label: "TVD", kind: "estimate" },
      { key: "name", label: "Name", kind: "text" },
    ],
    rows: [
      [0.1, { mean: 0.25, low: 0.2, high: 0.3, sd: 0.01 }, "男"],
      [1, new Undefined("no test rows"), null],
      [2, 0.5, false],
    ],
  });
  assert.equal(csv, "epsilon,tvd,tvd_low,tvd_high,tvd_sd,name\r\n0.1,0.25,0.2,0.3,0.01,男\r\n1,,,,,\r\n2,0.5,,,,false\r\n");
});

test("settings live in the hash", () => {
  assert.deepEqual(parse_settings("#lang=zh&theme=dark&at=scores", "en"), { language: "zh", theme: "dark", at: "scores" });
  assert.deepEqual(parse_settings("", "zh-CN"), { language: "zh", theme: "auto", at: "" });
  assert.deepEqual(parse_settings("#lang=<b>&theme=x&at=%22%3E", "en-GB"), { language: "en", theme: "auto", at: "" });
  const settings = { language: "zh", theme: "light", at: "models" } as const;
  assert.deepEqual(parse_settings(settings_hash(settings), "en"), settings);
});

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test("text and lines can be read on their paper (WCAG 2.1)", () => {
  for (const look of [light, dark]) {
    assert.ok(contrast(look.ink, look.paper) >= 7);
    assert.ok(contrast(look.soft, look.paper) >= 4.5);
    assert.ok(contrast(look.accent, look.paper) >= 4.5);
    assert.ok(contrast(look.warning, look.paper) >= 4.5);
    for (const color of look.series) assert.ok(contrast(color, look.paper) >= 3, `${color} on ${look.paper}`);
    for (let i = 0; i <= 10; ++i) {
      const color = on_ramp(look, i / 10);
      assert.ok(contrast(ink_on(color), color) >= 4, `${ink_on(color)} on ${color}`);
    }
  }
});
