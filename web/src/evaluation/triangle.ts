import { h, s } from "../shell/dom";
import { exact, tick_percent } from "../shell/format";
import type { Translate } from "../shell/i18n";
import { ink_on, on_ramp, type Look } from "../shell/look";
import type { Draws } from "./document";
import { available_criteria, normalise, regions, type Criterion, type Weights } from "./weights";

/// The picture in which weights are dragged: a triangle for three criteria, a line for two. Each region has the colour
/// of the epsilon with the highest mean score there.

interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface TriangleSpec {
  readonly t: Translate;
  readonly look: Look;
  readonly epsilons: readonly number[];
  readonly draws: Draws;
  readonly start: Weights;
  readonly change: (weights: Weights) => void;
}

export interface Triangle {
  readonly element: SVGSVGElement;
  readonly size: { width: number; height: number };
  readonly move_to: (weights: Weights) => void; ///< shows the weights; does not call change
}

const step = 0.01;
const big_step = 0.1;

function corner_spots(available: readonly Criterion[]): Record<Criterion, Spot> {
  if (available.length === 3) {
    return { privacy: { x: 220, y: 40 }, utility: { x: 30, y: 369 }, fairness: { x: 410, y: 369 } };
  }
  const left = { x: 40, y: 66 };
  const right = { x: 400, y: 66 };
  const [first, second] = available;
  const spots = { privacy: left, utility: left, fairness: left };
  if (first) spots[first] = left;
  if (second) spots[second] = right;
  return spots;
}

function mix(spots: Record<Criterion, Spot>, weights: Weights): Spot {
  const sum = (axis: "x" | "y") =>
    weights.privacy * spots.privacy[axis] + weights.utility * spots.utility[axis] + weights.fairness * spots.fairness[axis];
  return { x: sum("x"), y: sum("y") };
}

/// The weights at a spot; outside they are pulled to the edge.
export function weights_at(spot: Spot, spots: Record<Criterion, Spot>, available: readonly Criterion[]): Weights {
  if (available.length !== 3) {
    const [first, second] = available;
    if (!first || !second) return normalise({}, available);
    const part = (spot.x - spots[first].x) / (spots[second].x - spots[first].x);
    const inside = Math.min(1, Math.max(0, part));
    return normalise({ [first]: 1 - inside, [second]: inside }, available);
  }
  const { privacy: a, utility: b, fairness: c } = spots;
  const whole = (b.y - c.y) * (a.x - c.x) + (c.x - b.x) * (a.y - c.y);
  const privacy = ((b.y - c.y) * (spot.x - c.x) + (c.x - b.x) * (spot.y - c.y)) / whole;
  const utility = ((c.y - a.y) * (spot.x - c.x) + (a.x - c.x) * (spot.y - c.y)) / whole;
  return normalise({ privacy, utility, fairness: 1 - privacy - utility });
}

/// Where an arrow key leads. Up and down trade privacy against the rest, left and right utility against fairness.
export function weights_after_key(key: string, weights: Weights, amount: number, available: readonly Criterion[]): Weights | null {
  const { privacy, utility, fairness } = weights;
  if (available.length !== 3) {
    const [first, second] = available;
    const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : key === "ArrowLeft" || key === "ArrowUp" ? -1 : 0;
    if (sign === 0 || !first || !second) return null;
    const next = Math.min(1, Math.max(0, weights[second] + sign * amount));
    return normalise({ [first]: 1 - next, [second]: next }, available);
  }
  switch (key) {
    case "ArrowUp":
    case "ArrowDown": {
      const next = Math.min(1, Math.max(0, privacy + (key === "ArrowUp" ? amount : -amount)));
      const rest = utility + fairness;
      const part = rest > 0 ? utility / rest : 0.5;
      return normalise({ privacy: next, utility: (1 - next) * part, fairness: (1 - next) * (1 - part) });
    }
    case "ArrowLeft":
    case "ArrowRight": {
      const moved = key === "ArrowRight" ? Math.min(amount, utility) : -Math.min(amount, fairness);
      return normalise({ privacy, utility: utility - moved, fairness: fairness + moved });
    }
    default:
      return null;
  }
}

/// The colour of each epsilon, the same wherever weights are shown.
export function epsilon_color(look: Look, epsilons: readonly number[], index: number): string {
  return on_ramp(look, epsilons.length < 2 ? 0.5 : index / (epsilons.length - 1));
}

function area(points: readonly Spot[]): number {
  return Math.abs(
    points.reduce((sum, point, i) => {
      const next = points[(i + 1) % points.length] ?? point;
      return sum + point.x * next.y - next.x * point.y;
    }, 0) / 2,
  );
}

function draw_regions(spec: TriangleSpec, spots: Record<Criterion, Spot>, flat: boolean): SVGElement[] {
  const { epsilons, draws, look } = spec;
  return regions(epsilons, draws).flatMap(({ epsilon, index, corners }) => {
    const color = epsilon_color(look, epsilons, index);
    const points = corners.map((weights) => mix(spots, weights));
    const middle = {
      x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
      y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
    };
    const [from, to] = points;
    const shape =
      flat && from && to
        ? s("rect", { x: Math.min(from.x, to.x), y: from.y - 16, width: Math.abs(to.x - from.x), height: 32, fill: color })
        : s("polygon", {
            points: points.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" "),
            fill: color,
            stroke: look.paper,
            "stroke-width": 1.2,
            "stroke-linejoin": "round",
          });
    const roomy = flat ? Math.abs((to?.x ?? 0) - (from?.x ?? 0)) > 30 : area(points) > 1500;
    const label = roomy
      ? [s("text", {
          x: middle.x, y: middle.y + (flat ? 0 : 1), fill: ink_on(color), "font-size": 14, "font-weight": 600,
          "text-anchor": "middle", "dominant-baseline": "middle", "pointer-events": "none",
        }, `ε ${exact(epsilon)}`)]
      : [];
    return [shape, ...label];
  });
}

function corner_labels(spec: TriangleSpec, available: readonly Criterion[], spots: Record<Criterion, Spot>, flat: boolean): SVGElement[] {
  return available.map((name, i) => {
    const { x, y } = spots[name];
    const at = flat ? { x, y: y - 28 } : { x, y: name === "privacy" ? y - 16 : y + 24 };
    const anchor = flat ? (i === 0 ? "start" : "end") : name === "privacy" ? "middle" : name === "utility" ? "start" : "end";
    const shift = flat ? 0 : name === "utility" ? -24 : name === "fairness" ? 24 : 0;
    return s("text", { ...at, x: at.x + shift, "text-anchor": anchor, fill: spec.look.ink, "font-size": 15, "font-weight": 600 }, spec.t(name));
  });
}

export function triangle(spec: TriangleSpec): Triangle {
  const { t, look } = spec;
  const available = available_criteria(spec.draws);
  const flat = available.length < 3;
  const size = { width: 440, height: flat ? 110 : 404 };
  const spots = corner_spots(available);
  let weights = spec.start;

  const handle = s(
    "g",
    { class: "handle", tabindex: 0, role: "slider", "aria-label": t("triangle.handle"), "aria-valuemin": 0, "aria-valuemax": 100 },
    s("circle", { r: 22, fill: "transparent" }),
    s("circle", { class: "ring", r: 11, fill: look.paper, stroke: look.ink, "stroke-width": 3 }),
    s("circle", { r: 4, fill: look.warning }),
  );
  const element = s(
    "svg",
    {
      class: "triangle", viewBox: `0 0 ${size.width} ${size.height}`, role: "group", "aria-label": t("triangle.chart"),
      "font-family": look.font, xmlns: "http://www.w3.org/2000/svg",
    },
    draw_regions(spec, spots, flat),
    corner_labels(spec, available, spots, flat),
    handle,
  );

  const show = () => {
    const { x, y } = mix(spots, weights);
    handle.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
    handle.setAttribute("aria-valuenow", String(Math.round(weights.privacy * 100)));
    const words = available.map((name) => `${t(name)} ${tick_percent(Math.round(weights[name] * 100) / 100)}`);
    handle.setAttribute("aria-valuetext", words.join(", "));
  };
  const set = (next: Weights) => {
    weights = next;
    show();
    spec.change(next);
  };
  const follow = (event: PointerEvent) => {
    const box = element.getBoundingClientRect();
    const zoom = size.width / box.width;
    set(weights_at({ x: (event.clientX - box.left) * zoom, y: (event.clientY - box.top) * zoom }, spots, available));
  };
  let dragging = false;
  element.addEventListener("pointerdown", (event) => {
    dragging = true;
    element.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    follow(event);
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (dragging) follow(event);
  });
  for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => (dragging = false));
  handle.addEventListener("keydown", (event) => {
    const next = weights_after_key(event.key, weights, event.shiftKey ? big_step : step, available);
    if (!next) return;
    event.preventDefault();
    set(next);
  });
  show();
  return { element, size, move_to: (next) => { weights = next; show(); } };
}

/// Range inputs for the same weights: the way in for everybody who does not drag.
export function sliders(
  t: Translate,
  available: readonly Criterion[],
  start: Weights,
  change: (name: Criterion, value: number) => void,
): { element: HTMLElement; move_to: (weights: Weights) => void } {
  const rows = available.map((name) => {
    const id = `weight-${name}`;
    const input = h("input", { type: "range", min: 0, max: 100, step: 1, id });
    const output = h("output", { for: id });
    input.addEventListener("input", () => change(name, Number(input.value) / 100));
    return { name, input, output, element: h("div", { class: "slider" }, h("label", { for: id }, t(name)), input, output) };
  });
  const move_to = (weights: Weights) => {
    for (const { name, input, output } of rows) {
      const value = Math.round(weights[name] * 100);
      input.value = String(value);
      output.textContent = tick_percent(value / 100);
    }
  };
  move_to(start);
  return { element: h("div", { class: "sliders" }, rows.map(({ element }) => element)), move_to };
}
