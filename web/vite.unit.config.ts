import { readdirSync } from "node:fs";
import { defineConfig } from "vite";

// The unit tests as plain JavaScript, for node's own test runner.
const tests = readdirSync("tests/unit").filter((name) => name.endsWith(".test.ts"));

export default defineConfig({
  build: {
    ssr: true,
    target: "node18",
    outDir: "node_modules/.gauze-unit",
    emptyOutDir: true,
    rollupOptions: {
      input: tests.map((name) => `tests/unit/${name}`),
      output: { entryFileNames: "[name].mjs", chunkFileNames: "parts/[name].mjs" },
    },
  },
});
