// browser_test.mjs PACKAGE VECTORS WEB: the package in headless Chromium, from a server on this machine. Nothing else is asked for. Ends with
// 77, which means skipped, when there is no browser.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { webcrypto } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { receiver } from "./open_batch.mjs";

const [folder, vectors, web] = process.argv.slice(2);
globalThis.crypto ??= webcrypto;
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((place) => existsSync(place));
if (!browserPath || !existsSync(join(web, "node_modules/playwright-core"))) {
  console.log("skipped: chromium or playwright-core is not installed, run ./dev setup");
  process.exit(77);
}
const require = createRequire(pathToFileURL(join(web, "package.json")));
const { chromium } = require("playwright-core");

const here = dirname(fileURLToPath(import.meta.url));
const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const files = new Map([
  ...["index.js", "arguments.js", "errors.js", "seal.js", "web_crypto.js", "gauze_encoder.wasm"].map((name) => [`/package/${name}`, join(folder, name)]),
  ["/replay.mjs", join(here, "replay.mjs")],
  ["/vectors.json", vectors],
]);
const server = createServer((request, response) => {
  const file = files.get(request.url);
  const type = file ? types[file.slice(file.lastIndexOf("."))] : "text/html";
  // As strict a policy as a page can have and still run the module.
  response.setHeader("Content-Security-Policy", "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'");
  response.setHeader("Content-Type", type);
  response.statusCode = file || request.url === "/" ? 200 : 404;
  response.end(file ? readFileSync(file) : "<!doctype html><title>encoder</title>");
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const origin = `http://127.0.0.1:${server.address().port}`;

const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: browserPath, args, timeout: 120_000 });
let status = 1;
try {
  const page = await browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.location().url.endsWith("favicon.ico")) complaints.push(message.text());
  });
  page.on("request", (request) => {
    const path = request.url().replace(origin, "");
    if (path !== "/" && path !== "/favicon.ico" && !files.has(path)) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(`${origin}/`);
  const { publicKey, keyId, open } = await receiver(web);
  const result = await page.evaluate(
    async ({ key, id }) => {
      const { load, codes } = await import("/package/index.js");
      const { oneDay, replay } = await import("/replay.mjs");
      const file = await (await fetch("/vectors.json")).json();
      const g = await load();
      const day = await oneDay(g, file, Uint8Array.from(key), Uint8Array.from(id));
      let code = 0;
      try {
        g.task(new Uint8Array(256));
      } catch (error) {
        code = error instanceof Error ? error.code : 1;
      }
      return { ...replay(g, file), ...day, code, wanted: codes.TASK };
    },
    { key: [...publicKey], id: [...keyId] },
  );
  assert.deepEqual(result.failures, []);
  assert.ok(result.lines > 200);
  assert.equal(result.code, result.wanted);
  assert.equal(Buffer.from(await open(Buffer.from(result.batch, "hex"))).toString("hex"), result.blocks.join(""));
  assert.deepEqual(complaints, []);
  console.log(`ok: ${result.lines} lines of ${basename(vectors)} replayed, a batch of ${result.blocks.length} blocks opened`);
  status = 0;
} catch (error) {
  console.log(error.stack ?? error);
} finally {
  await browser.close();
  server.close();
}
process.exit(status);
