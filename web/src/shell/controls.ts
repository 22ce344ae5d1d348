import { h } from "./dom";

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
}

/// A few choices side by side, one of them pressed.
export function segments<T extends string>(
  name: string,
  choices: readonly Choice<T>[],
  chosen: T,
  change: (value: T) => void,
): HTMLElement {
  const buttons = choices.map(({ value, label }) =>
    h("button", { type: "button", "aria-pressed": String(value === chosen), "data-value": value }, label),
  );
  buttons.forEach((button, i) =>
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      const picked = choices[i];
      if (picked) change(picked.value);
    }),
  );
  return h(
    "div",
    { class: "control", role: "group", "aria-label": name },
    h("span", { class: "control-name", "aria-hidden": "true" }, name),
    h("div", { class: "segments" }, buttons),
  );
}

/// Many choices in a list that opens.
export function picker<T extends string>(
  name: string,
  choices: readonly Choice<T>[],
  chosen: T,
  change: (value: T) => void,
): HTMLElement {
  const select = h(
    "select",
    {},
    choices.map(({ label }, i) => h("option", { value: i, selected: choices[i]?.value === chosen }, label)),
  );
  select.addEventListener("change", () => {
    const picked = choices[Number(select.value)];
    if (picked) change(picked.value);
  });
  return h("label", { class: "control" }, h("span", { class: "control-name" }, name), select);
}

/// Any number of choices.
export function checks<T extends string>(
  name: string,
  choices: readonly Choice<T>[],
  chosen: ReadonlySet<T>,
  change: (chosen: Set<T>) => void,
): HTMLElement {
  const now = new Set(chosen);
  const boxes = choices.map(({ value, label }) => {
    const box = h("input", { type: "checkbox", checked: now.has(value) });
    box.addEventListener("change", () => {
      if (box.checked) now.add(value);
      else now.delete(value);
      change(new Set(choices.map((choice) => choice.value).filter((one) => now.has(one))));
    });
    return h("label", { class: "chip" }, box, h("span", {}, label));
  });
  return h(
    "fieldset",
    { class: "control" },
    h("legend", { class: "control-name" }, name),
    h("div", { class: "chips" }, boxes),
  );
}
