// The three suites of batches by other implementations: HPKE of @hpke/core and @hpke/dhkem-x25519, SM2, SM3 and SM4 of sm-crypto.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createHash, randomBytes, webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;

const concat = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));
export const keyId = (publicKey) => createHash("sha256").update(publicKey).digest().subarray(0, 8);

function header(suite, publicKey, encBytes) {
  return concat(Buffer.from("GZB1", "latin1"), [suite], keyId(publicKey), [encBytes & 255, encBytes >> 8]);
}

function split(batch) {
  const encBytes = batch[13] | (batch[14] << 8);
  return { head: batch.subarray(0, 15), enc: batch.subarray(15, 15 + encBytes), sealed: batch.subarray(15 + encBytes) };
}

/// `web`: the folder whose node_modules has the packages.
export async function hpkeSuite(web, number) {
  const require = createRequire(pathToFileURL(`${web}/package.json`));
  const load = (name) => import(pathToFileURL(require.resolve(name)).href);
  const { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } = await load("@hpke/core");
  const { DhkemX25519HkdfSha256 } = await load("@hpke/dhkem-x25519");
  const kem = number === 1 ? new DhkemP256HkdfSha256() : new DhkemX25519HkdfSha256();
  const suite = new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() });
  const info = new TextEncoder().encode("gauze-batch-1");
  return {
    number,
    suite,
    async keys() {
      const pair = await suite.kem.generateKeyPair();
      return { pair, publicKey: Buffer.from(await suite.kem.serializePublicKey(pair.publicKey)) };
    },
    async seal(publicKey, blocks) {
      const recipientPublicKey = await suite.kem.deserializePublicKey(new Uint8Array(publicKey).buffer);
      const sender = await suite.createSenderContext({ recipientPublicKey, info });
      const head = header(number, publicKey, sender.enc.byteLength);
      return concat(head, new Uint8Array(sender.enc), new Uint8Array(await sender.seal(new Uint8Array(blocks), new Uint8Array(head))));
    },
    async open(keys, batch) {
      const { head, enc, sealed } = split(batch);
      const context = await suite.createRecipientContext({ recipientKey: keys.pair.privateKey, enc: new Uint8Array(enc), info });
      return Buffer.from(await context.open(new Uint8Array(sealed), new Uint8Array(head)));
    },
  };
}

export function smSuite(web) {
  const require = createRequire(pathToFileURL(`${web}/package.json`));
  const { sm2, sm3, sm4 } = require("sm-crypto");
  const hmac = (key, data) => Buffer.from(sm3([...data], { mode: "hmac", key: Buffer.from(key).toString("hex") }), "hex");
  const keysOf = (secret, head, enc) => {
    const prk = hmac(Buffer.alloc(32), secret);
    const info = concat(Buffer.from("gauze-sm-1"), head, enc);
    const first = hmac(prk, concat(info, [1]));
    return concat(first, hmac(prk, concat(first, info, [2])));
  };
  const ctr = (key, counter, text) => {
    const blocks = [];
    let number = BigInt(`0x${counter.toString("hex")}`);
    for (let at = 0; at < text.length; at += 16, number = (number + 1n) & ((1n << 128n) - 1n))
      blocks.push(...Buffer.from(number.toString(16).padStart(32, "0"), "hex"));
    const stream = sm4.encrypt(blocks, key.toString("hex"), { padding: "none", output: "array" });
    return Buffer.from(text.map((byte, at) => byte ^ stream[at]));
  };
  const integer = (bytes) => {
    let at = 0;
    while (at + 1 < bytes.length && bytes[at] === 0) ++at;
    const least = bytes.subarray(at);
    return concat([2, least.length + (least[0] >> 7)], least[0] >> 7 ? [0] : [], least);
  };
  // x, y, digest, text, as sm-crypto gives them one after the other (C1 C3 C2), in DER and back.
  const toDer = (hex) => {
    const raw = Buffer.from(hex, "hex");
    const inside = concat(integer(raw.subarray(0, 32)), integer(raw.subarray(32, 64)), [4, 32], raw.subarray(64, 96), [4, 32], raw.subarray(96));
    return inside.length < 128 ? concat([0x30, inside.length], inside) : concat([0x30, 0x81, inside.length], inside);
  };
  const fromDer = (der) => {
    let at = der[1] < 128 ? 2 : 3;
    const next = () => {
      const size = der[at + 1];
      at += 2 + size;
      return der.subarray(at - size, at);
    };
    const number = () => Buffer.from(next().toString("hex").replace(/^00/, "").padStart(64, "0"), "hex");
    return concat(number(), number(), next(), next()).toString("hex");
  };
  return {
    number: 3,
    async keys() {
      const pair = sm2.generateKeyPairHex();
      return { pair, publicKey: Buffer.from(pair.publicKey, "hex") };
    },
    async seal(publicKey, blocks, secret = randomBytes(32)) {
      const enc = toDer(sm2.doEncrypt([...secret], publicKey.toString("hex"), 1));
      const head = header(3, publicKey, enc.length);
      const keys = keysOf(secret, head, enc);
      const text = ctr(keys.subarray(0, 16), keys.subarray(16, 32), Buffer.from(blocks));
      return concat(head, enc, text, hmac(keys.subarray(32), concat(head, enc, text)));
    },
    async open(keys, batch) {
      const { head, enc, sealed } = split(batch);
      const secret = sm2.doDecrypt(fromDer(enc), keys.pair.privateKey, 1, { output: "array" });
      const all = keysOf(secret, head, enc);
      const text = sealed.subarray(0, sealed.length - 32);
      if (!hmac(all.subarray(32), concat(head, enc, text)).equals(sealed.subarray(sealed.length - 32))) throw new Error("refused");
      return ctr(all.subarray(0, 16), all.subarray(16, 32), text);
    },
  };
}
