/// Numbers as people read them: three significant digits, a comma between thousands, never a silent zero.

const digits = 3;

/// "60 %" in English, "60%" in Chinese.
let percent_sign = "\u202f%";

export function use_language(language: "en" | "zh"): void {
  percent_sign = language === "zh" ? "%" : "\u202f%";
}

function with_separators(text: string): string {
  const [whole = "", rest] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

function signed(value: number, text: string): string {
  return value < 0 ? `\u2212${text}` : text;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
function power(exponent: number): string {
  const text = String(Math.abs(exponent)).replace(/\d/g, (digit) => superscripts[Number(digit)] ?? digit);
  return exponent < 0 ? `⁻${text}` : text;
}

/// 0.123, 12.3, 1,234, 4.99 × 10⁻⁵. Above 1000 the whole number is shown.
export function figure(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size === Infinity) return signed(value, "∞");
  if (size >= 1e15 || size < 1e-4) {
    const [mantissa = "", exponent = "0"] = size.toExponential(digits - 1).split("e");
    return signed(value, `${mantissa} × 10${power(Number(exponent))}`);
  }
  if (size >= 999.5) return signed(value, with_separators(size.toFixed(0)));
  return signed(value, size.toPrecision(digits));
}

/// A number of things: all digits.
export function count(value: number): string {
  if (!Number.isFinite(value)) return figure(value);
  return signed(value, with_separators(Math.abs(Math.round(value)).toFixed(0)));
}

/// 0.6 -> "60.0 %".
export function percent(value: number): string {
  return figure(value * 100) + percent_sign;
}

/// A parameter as it was given: "0.1", "10".
export function exact(value: number): string {
  const size = Math.abs(value);
  if (size === Infinity) return figure(value);
  return signed(value, size >= 1e15 ? String(size) : with_separators(String(size)));
}

/// For the labels of an axis: no digits that say nothing.
export function tick(value: number): string {
  if (value === 0) return "0";
  return exact(Number(value.toPrecision(6)));
}

export function tick_percent(value: number): string {
  return tick(value * 100) + percent_sign;
}
