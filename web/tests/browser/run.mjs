// run.mjs RENDER_DOCUMENT FOLDER [WORDS]: opens reports in a headless browser and checks what a reader sees. With WORDS
// only the checks whose names hold them. Ends with 77, which means skipped, when there is no browser.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { browser_path, render_all } from "./pages.mjs";

const [program, folder, words = ""] = process.argv.slice(2);
if (!program || !folder) {
  console.error("usage: node run.mjs RENDER_DOCUMENT FOLDER [WORDS]");
  process.exit(2);
}
if (!browser_path || !existsSync("node_modules/playwright-core")) {
  console.log(`skipped: ${browser_path ? "playwright-core" : "chromium"} is not installed, run ./dev setup`);
  process.exit(77);
}
const { chromium } = await import("playwright-core");
const { checks } = await import("./checks.mjs");

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const pages = render_all(program, folder);
const nothing = join(folder, "nothing.txt");
writeFileSync(nothing, "null");
execFileSync(program, [nothing, join(folder, "nothing.html")]);
const empty = pathToFileURL(join(folder, "nothing.html")).href;

// A browser by itself: it asks nobody for updates.
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const launch = () => chromium.launch({ executablePath: browser_path, args, timeout: 120_000 });
let browser = await launch();
let failed = 0;
let ran = 0;
for (const [name, check] of Object.entries(checks).filter(([one]) => one.includes(words))) {
  ran += 1;
  const start = Date.now();
  // A busy machine can make a browser too slow for a check; what is wrong is wrong in a new browser, too.
  for (const last of [false, true]) {
    try {
      await check({ browser, pages, empty });
      console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
      break;
    } catch (error) {
      console.log(`${last ? "FAILED " : "again  "} ${name}\n${error.stack ?? error}`);
      if (last) failed += 1;
      await browser.close().catch(() => {});
      browser = await launch();
    }
  }
}
await browser.close();
console.log(`${ran - failed} passed, ${failed} failed`);
process.exit(failed > 0 || ran === 0 ? 1 : 0);
