/** Bytes: a Uint8Array (also Node's Buffer), another view, or an ArrayBuffer. */
export type Bytes = Uint8Array | ArrayBufferView | ArrayBuffer;

/** Unix seconds. */
export type Time = number | bigint;

/**
 * A value: the number of a category; a number in units of the task's field; a text. null or undefined: there is none.
 * What is out of the task's domain is no error: it is reported as the task says.
 */
export type Value = { category: number | bigint } | { number: bigint | number } | { text: string } | null | undefined;

/** The codes of errors, as in gauze_encoder.h. */
export const codes: {
  readonly ARGUMENT: -1;
  readonly TASK: -2;
  readonly COST: -3;
  readonly CONSENT: -4;
  readonly BUDGET: -5;
  readonly RANDOM: -6;
  readonly LEDGER: -7;
};
export type Code = -1 | -2 | -3 | -4 | -5 | -6 | -7;

export class GauzeError extends Error {
  readonly code: Code;
}

/** A task as it was loaded; made by `task()` alone. */
export interface Task {
  /** What one report costs, in 1e-9 epsilon: computed from the law and rounded up, whatever the task claims. */
  readonly costNano: bigint;
  /** The bytes of one report, the same for all values. */
  readonly payloadBytes: number;
  /** How many fields the records of a central task have; 0 of a local one. */
  readonly fields: number;
  /** SHA-256 of the block, 64 hexadecimal digits. */
  readonly hash: string;
}

/** Limits are of a new device; a stored ledger has its own, and limits given beside it must be the same. */
export interface DeviceOptions {
  /** 32 random bytes of this device, kept by the app. */
  secret: Bytes;
  /** Of a new device: the length of a window; left out: 30 days. */
  windowSeconds?: number | bigint;
  /** Of a new device: at most so much epsilon in a window (a bigint counts in 1e-9); left out: no limit; 0 allows nothing. */
  windowEpsilon?: number | bigint;
  /** Of a new device: at most so much epsilon for life. */
  lifetimeEpsilon?: number | bigint;
  /** What `ledger()` gave. */
  ledger?: Bytes | null;
  /** What `consent()` or `consents()` gave. */
  consents?: Iterable<Bytes>;
}

export interface Device {
  /** Records that the user agreed to the text with this SHA-256; returns 104 bytes to store. */
  consent(task: Task, textSha256: Bytes, time: Time): Uint8Array;
  /** Forgets it; whether there was one. */
  withdraw(task: Task): boolean;
  /** One report. It is charged: store `ledger()` before the report is sent. */
  encode(task: Task, value: Value, time: Time): Uint8Array;
  /** One record of a central task, a value for each field: it leaves the device as it is, and charges nothing. */
  encode(task: Task, values: readonly Value[], time: Time): Uint8Array;
  /** One block of reports of one task, with a random id and a checksum. */
  block(task: Task, payloads: Iterable<Bytes>, time: Time): Uint8Array;
  /** 128 bytes to store as they are. */
  ledger(): Uint8Array;
  /** 104 bytes each, to store as they are. */
  consents(): Uint8Array[];
}

export interface Encoder {
  /** Reads a task block. */
  task(block: Bytes): Task;
  device(options: DeviceOptions): Device;
  /**
   * A batch for the curator's key of suite 1: HPKE base mode with P-256, HKDF-SHA256 and AES-256-GCM.
   * The key as 65 bytes or base64url, its id as 8 bytes or 16 hexadecimal digits.
   */
  seal(publicKey: Bytes | string, keyId: Bytes | string, blocks: Iterable<Bytes>): Promise<Uint8Array>;
}

/** Loads the encoder; by itself it finds gauze_encoder.wasm beside this file. */
export function load(module?: WebAssembly.Module | Bytes): Promise<Encoder>;
