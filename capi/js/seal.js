// Batches for the curator: RFC 9180 (HPKE) in base mode from parts of Web Crypto, with DHKEM(P-256, HKDF-SHA256) 0x0010, HKDF-SHA256 0x0001
// and AES-256-GCM 0x0002. A batch: "GZB1", suite u8 = 1, key id 8, length of enc u16, enc, sealed text.
import { codes, fail } from "./errors.js";
import { bytes } from "./arguments.js";

const text = (some) => new TextEncoder().encode(some);
const none = new Uint8Array(0);
const KEM = join(text("KEM"), [0, 0x10]);
const SUITE = join(text("HPKE"), [0, 0x10, 0, 0x01, 0, 0x02]);
const INFO = text("gauze-batch-1");
const P256 = { name: "ECDH", namedCurve: "P-256" };

function join(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

function fromHex(some) {
  if (!/^[0-9a-f]{16}$/i.test(some)) throw fail(codes.ARGUMENT, "a key id has 16 hexadecimal digits");
  return Uint8Array.from(some.match(/../g), (two) => parseInt(two, 16));
}

function fromBase64Url(some) {
  try {
    return Uint8Array.from(atob(some.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw fail(codes.ARGUMENT, "the public key is not base64url");
  }
}

// Sections 4 and 4.1 of the RFC.
function labelled(subtle, suite) {
  const hmac = async (key, data) => {
    const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await subtle.sign("HMAC", imported, data));
  };
  return {
    // An empty salt is as good as 32 zeros, and Web Crypto takes no empty key.
    extract: (salt, label, ikm) => hmac(salt.length > 0 ? salt : new Uint8Array(32), join(text("HPKE-v1"), suite, text(label), ikm)),
    // One round of HKDF: 32 bytes at most.
    expand: async (prk, label, info, length) =>
      (await hmac(prk, join([0, length], text("HPKE-v1"), suite, text(label), info, [1]))).slice(0, length),
  };
}

// Encapsulation: section 4.1.
async function encapsulate(subtle, publicKey) {
  let receiver;
  try {
    receiver = await subtle.importKey("raw", publicKey, P256, false, []);
  } catch {
    throw fail(codes.ARGUMENT, "the public key is no point of P-256");
  }
  const own = await subtle.generateKey(P256, false, ["deriveBits"]);
  const enc = new Uint8Array(await subtle.exportKey("raw", own.publicKey));
  const shared = new Uint8Array(await subtle.deriveBits({ name: "ECDH", public: receiver }, own.privateKey, 256));
  const { extract, expand } = labelled(subtle, KEM);
  const secret = await expand(await extract(none, "eae_prk", shared), "shared_secret", join(enc, publicKey), 32);
  return { enc, secret };
}

// Key schedule: section 5.1, base mode.
async function schedule(subtle, secret) {
  const { extract, expand } = labelled(subtle, SUITE);
  const context = join([0], await extract(none, "psk_id_hash", none), await extract(none, "info_hash", INFO));
  const main = await extract(secret, "secret", none);
  return { key: await expand(main, "key", context, 32), nonce: await expand(main, "base_nonce", context, 12) };
}

// publicKey: 65 bytes, or base64url as the curator lists it; keyId: 8 bytes, or 16 hexadecimal digits.
export async function seal(crypto, publicKey, keyId, blocks) {
  const subtle = crypto.subtle;
  if (!subtle) throw fail(codes.ARGUMENT, "Web Crypto seals only on pages from https or localhost");
  const receiver = bytes(typeof publicKey === "string" ? fromBase64Url(publicKey) : publicKey, "the public key", 65);
  const id = bytes(typeof keyId === "string" ? fromHex(keyId) : keyId, "the key id", 8);
  const inside = Array.from(blocks ?? [], (block) => bytes(block, "a block"));
  if (inside.length === 0) throw fail(codes.ARGUMENT, "a batch has at least one block");

  const { enc, secret } = await encapsulate(subtle, receiver);
  const { key, nonce } = await schedule(subtle, secret);
  const head = join(text("GZB1"), [1], id, [enc.length & 255, enc.length >> 8]);
  const aead = await subtle.importKey("raw", key, "AES-GCM", false, ["encrypt"]);
  const sealed = await subtle.encrypt({ name: "AES-GCM", iv: nonce, additionalData: head }, aead, join(...inside));
  return join(head, enc, new Uint8Array(sealed));
}
