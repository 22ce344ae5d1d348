// The Gauze encoder for browsers and Node: local differential privacy on the device. It is the C encoder of Gauze as
// WebAssembly; this file only moves bytes. See README.md, and docs/formats/encoder.md of Gauze for every function.
import { seal } from "./seal.js";
import { codes, fail, GauzeError } from "./errors.js";
import { amount, bytes, seconds, unixTime, valueFields } from "./arguments.js";
import { webCrypto } from "./web_crypto.js";

export { codes, GauzeError };

const NO_LIMIT = 2n ** 64n - 1n;
const DEFAULT_WINDOW = 30n * 86400n;
const LEDGER = 128;
const CONSENT = 104;
const SECRET = 32;
const DIGEST = 32;
const LARGEST_BLOCK = 64000;
const LARGEST_TASK = 512;
const MOST_REPORTS = 4096;

// What gauze_task_load() made of a block, and of which device a state is: out of reach of whoever holds the objects.
const loaded = new WeakMap();

const hex = (some) => Array.from(some, (byte) => byte.toString(16).padStart(2, "0")).join("");

// The bytes of the module that lies beside this file.
async function ownModule() {
  const url = new URL("./gauze_encoder.wasm", import.meta.url);
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {
    const files = "node:fs/promises"; // not a literal below: bundlers for browsers would look for it
    return (await import(files)).readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw fail(codes.ARGUMENT, `cannot load ${url}: ${response.status}`);
  return response.arrayBuffer();
}

// Loads the encoder. `module`: a compiled WebAssembly.Module or the bytes of gauze_encoder.wasm, for apps that keep it elsewhere.
export async function load(module) {
  const crypto = await webCrypto();
  let memory;
  const imports = {
    gauze: {
      random(at, size) {
        try {
          crypto.getRandomValues(new Uint8Array(memory.buffer, at, size));
          return 0;
        } catch {
          return 1; // no report: never a weaker one
        }
      },
    },
  };
  const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module ?? (await ownModule()));
  const { exports } = await WebAssembly.instantiate(compiled, imports);
  memory = exports.memory;
  return new Encoder(exports, crypto);
}

class Encoder {
  #room;
  #crypto;

  constructor(exports, crypto) {
    this.#room = new Room(exports);
    this.#crypto = crypto;
  }

  // A task from its block (the bytes of `block` in a task file).
  task(block) {
    const given = bytes(block, "the task block");
    return this.#room.use((room) => {
      if (given.length > LARGEST_TASK) throw fail(codes.TASK);
      room.put("block", given);
      room.check(room.call.task_load(given.length));
      return new Task(room);
    });
  }

  // A device: a new one with the app's limits, or one as it was stored.
  device(options) {
    return new Device(this.#room, options ?? {});
  }

  // A batch for the curator's key of suite 1 (P-256, HKDF-SHA256, AES-256-GCM; HPKE base mode).
  seal(publicKey, keyId, blocks) {
    return seal(this.#crypto, publicKey, keyId, blocks);
  }
}

class Task {
  #cost;
  #payloadBytes;
  #fields;
  #hash;

  constructor(room) {
    loaded.set(this, room.take("task"));
    this.#cost = BigInt.asUintN(64, room.call.task_cost());
    this.#payloadBytes = room.call.payload_size();
    this.#fields = room.call.field_count();
    this.#hash = hex(room.take("hash"));
  }

  // What one report costs, in 1e-9 epsilon: computed from the law, rounded up, whatever the task claims.
  get costNano() {
    return this.#cost;
  }

  get payloadBytes() {
    return this.#payloadBytes;
  }

  // How many fields the records of a central task have; 0 of a local one. Such records leave the device as they are.
  get fields() {
    return this.#fields;
  }

  // SHA-256 of the block, in hexadecimal digits: the task's name on the wire.
  get hash() {
    return this.#hash;
  }
}

class Device {
  #room;
  #secret;
  #ledger;
  #consents = new Map(); // by the hash of their task

  constructor(room, { secret, ledger, consents = [], windowSeconds, windowEpsilon, lifetimeEpsilon }) {
    this.#room = room;
    this.#secret = bytes(secret, "the secret", SECRET).slice();
    const limits = [seconds(windowSeconds, "windowSeconds"), amount(windowEpsilon, "windowEpsilon"), amount(lifetimeEpsilon, "lifetimeEpsilon")];
    this.#ledger = ledger === undefined || ledger === null ? this.#newLedger(limits) : this.#storedLedger(ledger, limits);
    for (const consent of consents) {
      const stored = bytes(consent, "a consent", CONSENT).slice();
      this.#consents.set(hex(stored.subarray(0, DIGEST)), stored);
    }
  }

  #newLedger([window, windowNano, lifetimeNano]) {
    return this.#room.use((room) => {
      room.check(room.call.ledger_init(window ?? DEFAULT_WINDOW, windowNano ?? NO_LIMIT, lifetimeNano ?? NO_LIMIT));
      return room.take("ledger");
    });
  }

  // The limits of a stored ledger are in it; those that are given again must be the same.
  #storedLedger(ledger, limits) {
    const stored = bytes(ledger, "the ledger");
    if (stored.length !== LEDGER) throw fail(codes.LEDGER);
    return this.#room.use((room) => {
      room.put("ledger", stored);
      room.check(room.call.ledger_check());
      if (limits.some((limit, i) => limit !== undefined && limit !== BigInt.asUintN(64, room.call.ledger_limit(i))))
        throw fail(codes.ARGUMENT, "the stored ledger has other limits than those given: limits are of a new device alone");
      return room.take("ledger");
    });
  }

  // Puts the device into the room. A consent that is not there is all zero.
  #enter(room, task) {
    const struct = loaded.get(task);
    if (!struct) throw fail(codes.ARGUMENT, "what was given is not a task of this package");
    room.put("task", struct);
    room.put("secret", this.#secret);
    const consent = this.#consents.get(task.hash);
    if (consent) room.put("consent", consent);
  }

  // Records that the user agreed to the text with this SHA-256. Returns 104 bytes to store.
  consent(task, textSha256, time) {
    const digest = bytes(textSha256, "the SHA-256 of the text", DIGEST);
    const now = unixTime(time);
    return this.#room.use((room) => {
      this.#enter(room, task);
      room.put("text_sha256", digest);
      room.check(room.call.consent_grant(now));
      const granted = room.take("consent");
      this.#consents.set(task.hash, granted);
      return granted.slice();
    });
  }

  // Forgets the consent; the app deletes what it stored of it. Whether there was one.
  withdraw(task) {
    if (!loaded.has(task)) throw fail(codes.ARGUMENT, "what was given is not a task of this package");
    return this.#consents.delete(task.hash);
  }

  // One report. Store ledger() before the report is sent: it is charged already, also when this throws with the code RANDOM. Of a central task
  // `value` is an array with a value for each field, and nothing is charged.
  encode(task, value, time) {
    const now = unixTime(time);
    if (task?.fields > 0) return this.#record(task, value, now);
    if (Array.isArray(value)) throw fail(codes.ARGUMENT, "several values are of central tasks alone");
    return this.#room.use((room) => {
      const { kind, number, text } = valueFields(value);
      this.#enter(room, task);
      room.put("ledger", this.#ledger);
      room.put("text", text);
      const result = room.call.encode(now, kind, number, text.length);
      this.#ledger = room.take("ledger");
      room.check(result);
      return room.take("out", task.payloadBytes);
    });
  }

  #record(task, values, now) {
    if (!Array.isArray(values) || values.length !== task.fields)
      throw fail(codes.ARGUMENT, `a record of this task is an array of ${task.fields} values`);
    return this.#room.use((room) => {
      const all = values.map(valueFields);
      this.#enter(room, task);
      all.forEach(({ kind, number }, i) => room.call.put_value(i, kind, number));
      room.check(room.call.encode_record(now, all.length));
      return room.take("out", task.payloadBytes);
    });
  }

  // One block of reports of one task and period.
  block(task, payloads, time) {
    const now = unixTime(time);
    const size = loaded.has(task) ? task.payloadBytes : 0;
    const all = Array.from(payloads ?? [], (payload) => bytes(payload, "a payload", size || undefined));
    return this.#room.use((room) => {
      this.#enter(room, task);
      if (all.length === 0 || all.length > MOST_REPORTS || all.length * size + 66 > LARGEST_BLOCK)
        throw fail(codes.ARGUMENT, `a block has 1 to ${MOST_REPORTS} reports and at most ${LARGEST_BLOCK} bytes`);
      all.forEach((payload, i) => room.put("payloads", payload, i * size));
      return room.take("out", room.check(room.call.block(now, all.length)));
    });
  }

  // The ledger, 128 bytes to store as they are.
  ledger() {
    return this.#ledger.slice();
  }

  // The consents, 104 bytes each to store as they are.
  consents() {
    return Array.from(this.#consents.values(), (consent) => consent.slice());
  }
}

// The memory of the module: fixed places that are filled, used and wiped within one call.
class Room {
  #memory;
  #places;

  constructor(exports) {
    this.call = exports;
    this.#memory = exports.memory;
    const names = ["task", "ledger", "consent", "secret", "text_sha256", "block", "text", "payloads", "out", "hash"];
    const sizes = [exports.size_of_task(), LEDGER, CONSENT, SECRET, DIGEST, LARGEST_TASK, 4096, LARGEST_BLOCK, LARGEST_BLOCK, DIGEST];
    this.#places = new Map(names.map((name, i) => [name, { at: exports.place(i), size: sizes[i] }]));
  }

  use(work) {
    try {
      return work(this);
    } finally {
      this.call.wipe();
    }
  }

  put(name, some, offset = 0) {
    const { at, size } = this.#places.get(name);
    if (offset + some.length > size) throw fail(codes.ARGUMENT, `there is no room for ${some.length} bytes`);
    new Uint8Array(this.#memory.buffer, at + offset, some.length).set(some);
  }

  take(name, length) {
    const { at, size } = this.#places.get(name);
    return new Uint8Array(this.#memory.buffer, at, length ?? size).slice();
  }

  // A result of the encoder: what is negative is an error.
  check(result) {
    if (result < 0) throw fail(result);
    return result;
  }
}
