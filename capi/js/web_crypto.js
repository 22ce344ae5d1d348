// Web Crypto: of the page, of Node, or, where Node 18 has no global one, of its module.
export async function webCrypto() {
  if (globalThis.crypto?.getRandomValues) return globalThis.crypto;
  if (globalThis.process?.versions?.node) {
    const module = "node:crypto"; // not a literal below: bundlers for browsers would look for it
    return (await import(module)).webcrypto;
  }
  throw new Error("there is no Web Crypto here, so no random bytes");
}
