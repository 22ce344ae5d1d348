// Arguments as the encoder takes them. What a program passes wrongly is an error. What a value is never is: a refusal that depends on a
// value would be an output.
import { codes, fail } from "./errors.js";

const NO_LIMIT = 2n ** 64n - 1n;
const LONGEST_TEXT = 4096;

// Bytes, of that size where one is given.
export function bytes(given, what, size) {
  const view =
    given instanceof ArrayBuffer ? new Uint8Array(given)
    : ArrayBuffer.isView(given) ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
    : undefined;
  if (!view) throw fail(codes.ARGUMENT, `${what} must be bytes: a Uint8Array or an ArrayBuffer`);
  if (size !== undefined && view.length !== size) throw fail(codes.ARGUMENT, `${what} must have ${size} bytes, not ${view.length}`);
  return view;
}

function whole(given, what) {
  if (typeof given === "number" && Number.isFinite(given) && given >= 0) return BigInt(Math.floor(given));
  if (typeof given === "bigint" && given >= 0n && given <= NO_LIMIT) return given;
  throw fail(codes.ARGUMENT, `${what} must be a number of seconds, not negative`);
}

// Seconds; undefined stays undefined.
export const seconds = (given, what) => (given === undefined ? undefined : whole(given, what));

// A time in unix seconds. Milliseconds are the usual mistake, and would move the ledger's windows on for thousands of years.
export function unixTime(given) {
  if (typeof given === "number" && given > 1e11) throw fail(codes.ARGUMENT, "the time is in seconds since 1970: Math.floor(Date.now() / 1000)");
  return whole(given, "the time");
}

// A limit of epsilon in 1e-9: a number is in epsilon (rounded to 1e-9), a BigInt in 1e-9; Infinity is none; undefined stays undefined.
export function amount(given, what) {
  if (given === undefined) return undefined;
  if (given === Infinity) return NO_LIMIT;
  if (typeof given === "bigint" && given >= 0n && given <= NO_LIMIT) return given;
  if (typeof given === "number" && given >= 0 && given < 1e9) return BigInt(Math.round(given * 1e9));
  throw fail(codes.ARGUMENT, `${what} must be an epsilon, not negative; left out, there is no limit`);
}

const clamped = (number) => {
  const largest = 2n ** 63n - 1n;
  return number > largest ? largest : number < -largest - 1n ? -largest - 1n : number;
};

const noValue = { kind: -1, number: 0n, text: new Uint8Array(0) };

// { category }, { number } or { text }; null, undefined and what holds none of them are a missing value. What cannot be a category is out
// of the domain, what is no number is missing: both are reported as the task says.
export function valueFields(value) {
  if (value === null || value === undefined) return noValue;
  if (typeof value !== "object") throw fail(codes.ARGUMENT, "a value is { category }, { number } or { text }, or null when it is missing");
  const { category, number, text } = value;
  if (category !== undefined) {
    const known = typeof category === "bigint" ? category : Number.isSafeInteger(category) ? BigInt(category) : -1n;
    return { ...noValue, kind: 0, number: clamped(known) };
  }
  if (number !== undefined) {
    if (typeof number === "bigint") return { ...noValue, kind: 1, number: clamped(number) };
    if (typeof number !== "number" || Number.isNaN(number)) return noValue;
    const units = Math.abs(number) < 2 ** 63 ? BigInt(Math.round(number)) : number > 0 ? 2n ** 63n : -(2n ** 63n);
    return { ...noValue, kind: 1, number: clamped(units) };
  }
  if (typeof text === "string") return { ...noValue, kind: 2, text: new TextEncoder().encode(text).slice(0, LONGEST_TEXT) };
  return noValue;
}
