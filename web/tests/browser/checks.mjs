// What must hold of the report in a browser. Each check gets the pages by name and a browser.
import assert from "node:assert/strict";
import { downloaded, open, shown, shown_percent, table_text } from "./pages.mjs";

const whole = ["summary", "label", "scores", "weights", "privacy", "utility", "models", "fairness", "disparity", "classes", "comparison"];
const sections = {
  full: whole,
  several_ks: ["summary", "label", "heat", ...whole.slice(2)],
  chinese: whole,
  hostile: whole,
  one_epsilon: whole,
  nulls: whole.filter((id) => id !== "comparison"),
  no_target: whole.filter((id) => !["models", "fairness", "disparity"].includes(id)),
  no_protected: whole.filter((id) => !["fairness", "disparity"].includes(id)),
  compare: ["summary", "label", "comparison"],
  patterns: ["costs", "overview", "band", "thresholds", "numbers"],
  patterns_hostile: ["costs", "overview", "band", "thresholds", "numbers"],
  text: ["overview", "stays", "variety", "guess", "words", "reading"],
  text_sampled: ["overview", "stays", "variety", "reading"],
  text_sampled_all: ["overview", "stays", "variety", "guess", "words", "reading"],
  text_one: ["overview", "words", "reading"],
  collect: ["errors", "bytes", "overview", "reading"],
  collect_mean: ["errors", "bytes", "overview", "reading"],
  attack: ["summary", "claims", "roc", "rates", "overview", "groups", "exposed", "reading"],
  attack_crossed: ["summary", "claims", "roc", "rates", "overview", "groups", "exposed", "reading"],
  attack_open: ["summary", "claims", "roc", "rates", "overview", "exposed", "reading"],
  audit: ["summary", "claims", "events", "reading"],
  audit_pairs: ["summary", "claims", "events", "pairs", "reading"],
  audit_self: ["summary", "claims", "events", "reading"],
  inspection: ["relevance", "risk", "columns", "combinations", "ties", "reading"],
  inspection_bare: ["columns", "reading"],
  noise: ["overview", "epsilon-1", "epsilon-2", "reading"],
  noise_delta: ["overview", "epsilon-1", "reading"],
};

const ids = (page) => page.$$eval("main > section", (all) => all.map(({ id }) => id));
const verdict = (page) => page.$eval("#chart-weights .verdict", (element) => element.dataset.epsilon);

/// Opens everything that opens, and waits until the tables inside are drawn.
async function open_details(page) {
  await page.$$eval("main details", (all) => all.forEach((one) => (one.open = true)));
  await comes(page, () => [...document.querySelectorAll(".chart .figures")].every((one) => one.querySelector("table")));
}

/// Waits until it holds; a busy machine may take a while.
const comes = (page, holds) => page.waitForFunction(holds, null, { timeout: 10_000 });

export const checks = {
  "several k: heat maps of all pairs, the rest about the recommended k, nothing above the ceiling wins": async ({ browser, pages }) => {
    const { page, close } = await open(browser, pages.get("several_ks").address);
    assert.match(await page.textContent("#recommendation"), /0\.3 with k = 2.*0\.5 with k = 2/s);
    assert.match(await page.textContent("#scenario"), /ε = 0\.5 \(its closing list\): it won in 41.*%.*ε = 1 \(its Table 4\.7\): not tried\. It lies above the ceiling\./s);
    const { epsilons } = pages.get("several_ks").document;
    for (const score of ["score", "privacy", "utility", "fairness"])
      assert.equal(await page.$$eval(`#chart-heat-${score} .stage svg text`, (all) => all.filter((one) => /^0\.\d|^1/.test(one.textContent) && /0\.\d{2}/.test(one.textContent)).length), epsilons.length, score);
    assert.ok(Number(await verdict(page)) <= 0.5, "weights choose among those below the ceiling");
    await open_details(page);
    assert.equal(await page.$$eval("#chart-heat-score .figures tbody tr", (all) => all.length), epsilons.length);
    await close();
  },

  "every document shows its sections without complaints": async ({ browser, pages }) => {
    assert.deepEqual([...pages.keys()].sort(), Object.keys(sections).sort());
    for (const [name, { address }] of pages) {
      for (const hash of ["lang=en", "lang=zh&theme=dark"]) {
        const { page, complaints, close } = await open(browser, address, { hash });
        assert.deepEqual(await ids(page), sections[name], name);
        assert.equal(await page.$$eval(".stage", (all) => all.filter((one) => !one.querySelector("svg path")).length), 0, `${name}: an empty chart`);
        assert.deepEqual(complaints, [], name);
        await close();
      }
    }
  },

  "the page is marked as internal": async ({ browser, pages }) => {
    const { page, close } = await open(browser, pages.get("full").address);
    assert.equal(await page.textContent(".marking-word"), "INTERNAL");
    assert.match(await page.textContent(".marking"), /not private at any epsilon/);
    await close();
  },

  "requirements and warnings stand in the summary": async ({ browser, pages }) => {
    const full = await open(browser, pages.get("full").address);
    assert.match(await full.page.textContent("#requirements"), /Required: ε ≥ 0\.\d.*tvd<=0\.05 holds in 100.*% of the repetitions/s);
    assert.match(await full.page.textContent("#warnings"), /12 of 32561 rows lie outside/);
    await full.close();
    const nulls = await open(browser, pages.get("nulls").address);
    assert.match(await nulls.page.textContent("#requirements"), /cannot be met.*eod\.sex<=0\.01: closest at ε = 2/s);
    await nulls.close();
  },

  "an infinite figure is written as such": async ({ browser, pages }) => {
    const { page, close } = await open(browser, pages.get("nulls").address);
    await open_details(page);
    const text = await page.textContent("main");
    assert.ok(text.includes("0.100 (0.0500 – ∞)"));
    assert.equal(text.match(/× 10⁰|Infinity|NaN/), null);
    await close();
  },

  "labels of the points of the trade-off do not lie on each other": async ({ browser, pages }) => {
    for (const name of ["full", "chinese"]) {
      const { page, close } = await open(browser, pages.get(name).address);
      const boxes = await page.$$eval("#chart-pareto .stage svg text", (all) =>
        all.map((one) => ({ text: one.textContent, ...one.getBoundingClientRect().toJSON() })));
      const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
      const clashes = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => overlap(a, b)).map((b) => `${a.text} ${b.text}`));
      assert.deepEqual(clashes, [], name);
      await close();
    }
  },

  "figures are those of the document": async ({ browser, pages }) => {
    const { document, address } = pages.get("full");
    const { page, close } = await open(browser, address);
    const { recommendation, epsilons } = document;
    const best = epsilons.find(({ epsilon }) => epsilon === recommendation.epsilon);
    const summary = await page.textContent("#recommendation");
    assert.ok(summary.includes(`ε = ${recommendation.epsilon}`));
    assert.ok(summary.includes(shown_percent(recommendation.win_rate)));
    const tiles = await page.$$eval(".tile", (all) => Object.fromEntries(all.map((tile) => [tile.querySelector("dt").textContent, tile.querySelector(".tile-value").textContent])));
    assert.equal(tiles["Privacy"], shown(best.privacy.score.mean));
    assert.equal(tiles["Utility"], shown(best.utility.score.mean));
    assert.equal(tiles["Fairness"], shown(best.fairness.score.mean));
    assert.equal(tiles["Weighted score"], shown(best.score.mean));

    const released = await table_text(page, "#table-released");
    assert.deepEqual(released.map(([epsilon]) => epsilon), epsilons.map(({ epsilon }) => String(epsilon)));
    released.forEach((row, i) => assert.ok(row[4].startsWith(`${shown(epsilons[i].total.mean)} (${shown(epsilons[i].total.low)} – `)));

    const disparity = await table_text(page, "#table-disparity");
    assert.deepEqual(disparity[0], ["Male", "sex", "19,603", shown_percent(document.disparity.sex.Male.suppression_rate),
      shown_percent(document.disparity.sex.Male.generalisation_loss), shown_percent(document.disparity.sex.Male.risk)]);

    const models = await table_text(page, "#table-models-table");
    assert.equal(models[0][2], shown(document.baselines.majority.accuracy));
    assert.equal(models[1][2], shown(document.baselines.unprotected.models.logistic.accuracy));
    assert.ok(models[2][2].startsWith(shown(epsilons[0].utility.models.logistic.accuracy.mean)));

    const comparison = await table_text(page, "#table-comparison");
    assert.deepEqual(comparison.map(([method]) => method), ["k-anonymity", "Differential privacy", "Hybrid"]);
    assert.match(comparison[0][2], /^undefined \(no noise is added\)$/);
    await close();
  },

  "every chart has its figures as a table": async ({ browser, pages }) => {
    const { document, address } = pages.get("full");
    const { page, close } = await open(browser, address);
    await open_details(page);
    const counts = await page.$$eval(".chart", (all) => all.map((one) => [one.id, one.querySelectorAll(".figures tbody tr").length, one.querySelector(".stage").getAttribute("aria-label").length]));
    assert.ok(counts.length >= 13);
    for (const [id, rows, words] of counts) assert.ok(rows > 0 && words > 20, id);
    const scores = await table_text(page, "#chart-scores .figures");
    scores.forEach((row, i) => assert.ok(row[1].startsWith(shown(document.epsilons[i].privacy.score.mean))));
    await close();
  },

  "what is undefined says so and why, and is never 0": async ({ browser, pages }) => {
    const { page, close } = await open(browser, pages.get("nulls").address);
    await open_details(page);
    const scores = await table_text(page, "#chart-scores .figures");
    assert.match(scores[0][4], /^undefined/);
    assert.match(scores[0][3], /^undefined \(no attribute has two groups/);
    const queries = await table_text(page, "#table-queries");
    assert.match(queries[0][4], /^undefined \(not measured\)$/);
    await page.selectOption("#fairness-controls select >> nth=0", { label: "race" });
    const groups = await table_text(page, "#table-groups");
    const other = groups.find(([name]) => name === "Other");
    assert.match(other[2], /^undefined \(no test rows of this group are positive\)$/);
    assert.equal(other[7], "yes");
    const zh = await open(browser, pages.get("nulls").address, { hash: "lang=zh" });
    assert.match((await table_text(zh.page, "#table-queries"))[0][4], /^未定义/);
    await zh.close();
    const two = await open(browser, pages.get("no_target").address);
    assert.match((await table_text(two.page, "#table-queries"))[0][3], /^undefined \(3 columns are needed, there are 2\)$/);
    await two.close();
    const published = await open(browser, pages.get("no_protected").address);
    assert.match((await table_text(published.page, "#table-released"))[0][7], /^undefined \(the method as published guarantees nothing\)$/);
    await published.close();
    await close();
  },

  "hostile names are text": async ({ browser, pages }) => {
    const { document, address } = pages.get("hostile");
    const { page, complaints, close } = await open(browser, address);
    await open_details(page);
    for (const id of ["scores", "tpr", "lattice", "errors"]) {
      const box = await page.locator(`#chart-${id} .stage`).boundingBox();
      await page.locator(`#chart-${id} .stage`).hover({ position: { x: box.width / 2, y: box.height / 2 } });
      await page.waitForTimeout(30);
    }
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.$$eval("img", (all) => all.length), 0);
    assert.equal((await table_text(page, "#table-groups"))[0][0], Object.keys(document.disparity[Object.keys(document.disparity)[0]])[0]);
    assert.ok((await page.textContent("h1 + .subtitle")).includes("</script><img src=x"));
    assert.equal(await page.evaluate(() => Object.prototype.mean), undefined);
    for (const name of ["tpr.png", "lattice.png"]) assert.equal((await downloaded(page, name)).subarray(1, 4).toString(), "PNG");
    const csv = (await downloaded(page, "disparity.csv")).toString();
    assert.ok(csv.includes("'=cmd|' /C calc'!A0"));
    assert.deepEqual(complaints, []);
    await close();
  },

  "dragging the weights changes the recommendation": async ({ browser, pages }) => {
    const { document, address } = pages.get("full");
    const { page, close } = await open(browser, address);
    assert.equal(await verdict(page), String(document.recommendation.epsilon));
    const before = await table_text(page, "#chart-weights");
    const rates = document.epsilons.map(({ win_rate }) => shown_percent(win_rate.mean));
    assert.deepEqual(before.map((row) => row[2].split(" (")[0]), rates);
    const triangle = page.locator("svg.triangle");
    await triangle.scrollIntoViewIfNeeded();
    const box = await triangle.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.12, { steps: 4 });
    await page.mouse.up();
    const smallest = String(document.epsilons[0].epsilon);
    assert.equal(await verdict(page), smallest);
    assert.match(await page.textContent("#chart-weights .verdict"), /Recommended: ε = 0\.1/);
    assert.ok(Number(await page.inputValue("#weight-privacy")) > 95);
    await page.getByRole("button", { name: "Weights of the setting" }).click();
    assert.equal(await verdict(page), String(document.recommendation.epsilon));
    await page.locator("#weight-utility").fill("100");
    assert.ok(Number(await verdict(page)) >= 2);
    const csv = (await downloaded(page, "win-rates.csv")).toString();
    assert.match(csv, /^\ufeffepsilon,win_rate,win_rate_low,win_rate_high,win_rate_sd,weight_privacy,weight_utility,weight_fairness\r\n0\.1,0,0,0\.1135/);
    await close();
  },

  "without fairness two weights are left": async ({ browser, pages }) => {
    const { page, close } = await open(browser, pages.get("no_protected").address);
    assert.equal(await page.locator(".slider").count(), 2);
    await page.locator("#weight-privacy").fill("100");
    assert.equal(await verdict(page), "0.1");
    await close();
  },

  "everything can be done with the keyboard": async ({ browser, pages }) => {
    const { page, close } = await open(browser, pages.get("full").address);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    await page.keyboard.press("Enter");
    await comes(page, () => document.activeElement.id === "content");
    await page.locator(".handle").focus();
    const start = await page.getAttribute(".handle", "aria-valuetext");
    for (let i = 0; i < 6; ++i) await page.keyboard.press("Shift+ArrowUp");
    assert.notEqual(await page.getAttribute(".handle", "aria-valuetext"), start);
    assert.equal(await verdict(page), "0.1");
    for (let i = 0; i < 10; ++i) await page.keyboard.press("Shift+ArrowDown");
    for (let i = 0; i < 10; ++i) await page.keyboard.press("Shift+ArrowLeft");
    assert.match(await page.getAttribute(".handle", "aria-valuetext"), /Utility 100/);
    const key = page.locator("#chart-scores button.key").first();
    await key.focus();
    await page.keyboard.press("Space");
    assert.equal(await key.getAttribute("aria-pressed"), "false");
    assert.equal(await page.evaluate(() => document.activeElement.className), "key");
    const nameless = await page.$$eval("button, a, select, input, [tabindex='0']", (all) =>
      all.filter((one) => !(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.length)).map((one) => one.outerHTML));
    assert.deepEqual(nameless, []);
    await close();
  },

  "landmarks and headings are in order": async ({ browser, pages }) => {
    const { page, close } = await open(browser, pages.get("full").address);
    for (const landmark of ["header", "nav", "main", "footer"]) assert.equal(await page.locator(`#gauze-page > ${landmark}, .columns > ${landmark}`).count(), 1, landmark);
    const levels = await page.$$eval("h1, h2, h3", (all) => all.map(({ tagName }) => Number(tagName[1])));
    assert.equal(levels.filter((level) => level === 1).length, 1);
    levels.forEach((level, i) => assert.ok(i === 0 || level <= levels[i - 1] + 1));
    const twice = await page.$$eval("[id]", (all) => all.map(({ id }) => id).filter((id, i, ids) => ids.indexOf(id) !== i));
    assert.deepEqual(twice, []);
    await close();
  },

  "the language can be switched, and stays in the address": async ({ browser, pages }) => {
    const { page, complaints, close } = await open(browser, pages.get("chinese").address, { hash: "" });
    assert.equal(await page.getAttribute("html", "lang"), "en");
    await page.locator("#weight-privacy").fill("100");
    const chosen = await verdict(page);
    await page.getByRole("button", { name: "中文" }).click();
    assert.equal(await page.getAttribute("html", "lang"), "zh-Hans");
    assert.match(await page.textContent("h1"), /隐私/);
    assert.match(page.url(), /#lang=zh$/);
    assert.equal(await verdict(page), chosen, "the weights survive");
    assert.ok((await page.textContent("#table-disparity")).includes("内蒙古自治区锡林郭勒盟东乌珠穆沁旗"));
    assert.ok((await page.textContent("#chart-tpr .legend")).includes("男"));
    await page.reload();
    assert.match(await page.textContent("h1"), /隐私/);
    assert.deepEqual(complaints, []);
    await close();
  },

  "light and dark follow the system and the switch": async ({ browser, pages }) => {
    const { page, close } = await open(browser, pages.get("full").address, { colorScheme: "dark" });
    const paper = () => page.$eval(".card", (element) => getComputedStyle(element).backgroundColor);
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    assert.equal(await paper(), "rgb(23, 29, 37)");
    await page.getByRole("button", { name: "Light", exact: true }).click();
    assert.equal(await paper(), "rgb(255, 255, 255)");
    assert.match(page.url(), /theme=light/);
    await page.getByRole("button", { name: "System" }).click();
    await page.emulateMedia({ colorScheme: "light" });
    await comes(page, () => document.documentElement.dataset.theme === "light");
    await close();
  },

  "a phone shows it without scrolling sideways": async ({ browser, pages }) => {
    for (const [name, { address }] of pages) {
      for (const hash of ["lang=en", "lang=zh"]) {
        const { page, close } = await open(browser, address, { hash, width: 360, hasTouch: true, isMobile: true });
        await open_details(page);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, `${name} ${hash}`);
        const wide = await page.$$eval(".stage svg", (all) => all.filter((one) => one.getBoundingClientRect().right > 360).length);
        assert.equal(wide, 0, name);
        await close();
      }
    }
  },

  "print is light, without controls, and nothing is cut": async ({ browser, pages }) => {
    const { page, complaints, close } = await open(browser, pages.get("full").address, { hash: "lang=en&theme=dark" });
    await page.emulateMedia({ media: "print" });
    await comes(page, () => document.documentElement.dataset.theme === "light");
    for (const control of [".toolbar", ".tools", ".contents", ".controls"]) {
      assert.equal(await page.locator(control).first().isVisible(), false, control);
    }
    assert.ok(await page.locator(".marking").isVisible());
    const widths = await page.$$eval(".stage svg", (all) => all.map((one) => one.getBoundingClientRect().width));
    assert.ok(widths.length >= 12 && widths.every((width) => width <= 680), String(widths));
    const pdf = await page.pdf({ preferCSSPageSize: true });
    assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
    await page.emulateMedia({ media: "screen" });
    await comes(page, () => document.documentElement.dataset.theme === "dark");
    assert.deepEqual(complaints, []);
    await close();
  },

  "everything can be downloaded": async ({ browser, pages }) => {
    const { document, address } = pages.get("full");
    const { page, complaints, close } = await open(browser, address);
    const json = JSON.parse((await downloaded(page, "document.json")).toString());
    assert.deepEqual(json, document);
    const scores = (await downloaded(page, "scores.csv")).toString().split("\r\n");
    assert.match(scores[0], /^\ufeffepsilon,privacy,privacy_low,privacy_high,privacy_sd,utility,/);
    document.epsilons.forEach(({ epsilon, privacy }, i) =>
      assert.ok(scores[i + 1].startsWith([epsilon, privacy.score.mean, privacy.score.low, privacy.score.high, privacy.score.sd].join() + ",")));
    const odds = (await downloaded(page, "equalised-odds.csv")).toString().split("\r\n");
    const max = document.epsilons[0].fairness.sex.eod_max;
    assert.ok(odds[1].startsWith(`0.1,${max.mean},${max.low},`));
    await page.locator('#chart-equalised-odds [data-value="eod_sum"]').click();
    const sums = (await downloaded(page, "equalised-odds.csv")).toString().split("\r\n");
    assert.ok(sums[1].startsWith(`0.1,${document.epsilons[0].fairness.sex.eod_sum.mean},`));
    assert.ok(sums[1].endsWith(`,${document.baselines.unprotected.fairness["sex x race"].eod_sum}`));

    const names = await page.$$eval("[data-download]", (all) => all.map((one) => one.dataset.download));
    const cards = await page.$$eval("figure.card", (all) => all.map((one) => [one.id, [...one.querySelectorAll("[data-download]")].map((button) => button.dataset.download.split(".")[1])]));
    for (const [id, kinds] of cards) assert.ok(kinds.includes("csv") && (!id.startsWith("chart-") || kinds.includes("png")), id);
    assert.deepEqual(complaints, []);
    await close();
    // A browser grants a page about ten downloads without a pause.
    for (let i = 0; i < names.length; i += 8) {
      const next = await open(browser, address);
      for (const name of names.slice(i, i + 8)) {
        const bytes = await downloaded(next.page, name);
        if (name.endsWith(".csv")) assert.ok(bytes.toString().split("\r\n").length >= 3, name);
        if (!name.endsWith(".png")) continue;
        assert.equal(bytes.subarray(1, 4).toString(), "PNG", name);
        assert.ok(bytes.length > 5000 && bytes.readUInt32BE(16) >= 600, `${name}: ${bytes.length} bytes`);
      }
      assert.deepEqual(next.complaints, []);
      await next.close();
    }
  },

  "controls redraw their charts": async ({ browser, pages }) => {
    const { page, close } = await open(browser, pages.get("full").address);
    const drawing = (id) => page.$eval(`#chart-${id} .stage svg`, (element) => element.innerHTML);
    const changes = async (id, action) => {
      const before = await drawing(id);
      await action();
      assert.notEqual(await drawing(id), before, id);
    };
    await changes("radar", () => page.locator("#chart-radar .chip", { hasText: "0.5" }).click());
    await changes("errors-by-size", () => page.selectOption("#chart-errors-by-size select", { label: "10" }));
    await changes("errors", () => page.locator('#chart-errors [data-value="linear"]').click());
    await changes("models", () => page.locator('#chart-models [data-value="auc"]').click());
    await changes("tpr", () => page.selectOption("#fairness-controls select >> nth=0", { label: "sex x race" }));
    await changes("class-sizes", () => page.locator('#chart-class-sizes [data-value="rows"]').click());
    await changes("scores", () => page.locator("#chart-scores button.key").first().click());
    await page.locator(".contents a", { hasText: "Models" }).click();
    await comes(page, () => document.activeElement.id === "models-title");
    await close();
  },

  "patterns: the curve, the figures, hostile names": async ({ browser, pages }) => {
    const { document, address } = pages.get("patterns_hostile");
    const { page, complaints, close } = await open(browser, address);
    await open_details(page);
    const rows = await table_text(page, "#table-overview");
    assert.equal(rows.length, 8, "exact was not run");
    assert.deepEqual(rows[1].slice(0, 3), ["psh", "740", "720"]);
    assert.match(rows[6][5], /not reached/);
    assert.equal((await table_text(page, "#table-patterns"))[0][0], document.patterns[0].text);
    assert.equal(await page.$$eval("#chart-costs .stage svg path", (all) => all.length > 8), true);
    const before = await page.$eval("#chart-costs .stage svg", (element) => element.innerHTML);
    await page.locator("#chart-costs button.key").first().click();
    assert.notEqual(await page.$eval("#chart-costs .stage svg", (element) => element.innerHTML), before);
    for (const id of ["costs", "band"]) {
      const box = await page.locator(`#chart-${id} .stage`).boundingBox();
      await page.locator(`#chart-${id} .stage`).hover({ position: { x: box.width / 2, y: box.height / 2 } });
    }
    assert.equal((await downloaded(page, "costs.png")).subarray(1, 4).toString(), "PNG");
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(complaints, []);
    await close();
  },

  "attacks: verdict, figures, the line of the claim, hostile names": async ({ browser, pages }) => {
    const { document, address } = pages.get("attack");
    const { page, complaints, close } = await open(browser, address);
    await open_details(page);
    assert.equal(await page.getAttribute("#verdict", "data-holds"), "true");
    assert.match(await page.textContent("#verdict"), /evidence, not a proof/);
    assert.match(await page.textContent(".marking"), /private or planted rows/);
    const rows = await table_text(page, "#table-overview");
    assert.deepEqual(rows.map(([name]) => name), ["loss", "entropy", "right or wrong", "LiRA", "RMIA"]);
    assert.ok(rows[0][1].startsWith(shown(document.attacks[0].auc.mean)) && rows[0][6].startsWith(shown(document.unprotected.attacks[0].auc.mean)));
    const roc = await table_text(page, "#chart-roc .figures");
    assert.equal(roc.length, 5 * 42);
    const [, fpr, , allowed] = roc.find(([, share]) => share === shown_percent(0.01));
    assert.equal(fpr, shown_percent(0.01));
    assert.equal(allowed, shown_percent(Math.exp(1) * 0.01 + 1e-5), "e to the epsilon times the share, and delta");
    const rates = await table_text(page, "#chart-rates .figures");
    assert.match(rates.find(([name, share]) => name === "right or wrong" && share === shown_percent(0.001))[2], /^undefined \(too few others/);
    const claims = await table_text(page, "#chart-claims .figures");
    assert.deepEqual(claims.map((row) => row[5]), ["no", "no", "no", "no", "no"]);
    assert.equal(claims[0][2], shown(1.62), "the claim at the delta of the bound");
    const groups = await table_text(page, "#chart-by-group .figures");
    assert.deepEqual(groups.map((row) => row[4]), ["no", "no", "yes", "yes"]);
    assert.match(groups[3][1], /^undefined/);
    await page.selectOption("#groups select", { label: "loss" });
    await comes(page, () => document.querySelectorAll("#groups .chart .stage svg path").length > 4);
    assert.equal((await downloaded(page, "roc.png")).subarray(1, 4).toString(), "PNG");
    assert.match((await downloaded(page, "claims.csv")).toString(), /^\ufeffclaim,audited_epsilon_lower,claimed_epsilon,delta,reach,crossed\r\nloss,0,1\.62,/);
    for (const id of ["claims", "roc", "rates", "by-class", "by-group"]) {
      const box = await page.locator(`#chart-${id} .stage`).boundingBox();
      await page.locator(`#chart-${id} .stage`).hover({ position: { x: box.width / 2, y: box.height / 2 } });
    }
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(complaints, []);
    await close();
    const bad = await open(browser, pages.get("attack_crossed").address);
    await open_details(bad.page);
    assert.equal(await bad.page.getAttribute("#verdict", "data-holds"), "false");
    assert.match(await bad.page.getAttribute("#chart-claims .stage", "aria-label"), /Crossed: LiRA\./);
    assert.deepEqual((await table_text(bad.page, "#chart-claims .figures")).map((row) => row[5]), ["no", "yes"]);
    assert.match(await bad.page.$eval("#chart-claims .stage svg", (element) => element.innerHTML), /#9c2b12/i);
    await bad.close();
    const none = await open(browser, pages.get("attack_open").address);
    assert.equal(await none.page.getAttribute("#verdict", "data-holds"), "null");
    assert.match(await none.page.textContent("h1 + .subtitle"), /no claim/);
    await none.close();
  },

  "audits: every claim beside its audit, red where it is crossed": async ({ browser, pages }) => {
    const { document, address } = pages.get("audit_self");
    const { page, complaints, close } = await open(browser, address);
    await open_details(page);
    assert.match(await page.textContent("#counted"), /26 claims were audited; 1 of them are crossed/);
    const rows = await table_text(page, "#table-audits");
    assert.equal(rows.length, document.audits.length);
    assert.deepEqual(rows[24].slice(0, 3), [document.audits[24].claim, "1.00", "2.01"]);
    assert.deepEqual(rows.map((row) => row[9]).filter((holds) => holds === "no"), ["no"]);
    const drawing = await page.$eval("#chart-claims .stage svg", (element) => element.innerHTML);
    assert.match(drawing, /#9c2b12/i);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(complaints, []);
    await close();
    const pairs = await open(browser, pages.get("audit_pairs").address, { hash: "lang=zh" });
    assert.equal((await table_text(pairs.page, "#table-pairs")).length, 2);
    assert.match(await pairs.page.textContent("#pair"), /最坏的一对/);
    await pairs.close();
    const one = await open(browser, pages.get("audit").address);
    assert.equal(await one.page.$("#counted"), null);
    assert.ok(!/#9c2b12/i.test(await one.page.$eval("#chart-claims .stage svg", (element) => element.innerHTML)), "nothing is red that holds");
    await one.close();
  },

  "text: curves in the order of epsilon, figures, hostile words": async ({ browser, pages }) => {
    const { document, address } = pages.get("text");
    const { page, complaints, close } = await open(browser, address);
    await open_details(page);
    const results = [...document.results].sort((a, b) => a.epsilon - b.epsilon);
    const rows = await table_text(page, "#table-overview");
    assert.deepEqual(rows.map(([epsilon, stays]) => [epsilon, stays]), results.map(({ epsilon, N }) => [String(epsilon), shown_percent(N.mean)]));
    assert.equal(rows[0].length, 10);
    assert.match(await page.textContent("#overview .lead"), /between ε = 2 \(18\.2\u202f%\) and ε = 3 \(81\.8\u202f%\)/);
    assert.equal(await page.$(".marking"), null, "nothing private was read");
    const charts = await page.$$eval(".chart", (all) => all.map(({ id }) => id));
    assert.deepEqual(charts, ["stays", "distinct", "likely", "entropy", "guess", "words-stay", "words-distinct"].map((id) => `chart-${id}`));
    for (const id of charts) {
      const box = await page.locator(`#${id} .stage`).boundingBox();
      await page.locator(`#${id} .stage`).hover({ position: { x: box.width / 2, y: box.height / 2 } });
    }
    assert.match(await page.getAttribute("#chart-stays .stage", "aria-label"), /from 0\.247\u202f% at ε = 0\.5 to/);
    const keys = await page.$$eval("#chart-words-stay .key", (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(keys, Object.keys(document.results[0].words));
    const csv = (await downloaded(page, "words-stay.csv")).toString();
    assert.match(csv, /'=1\+1/, "a word is no formula");
    assert.equal((await downloaded(page, "stays.png")).subarray(1, 4).toString(), "PNG");
    assert.match(await page.textContent("#reading"), /means nothing for other vectors/);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(complaints, []);
    await close();
  },

  "text: what was drawn says so, and leaves out what it cannot tell": async ({ browser, pages }) => {
    const { document, address } = pages.get("text_sampled");
    const { page, close } = await open(browser, address);
    assert.match(await page.textContent("#overview"), /Drawn, not computed.* 200 words.* 1,000 times each.*only when all words/);
    const { low, high } = document.results[0].N;
    const [first] = await table_text(page, "#table-overview");
    assert.equal(first.length, 8);
    assert.ok(first[1].includes(`${shown_percent(low)} – ${shown_percent(high)}`));
    const charts = await page.$$eval(".chart", (all) => all.map(({ id }) => id));
    assert.deepEqual(charts, ["chart-stays", "chart-distinct", "chart-likely", "chart-entropy"]);
    assert.match(await page.textContent("#chart-stays .legend"), /95 % interval/);
    assert.doesNotMatch(await page.textContent("#chart-likely .legend"), /S\*/, "of S* only the mean is known");
    assert.doesNotMatch(await page.textContent("main"), /undefined|NaN|null|Best guess/);
    await close();
  },

  "text: draws of all words tell how good guesses are, with intervals": async ({ browser, pages }) => {
    const { document, address } = pages.get("text_sampled_all");
    const { page, complaints, close } = await open(browser, address);
    const { low, high } = document.results[0].bayes.intervals.uniform;
    const [first] = await table_text(page, "#table-overview");
    assert.equal(first.length, 10);
    assert.ok(first[8].includes(`${shown_percent(low)} – ${shown_percent(high)}`));
    assert.match(await page.textContent("#chart-guess .legend"), /95 % interval/);
    assert.match(await page.textContent("#chart-likely .legend"), /S\*/);
    assert.match((await downloaded(page, "guess.csv")).toString(), /guess_uniform_low/);
    assert.doesNotMatch(await page.textContent("main"), /undefined|NaN|null/);
    assert.deepEqual(complaints, []);
    await close();
  },

  "text: one epsilon is a table and no curve": async ({ browser, pages }) => {
    const { document, address } = pages.get("text_one");
    const { page, complaints, close } = await open(browser, address);
    assert.equal((await page.$$(".chart")).length, 0);
    assert.match(await page.textContent("#overview"), /no guarantee.*one epsilon only, so there are no curves/);
    const rows = await table_text(page, "#table-words");
    assert.deepEqual(rows.map(([word]) => word), Object.keys(document.results[0].words));
    assert.equal((await table_text(page, "#table-overview"))[0].length, 9, "no list was given");
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(complaints, []);
    await close();
  },

  "a page without a document says so": async ({ browser, empty }) => {
    const context = await browser.newContext({ locale: "en-GB" });
    const page = await context.newPage();
    await page.goto(empty);
    assert.match(await page.textContent("main"), /carries no document/);
    await context.close();
  },
};
