// node self_table.mjs SELF.json: the table of `gauze audit self --json` as Markdown, for docs/studies/audits.md.
import { readFileSync } from "node:fs";

const down = (figure) => (Math.floor(figure * 1000) / 1000).toFixed(3);
const figure = (value) => Number(value.toPrecision(4)).toString();

const { audits } = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log("| claim | claimed | audited | could have shown | runs a side | what gave most away |\n| --- | --- | --- | --- | --- | --- |");
for (const { claim, claimed, audited } of audits) {
  const delta = claimed.delta > 0 ? `, delta ${figure(claimed.delta)}` : "";
  const cells = [
    claim,
    `${figure(claimed.epsilon)}${delta}`,
    down(audited.epsilon_lower),
    audited.reach === null ? "all" : down(audited.reach),
    audited.runs === null ? "exact" : audited.runs.toLocaleString("en"),
    (audited.event ?? "nothing").replaceAll("|", "\\|"),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
const crossed = audits.filter(({ holds }) => holds === false).length;
console.log(`\n${audits.length} claims, ${crossed} of them contradicted.`);
