// node channel_test.mjs CHANNEL_PEER PACKAGE WEB: batches of all suites, sealed here and opened by another implementation, and the other
// way round; those of the package for browsers besides.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { hpkeSuite, keyId, smSuite } from "./foreign_suites.mjs";

const [peerProgram, packageFolder, web] = process.argv.slice(2);
for (const name of ["@hpke/core", "@hpke/dhkem-x25519", "sm-crypto"])
  if (!existsSync(join(web, "node_modules", name))) {
    console.log(`skipped: ${name} is not installed, run ./dev setup`);
    process.exit(77);
  }

const peer = spawn(peerProgram, { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: peer.stdout })[Symbol.asyncIterator]();
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (digits) => Buffer.from(digits, "hex");
async function ask(...words) {
  peer.stdin.write(words.join(" ") + "\n");
  const { value, done } = await answers.next();
  assert.ok(!done, `no answer to ${words[0]}`);
  return value;
}
const blocks = (size) => Buffer.from(Array.from({ length: size }, (_, at) => (at * 31 + 7) & 255));

const suites = [await hpkeSuite(web, 1), await hpkeSuite(web, 2), smSuite(web)];
let count = 0;
for (const other of suites) {
  // SM2 writes coordinates without leading zeros, a byte less in every 128th: enough batches to meet some.
  const tries = other.number === 3 ? 100 : 20;
  const [privateKey, publicKey, id] = (await ask("key", other.number)).split(" ");
  assert.equal(id, hex(keyId(bytes(publicKey))));
  const foreign = await other.keys();
  for (let i = 0; i < tries; ++i) {
    const text = blocks([1, 16, 66, 1000, 4096][i % 5]);
    const batch = await other.seal(bytes(publicKey), text);
    assert.equal(await ask("open", other.number, privateKey, hex(batch)), hex(text), `suite ${other.number}, sealed elsewhere`);
    const changed = Buffer.from(batch);
    changed[(i * 37) % changed.length] ^= 1 << i % 8;
    assert.equal(await ask("open", other.number, privateKey, hex(changed)), "refused");
    const ours = bytes(await ask("seal", other.number, hex(foreign.publicKey), hex(text)));
    assert.deepEqual(await other.open(foreign, ours), text, `suite ${other.number}, opened elsewhere`);
    count += 2;
  }
}

if (existsSync(join(packageFolder, "index.js"))) {
  const { load } = await import(pathToFileURL(join(packageFolder, "index.js")).href);
  const encoder = await load();
  const [privateKey, publicKey, id] = (await ask("key", 1)).split(" ");
  const sealed = await encoder.seal(new Uint8Array(bytes(publicKey)), id, [new Uint8Array(blocks(70)), new Uint8Array(blocks(900))]);
  assert.equal(await ask("open", 1, privateKey, hex(sealed)), hex(blocks(70)) + hex(blocks(900)), "sealed by the package");
  const listed = bytes(publicKey).toString("base64url");
  assert.equal(await ask("open", 1, privateKey, hex(await encoder.seal(listed, id, [new Uint8Array(blocks(70))]))), hex(blocks(70)));
  count += 2;
}
peer.stdin.end();
console.log(`${count} batches crossed`);
