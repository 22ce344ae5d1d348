// Compiled, not run: an app in TypeScript against the types of the package.
import { codes, GauzeError, load, type Device, type Encoder, type Task } from "gauze-encoder";

export async function report(block: Uint8Array, secret: Uint8Array, text: ArrayBuffer, key: string): Promise<Uint8Array> {
  const g: Encoder = await load();
  const task: Task = g.task(block);
  const cost: bigint = task.costNano;
  const device: Device = g.device({ secret, windowSeconds: 86400n, windowEpsilon: 4, lifetimeEpsilon: cost * 10n });
  const consent: Uint8Array = device.consent(task, text, 1_800_000_000);
  const again = g.device({ secret, ledger: device.ledger(), consents: [consent] });
  try {
    const payloads = [again.encode(task, { category: 3 }, 1n), again.encode(task, { number: 42n }, 2), again.encode(task, { text: "a" }, 3), again.encode(task, null, 4)];
    if (task.fields > 0) payloads.push(again.encode(task, [{ number: 3n }, { category: 1 }, null], 5));
    return await g.seal(key, "0011223344556677", [again.block(task, payloads, 5)]);
  } catch (error) {
    if (error instanceof GauzeError && error.code === codes.BUDGET) again.withdraw(task);
    throw error;
  }
}

// @ts-expect-error: a value says what it is
export const wrong = (device: Device, task: Task) => device.encode(task, 3, 1);
