/// Colours of the charts, for light and dark paper. The series follow Okabe and Ito and can be told apart by readers
/// who do not see red or green; every series also has a dash and a symbol of its own.
export interface Look {
  readonly dark: boolean;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly paper: string;
  readonly accent: string;
  readonly warning: string;
  readonly series: readonly string[];
  readonly ramp: readonly string[]; ///< from low to high, for figures with an order
  readonly font: string;
}

const font =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "PingFang SC", "Hiragino Sans GB", ' +
  '"Microsoft YaHei", "Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Zen Hei", sans-serif';

export const light: Look = {
  dark: false,
  ink: "#1d2733",
  soft: "#5a6775",
  line: "#dfe4ea",
  paper: "#ffffff",
  accent: "#14507f",
  warning: "#9c2b12",
  series: ["#0068a8", "#c4500a", "#00785a", "#8b4a86", "#8a6a00", "#2c8fc9", "#5b5b5b", "#b0356b"],
  ramp: ["#0c2c57", "#1b5487", "#3380a4", "#5ea8a9", "#98c8a4", "#cfe3a4", "#f7f3b5"],
  font,
};

export const dark: Look = {
  dark: true,
  ink: "#e6ebf1",
  soft: "#a3b0be",
  line: "#323c48",
  paper: "#171d25",
  accent: "#8cc2f0",
  warning: "#ff9c7d",
  series: ["#62b6f0", "#f0924e", "#3ecf9f", "#d69ad1", "#e0c04a", "#9fd3f5", "#b8b8b8", "#f08cb4"],
  ramp: ["#27518c", "#2f6f9f", "#3f8fae", "#64b0ae", "#9bcda8", "#cfe3a4", "#f7f3b5"],
  font,
};

export const dashes = ["solid", "dashed", "dotted"] as const;
export const symbols = ["circle", "rect", "triangle", "diamond", "roundRect", "emptyCircle"] as const;

function channel(hex: string, at: number): number {
  return parseInt(hex.slice(at, at + 2), 16);
}

/// The colour at a place between 0 and 1 of the ramp.
export function on_ramp(look: Look, place: number): string {
  const last = look.ramp.length - 1;
  const at = Math.min(Math.max(place, 0), 1) * last;
  const from = look.ramp[Math.floor(at)] ?? look.ink;
  const to = look.ramp[Math.min(Math.floor(at) + 1, last)] ?? look.ink;
  const part = at - Math.floor(at);
  const mixed = [1, 3, 5].map((i) => Math.round(channel(from, i) * (1 - part) + channel(to, i) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/// Black or white, whichever can be read on the colour.
export function ink_on(color: string): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
    const value = channel(color, i) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.19 ? "#10161d" : "#ffffff";
}

/// Colour, dash and symbol of the i-th series.
export function series_style(look: Look, i: number) {
  return {
    color: look.series[i % look.series.length] ?? look.ink,
    dash: dashes[Math.floor(i / look.series.length) % dashes.length] ?? "solid",
    symbol: symbols[i % symbols.length] ?? "circle",
  };
}
