// Replays the vectors with the package, in Node and in browsers alike. `random` hands out bytes in place of crypto.getRandomValues.
const fromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (two) => parseInt(two, 16));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/// Runs `work` while crypto.getRandomValues gives these bytes and then fails. Returns what is left of them.
function withBytes(bytes, work) {
  const real = globalThis.crypto.getRandomValues;
  let used = 0;
  globalThis.crypto.getRandomValues = (out) => {
    if (used + out.length > bytes.length) throw new Error("no more");
    out.set(bytes.subarray(used, used + out.length));
    used += out.length;
    return out;
  };
  try {
    work();
  } finally {
    if (Object.hasOwn(globalThis.crypto, "getRandomValues")) delete globalThis.crypto.getRandomValues;
    if (globalThis.crypto.getRandomValues !== real) globalThis.crypto.getRandomValues = real;
  }
  return bytes.length - used;
}

const valueOf = (value) =>
  value === null ? null
  : "category" in value ? { category: BigInt(value.category) }
  : "number" in value ? { number: BigInt(value.number) }
  : value;

/// The failures, one line each, and how many lines were replayed.
export function replay(g, file) {
  const failures = [];
  const same = (name, what, is, wanted) => {
    if (is !== wanted) failures.push(`${name}: ${what} is ${is}, not ${wanted}`);
  };
  const tasks = new Map();
  for (const { name, block, hash, cost_nano, payload_bytes } of file.tasks) {
    const bytes = fromBase64(block);
    const task = g.task(bytes);
    tasks.set(name, { task, text: bytes.slice(132, 164) });
    same(name, "hash", task.hash, hash);
    same(name, "cost", task.costNano, BigInt(cost_nano));
    same(name, "payload size", task.payloadBytes, payload_bytes);
  }
  const secret = fromHex(file.secret);
  const deviceFor = ({ task, text }, ledger) => {
    const device = g.device({ secret, ledger });
    device.consent(task, text, BigInt(file.consent_time));
    return device;
  };
  for (const line of file.vectors) {
    const known = tasks.get(line.task);
    const device = deviceFor(known, fromHex(line.ledger_before));
    let result = 0;
    let payload = "";
    const left = withBytes(fromHex(line.random), () => {
      try {
        payload = toHex(device.encode(known.task, valueOf(line.value), BigInt(line.time)));
      } catch (error) {
        result = error.code;
        same(line.name, "kind of error", error instanceof Error && error.message.length > 10, true);
      }
    });
    same(line.name, "result", result, line.result);
    if (line.result === 0) same(line.name, "payload", payload, line.payload);
    same(line.name, "ledger", toHex(device.ledger()), line.ledger_after);
    same(line.name, "unused random bytes", left, 0);
  }
  for (const line of file.records) {
    const known = tasks.get(line.task);
    const device = deviceFor(known);
    const before = toHex(device.ledger());
    let result = 0;
    let record = "";
    const left = withBytes(fromHex(line.random), () => {
      try {
        record = toHex(device.encode(known.task, line.values.map(valueOf), BigInt(line.time)));
      } catch (error) {
        result = error.code;
      }
    });
    same(line.name, "result", result, line.result);
    if (line.result === 0) same(line.name, "record", record, line.record);
    same(line.name, "ledger", toHex(device.ledger()), before);
    same(line.name, "unused random bytes", left, 0);
  }
  for (const line of file.blocks) {
    const known = tasks.get(line.task);
    const device = deviceFor(known);
    const all = fromHex(line.payloads);
    const size = known.task.payloadBytes;
    const payloads = Array.from({ length: line.count }, (_, i) => all.slice(i * size, (i + 1) * size));
    withBytes(fromHex(line.random), () => same(line.task, "block", toHex(device.block(known.task, payloads, BigInt(line.time))), line.block));
  }
  return { failures, lines: file.tasks.length + file.vectors.length + file.records.length + file.blocks.length };
}

/// What an app does in a day: consent, report, block, batch. Returns the batch and what is inside.
export async function oneDay(g, file, publicKey, keyId) {
  const bytes = fromBase64(file.tasks[0].block);
  const task = g.task(bytes);
  const device = g.device({ secret: crypto.getRandomValues(new Uint8Array(32)), windowSeconds: 86400, windowEpsilon: 4 });
  device.consent(task, bytes.slice(132, 164), 1_800_000_000);
  const blocks = [0, 1].map((category) => device.block(task, [device.encode(task, { category }, 1_800_000_000)], 1_800_000_000));
  const batch = await g.seal(publicKey, keyId, blocks);
  return { batch: toHex(batch), blocks: blocks.map(toHex) };
}
