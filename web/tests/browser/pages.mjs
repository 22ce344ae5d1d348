// Renders the documents with the program that the product uses, and opens them in a browser that tells everything it
// complains about and everything it asks the network for.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const browser_path = places.find((place) => existsSync(place));

/// Makes a page of every document. Returns their documents and addresses by name.
export function render_all(program, folder) {
  execFileSync(process.execPath, [fileURLToPath(new URL("../make_documents.mjs", import.meta.url)), folder]);
  const pages = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const json = join(folder, file);
    const html = json.replace(/json$/, "html");
    execFileSync(program, [json, html]);
    const name = file.replace(/\.json$/, "");
    pages.set(name, { document: JSON.parse(readFileSync(json, "utf8")), address: pathToFileURL(html).href });
  }
  return pages;
}

/// Opens an address; `complaints` fills with errors and with requests for anything but the page itself.
export async function open(browser, address, { hash = "lang=en", width = 1280, ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, acceptDownloads: true, locale: "en-GB", ...more });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (url.split("#")[0] !== address && !url.startsWith("data:") && !url.startsWith("blob:")) complaints.push(`request: ${url}`);
  });
  await page.goto(`${address}#${hash}`);
  await page.waitForSelector("main section");
  await page.waitForTimeout(50);
  return { page, complaints, close: () => context.close() };
}

/// The bytes of the file that a press of the button hands out.
export async function downloaded(page, name) {
  const [file] = await Promise.all([
    page.waitForEvent("download", { timeout: 15_000 }).catch(() => Promise.reject(new Error(`${name}: nothing came`))), page.locator(`[data-download="${name}"]`).first().click(),
  ]);
  return readFileSync(await file.path());
}

/// The text of a table, row by row.
export function table_text(page, selector) {
  return page.$eval(selector, (element) =>
    [...element.querySelectorAll("table tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent.trim())),
  );
}

/// The figures as the page writes them, computed here on their own: three significant digits.
export function shown(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 999.5 ? Math.round(size).toLocaleString("en-GB") : size.toPrecision(3);
  return (value < 0 ? "\u2212" : "") + text;
}
export const shown_percent = (value) => `${shown(value * 100)}\u202f%`;
