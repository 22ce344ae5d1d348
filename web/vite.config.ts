import { createHash } from "node:crypto";
import { defineConfig, type Plugin } from "vite";

/// Puts script and style into the page itself: the report is one file that asks the network for nothing.
///
/// The content security policy names the one script by its hash, so that no text of a document can ever run as code,
/// and forbids every connection.
function oneFile(): Plugin {
  return {
    name: "gauze-one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["report.html"];
      if (page?.type !== "asset") throw new Error("report.html is not in the bundle");
      let script = "";
      let style = "";
      for (const [name, part] of Object.entries(bundle)) {
        if (part === page) continue;
        if (part.type === "chunk") script += part.code;
        else if (name.endsWith(".css")) style += String(part.source);
        else throw new Error(`${name}: the report cannot carry this file`);
        delete bundle[name];
      }
      script = script.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
      const hash = createHash("sha256").update(script).digest("base64");
      const policy =
        `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; ` +
        "img-src data: blob:; base-uri 'none'; form-action 'none'";
      page.source = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("<!-- policy -->", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace("<!-- style -->", () => `<style>${style}</style>`)
        .replace("<!-- script -->", () => `<script type="module">${script}</script>`);
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [oneFile()],
  build: {
    target: "es2021",
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rollupOptions: { input: "report.html", output: { inlineDynamicImports: true } },
  },
});
