// unpack_task.mjs TASK.json FOLDER: what an app is shipped with: the block of the task, and the text that users are shown.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [file, folder] = process.argv.slice(2);
const task = JSON.parse(readFileSync(file, "utf8"));
writeFileSync(join(folder, "task.block"), Buffer.from(task.block, "base64"));
writeFileSync(join(folder, "statement.txt"), task.statement.en);
