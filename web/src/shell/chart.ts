import { BarChart, BoxplotChart, CustomChart, LineChart, RadarChart, ScatterChart } from "echarts/charts";
import { GridComponent, RadarComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import type { Context } from "./context";
import { h, replace_children, s, type Child } from "./dom";
import { download } from "./download";
import type { Look } from "./look";
import { paint_png } from "./picture";
import { csv_button, plain_table } from "./table";
import type { TableData } from "./table_data";

echarts.use([
  BarChart, BoxplotChart, CustomChart, LineChart, RadarChart, ScatterChart, GridComponent, RadarComponent,
  TooltipComponent, SVGRenderer,
]);

export type Option = Record<string, unknown>;

/// One entry of a legend.
export interface LegendItem {
  readonly name: string;
  readonly color: string;
  readonly dash?: "solid" | "dashed" | "dotted";
  readonly shape?: "line" | "dot" | "ring" | "box";
  readonly fixed?: boolean; ///< cannot be hidden
}

/// A chart as drawn at some width, with the figures it stands on and its content in one sentence.
export interface Picture {
  readonly option: Option;
  readonly legend: readonly LegendItem[];
  readonly data: TableData;
  readonly summary: string;
  readonly height: number;
}

export interface ChartSpec {
  readonly id: string;
  readonly title: string;
  readonly note?: Child;
  readonly controls?: Child;
  readonly draw: (look: Look, width: number, hidden: ReadonlySet<string>) => Picture;
}

export interface Chart {
  readonly element: HTMLElement;
  readonly redraw: () => void;
}

const print_width = 660;

export function swatch(item: LegendItem): SVGElement {
  const shape = item.shape ?? "line";
  const dash = { solid: null, dashed: "5 3", dotted: "2 2.5" }[item.dash ?? "solid"];
  const mark =
    shape === "line"
      ? s("line", { x1: 1, y1: 6, x2: 21, y2: 6, stroke: item.color, "stroke-width": 2.5, "stroke-dasharray": dash })
      : shape === "box"
        ? s("rect", { x: 4, y: 1, width: 14, height: 10, rx: 2, fill: item.color })
        : s("circle", {
            cx: 11, cy: 6, r: 4.5, stroke: item.color, "stroke-width": 2, fill: shape === "ring" ? "none" : item.color,
          });
  return s("svg", { width: 22, height: 12, viewBox: "0 0 22 12", "aria-hidden": "true" }, mark);
}

function legend_entry(item: LegendItem, hidden: Set<string>, redraw: () => void): HTMLElement {
  if (item.fixed) return h("span", { class: "key" }, swatch(item), item.name);
  return h(
    "button",
    {
      type: "button",
      class: "key",
      "aria-pressed": hidden.has(item.name) ? "false" : "true",
      click: () => {
        if (!hidden.delete(item.name)) hidden.add(item.name);
        redraw();
      },
    },
    swatch(item),
    item.name,
  );
}

/// Brings the keyboard back to the entry that was pressed after the legend was drawn anew.
function keep_focus(legend: HTMLElement, change: () => void): void {
  const at = [...legend.children].indexOf(document.activeElement as Element);
  change();
  (legend.children[at] as HTMLElement | undefined)?.focus();
}

/// A chart in a card: title, controls, picture, legend, downloads, and its figures as a table for everybody who cannot
/// or does not want to read a picture.
export function chart(context: Context, spec: ChartSpec): Chart {
  const { t, look } = context;
  const memory_name = `hidden:${spec.id}`;
  const hidden = (context.memory.get(memory_name) as Set<string> | undefined) ?? new Set<string>();
  context.memory.set(memory_name, hidden);

  const stage = h("div", { class: "stage", role: "img" });
  const legend = h("div", { class: "legend", role: "group", "aria-label": t("shell.legend") });
  const table_box = h("div", {});
  const details = h("details", { class: "figures" }, h("summary", {}, t("shell.data_table")), table_box);
  let picture: Picture | null = null;
  let drawing: echarts.ECharts | null = null;
  let drawn_width = 0;

  const fill_table = () => {
    if (picture && details.open) replace_children(table_box, plain_table(context, spec.title, picture.data));
  };
  const redraw = () => {
    const width = context.printing ? print_width : Math.floor(stage.clientWidth);
    if (width < 40) return;
    drawn_width = width;
    picture = spec.draw(look, width, hidden);
    stage.style.height = `${picture.height}px`;
    if (context.printing) stage.style.width = `${width}px`;
    drawing ??= echarts.init(stage, null, { renderer: "svg", width, height: picture.height });
    drawing.resize({ width, height: picture.height });
    drawing.setOption({ animation: false, textStyle: { fontFamily: look.font }, ...picture.option }, true);
    stage.setAttribute("aria-label", `${spec.title}. ${picture.summary}`);
    const items = picture.legend;
    keep_focus(legend, () => replace_children(legend, items.map((item) => legend_entry(item, hidden, redraw))));
    legend.hidden = items.length === 0;
    fill_table();
  };
  const observer = new ResizeObserver(() => {
    if (!context.printing && Math.floor(stage.clientWidth) !== drawn_width) redraw();
  });
  observer.observe(stage);
  details.addEventListener("toggle", fill_table);
  context.on_close(() => {
    observer.disconnect();
    drawing?.dispose();
  });

  const save_png = async () => {
    const svg = stage.querySelector("svg");
    if (!picture || !svg) return;
    const visible = picture.legend.filter(({ name }) => !hidden.has(name));
    const size = { width: drawn_width, height: picture.height };
    download(`${context.file_stem}-${spec.id}.png`, await paint_png(look, spec.title, svg, size, visible));
  };
  const element = h(
    "figure",
    { class: "card chart", id: `chart-${spec.id}` },
    h(
      "figcaption",
      {},
      h("h3", {}, spec.title),
      h(
        "div",
        { class: "tools" },
        csv_button(context, spec.id, spec.title, () => picture?.data ?? { columns: [], rows: [] }),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": t("shell.download_png_of", { title: spec.title }),
            "data-download": `${spec.id}.png`,
            click: () => void save_png(),
          },
          t("shell.download_png"),
        ),
      ),
    ),
    spec.controls ? h("div", { class: "controls" }, spec.controls) : null,
    stage,
    legend,
    spec.note ? h("p", { class: "note" }, spec.note) : null,
    details,
  );
  queueMicrotask(redraw);
  return { element, redraw };
}
