// Opens batches of suite 1 with another implementation of HPKE.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

/// `web`: the folder whose node_modules has @hpke/core.
export async function receiver(web) {
  const require = createRequire(pathToFileURL(`${web}/package.json`));
  const { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } = await import(pathToFileURL(require.resolve("@hpke/core")).href);
  const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
  const keys = await suite.kem.generateKeyPair();
  const publicKey = new Uint8Array(await suite.kem.serializePublicKey(keys.publicKey));
  const keyId = new Uint8Array(await crypto.subtle.digest("SHA-256", publicKey)).slice(0, 8);
  const open = async (batch) => {
    assert.equal(Buffer.from(batch.subarray(0, 4)).toString("latin1"), "GZB1");
    assert.equal(batch[4], 1);
    assert.deepEqual(Buffer.from(batch.subarray(5, 13)), Buffer.from(keyId));
    const size = batch[13] | (batch[14] << 8);
    assert.equal(size, 65);
    const info = new TextEncoder().encode("gauze-batch-1");
    const context = await suite.createRecipientContext({ recipientKey: keys.privateKey, enc: batch.slice(15, 15 + size), info });
    return new Uint8Array(await context.open(batch.slice(15 + size), batch.slice(0, 15)));
  };
  return { publicKey, keyId, open };
}
