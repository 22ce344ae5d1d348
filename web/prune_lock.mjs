// After `npm install --package-lock-only`: leaves in package-lock.json only what a Linux build needs. The optional
// packages of other systems go, and so does the note that a package has an install script, which is never run.
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));
const ours = /^@(esbuild\/linux-(x64|arm64)|rollup\/rollup-linux-(x64|arm64)-gnu)$/;
const foreign = (name) => name === "fsevents" || (/^@(esbuild|rollup)\//.test(name) && !ours.test(name));

for (const [path, entry] of Object.entries(lock.packages)) {
  if (foreign(path.replace("node_modules/", ""))) delete lock.packages[path];
  delete entry.hasInstallScript;
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (foreign(name)) delete entry.optionalDependencies[name];
  }
  if (Object.keys(entry.optionalDependencies ?? { some: 1 }).length === 0) delete entry.optionalDependencies;
}
writeFileSync(file, JSON.stringify(lock, null, 2) + "\n");
