import { category_axis, grid, tip, tooltip, value_axis } from "../shell/axes";
import { chart, type Chart, type Option } from "../shell/chart";
import { remembered } from "../shell/context";
import { segments } from "../shell/controls";
import { h } from "../shell/dom";
import { count, figure, percent } from "../shell/format";
import { ink_on, on_ramp, type Look } from "../shell/look";
import type { Section } from "../shell/page";
import { undefined_mark } from "../shell/table";
import type { Classes, Lattice, LatticeNode } from "./document";
import { size_range, type View } from "./view";

interface Placed {
  readonly node: LatticeNode;
  readonly x: number;
  readonly y: number;
}

/// Nodes of the same sum of levels lie in one row, the finest below.
function place(lattice: Lattice): Placed[] {
  const rows = new Map<number, LatticeNode[]>();
  for (const node of lattice.nodes) {
    const sum = node.levels.reduce((a, b) => a + b, 0);
    rows.set(sum, [...(rows.get(sum) ?? []), node]);
  }
  return [...rows].flatMap(([y, nodes]) => nodes.map((node, i) => ({ node, x: i - (nodes.length - 1) / 2, y })));
}

/// Pairs of nodes of which one is the next step of the other.
function edges(placed: readonly Placed[]): [Placed, Placed][] {
  const by_levels = new Map(placed.map((one) => [one.node.levels.join(), one]));
  return placed.flatMap((from) =>
    from.node.levels.flatMap((level, i): [Placed, Placed][] => {
      const to = by_levels.get(from.node.levels.map((other, j) => (i === j ? level + 1 : other)).join());
      return to ? [[from, to]] : [];
    }),
  );
}

interface DrawApi {
  coord(point: [number, number]): [number, number];
}

function draw_edges(look: Look, placed: readonly Placed[]): Option {
  const lines = edges(placed);
  return {
    type: "custom",
    silent: true,
    z: 1,
    data: lines.map(([from]) => [from.x, from.y]),
    tooltip: { show: false },
    renderItem: ({ dataIndex }: { dataIndex: number }, api: DrawApi) => {
      const [from, to] = lines[dataIndex] ?? [];
      if (!from || !to) return null;
      const [x1, y1] = api.coord([from.x, from.y]);
      const [x2, y2] = api.coord([to.x, to.y]);
      return { type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: look.line, lineWidth: 1.2 } };
    },
  };
}

function lattice_chart(view: View, lattice: Lattice): Chart {
  const { context, t, document } = view;
  const placed = place(lattice);
  const losses = lattice.nodes.flatMap(({ loss }) => (typeof loss === "number" ? [loss] : []));
  const highest = Math.max(...losses, 1e-9);
  const few = placed.length <= 60;
  const rows = new Set(placed.map(({ y }) => y)).size;
  const widest = Math.max(...placed.map(({ x }) => Math.abs(x))) + 0.6;
  const levels_text = (levels: readonly number[]) => levels.join(" ");
  return chart(context, {
    id: "lattice",
    title: t("lattice.chart"),
    note: [
      t("lattice.note", { columns: lattice.columns.join(", "), k: document.setting.k }),
      lattice.complete ? null : ` ${t("lattice.incomplete")}`,
    ],
    draw: (look, width) => {
      const size = few ? Math.max(14, Math.min(36, (width - 80) / (2 * widest) - 4)) : 7;
      const color = ({ loss }: LatticeNode) =>
        typeof loss === "number" ? on_ramp(look, 1 - loss / highest) : look.soft;
      return {
        option: {
          grid: { left: 44, right: 12, top: 34, bottom: 16 },
          xAxis: { type: "value", min: -widest, max: widest, show: false },
          yAxis: {
            ...value_axis(look, { name: t("lattice.axis") }),
            scale: false,
            min: -0.5,
            max: Math.max(...placed.map(({ y }) => y)) + 0.5,
            interval: 1,
            axisLabel: { color: look.soft, customValues: [...new Set(placed.map(({ y }) => y))] },
            splitLine: { show: false },
          },
          tooltip: tooltip(look, "item", (params) => {
            const node = placed[(params as { dataIndex: number }).dataIndex]?.node;
            if (!node || (params as { seriesType: string }).seriesType !== "scatter") return "";
            const maybe = (value: number | null | undefined, text: (value: number) => string) =>
              typeof value === "number" ? text(value) : t("shell.undefined");
            return tip(node.chosen ? t("lattice.chosen") : t("lattice.node"), [
              ...lattice.columns.map((name, i) => ({ name, value: t("lattice.level", { level: node.levels[i] ?? 0 }) })),
              { name: t("classes"), value: count(node.classes) },
              { name: t("lattice.smallest"), value: maybe(node.smallest, count) },
              { name: t("lattice.below_k"), value: maybe(node.below_k, percent) },
              { name: t("loss.loss"), value: maybe(node.loss, percent) },
            ]);
          }),
          series: [
            ...(placed.length <= 400 ? [draw_edges(look, placed)] : []),
            {
              type: "scatter",
              z: 3,
              data: placed.map(({ node, x, y }) => ({
                value: [x, y],
                symbolSize: node.chosen ? size + 6 : size,
                symbol: (node.below_k ?? 0) > 0 ? "circle" : "roundRect",
                itemStyle: {
                  color: color(node),
                  borderColor: node.chosen ? look.warning : look.line,
                  borderWidth: node.chosen ? 4 : 1,
                },
                label: {
                  show: few && size >= 22,
                  formatter: levels_text(node.levels),
                  color: ink_on(color(node)),
                  fontSize: lattice.columns.length > 3 ? 9 : 11,
                },
              })),
              emphasis: { disabled: true },
            },
          ],
        },
        legend: [
          { name: t("lattice.low_loss"), color: on_ramp(look, 1), shape: "box", fixed: true },
          { name: t("lattice.high_loss", { loss: figure(highest * 100) }), color: on_ramp(look, 0), shape: "box", fixed: true },
          { name: t("lattice.chosen"), color: look.warning, shape: "ring", fixed: true },
        ],
        data: {
          columns: [
            ...lattice.columns.map((name) => ({ key: name, label: name, kind: "exact" }) as const),
            { key: "classes", label: t("classes"), kind: "count" },
            { key: "smallest", label: t("lattice.smallest"), kind: "count" },
            { key: "below_k", label: t("lattice.below_k"), kind: "percent" },
            { key: "loss", label: t("loss.loss"), kind: "percent" },
            { key: "chosen", label: t("lattice.chosen"), kind: "text" },
          ],
          rows: lattice.nodes.map((node) => [
            ...node.levels, node.classes, node.smallest, node.below_k, node.loss, node.chosen,
          ]),
        },
        summary: t("lattice.summary", { nodes: count(lattice.nodes.length) }),
        height: Math.min(640, Math.max(240, rows * (few ? 58 : 30) + 60)),
      };
    },
  });
}

function size_chart(view: View, { sizes }: Classes): Chart {
  const { context, t } = view;
  let what = remembered<"classes" | "rows">(context, "sizes", "classes");
  const controls = segments(
    t("sizes.count"),
    [{ value: "classes", label: t("classes") }, { value: "rows", label: t("rows") }] as const,
    what,
    (value) => {
      what = value;
      context.memory.set("sizes", value);
      self.redraw();
    },
  );
  const names = sizes.map(({ from, to }) => size_range(t, from, to));
  const self = chart(context, {
    id: "class-sizes",
    title: t("sizes.chart"),
    note: t("sizes.note"),
    controls,
    draw: (look, width) => ({
      option: {
        grid,
        xAxis: category_axis(look, t("error.size_axis"), names),
        yAxis: { ...value_axis(look, { name: t(what) }), scale: false },
        tooltip: tooltip(look, "item", (params) => {
          const at = (params as { dataIndex: number }).dataIndex;
          const size = sizes[at];
          if (!size) return "";
          return tip(names[at] ?? "", [
            { name: t("classes"), value: count(size.classes) },
            { name: t("rows"), value: count(size.rows) },
          ]);
        }),
        series: [{
          type: "bar",
          data: sizes.map((size) => size[what]),
          barMaxWidth: 44,
          itemStyle: { color: look.accent, borderRadius: [2, 2, 0, 0] },
          emphasis: { disabled: true },
        }],
      },
      legend: [],
      data: {
        columns: [
          { key: "from", label: t("size.from"), kind: "count" },
          { key: "to", label: t("size.to"), kind: "count", reason: t("size.no_end") },
          { key: "classes", label: t("classes"), kind: "count" },
          { key: "rows", label: t("rows"), kind: "count" },
        ],
        rows: sizes.map(({ from, to, classes, rows }) => [from, to, classes, rows]),
      },
      summary: t("sizes.summary"),
      height: width < 480 ? 270 : 300,
    }),
  });
  return self;
}

export function classes_section(view: View): Section | null {
  const { context, t, document } = view;
  const { lattice, classes } = document;
  if (!lattice && !classes) return null;
  const fact = (name: string, value: number | null | undefined) =>
    h("div", {}, h("dt", {}, name), h("dd", {}, typeof value === "number" ? count(value) : undefined_mark(context, t("reason.no_classes"))));
  return {
    id: "classes",
    title: t("classes.title"),
    lead: t("classes.lead"),
    body: [
      classes
        ? h(
            "dl",
            { class: "facts" },
            fact(t("classes.count"), classes.count),
            fact(t("classes.smallest"), classes.smallest),
            fact(t("classes.largest"), classes.largest),
            fact(t("classes.empty"), classes.empty_cells),
          )
        : null,
      lattice ? lattice_chart(view, lattice).element : h("p", { class: "note" }, t("lattice.absent")),
      classes ? size_chart(view, classes).element : null,
    ],
  };
}
