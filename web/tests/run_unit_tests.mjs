// Runs tests/unit/*.test.ts with node's own test runner, after vite has made JavaScript of them. Ends with 77, which
// means skipped, when the tools are not installed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
if (!existsSync(`${web}node_modules/vite`)) {
  console.log("skipped: the tools of the report are not installed, run ./dev setup");
  process.exit(77);
}
process.chdir(web);
const { build } = await import("vite");
await build({ configFile: "vite.unit.config.ts", logLevel: "warn" });
const made = "node_modules/.gauze-unit";
const tests = readdirSync(made).filter((name) => name.endsWith(".test.mjs")).map((name) => `${made}/${name}`);
if (tests.length === 0) throw new Error("there are no unit tests");
process.exit(spawnSync(process.execPath, ["--test", ...tests], { stdio: "inherit" }).status ?? 1);
