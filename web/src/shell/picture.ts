import type { LegendItem } from "./chart";
import type { Look } from "./look";

const scale = 2;
const margin = 16;

/// The drawing as a file of its own. The browser writes it, so that every name in it is escaped.
function as_file(drawing: SVGElement, size: { width: number; height: number }): string {
  const copy = drawing.cloneNode(true) as SVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(size.width));
  copy.setAttribute("height", String(size.height));
  return new XMLSerializer().serializeToString(copy);
}

function load(svg: string): Promise<HTMLImageElement> {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error("the picture could not be drawn"));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}

interface Placed {
  readonly item: LegendItem;
  readonly x: number;
  readonly row: number;
}

function place_legend(pen: CanvasRenderingContext2D, legend: readonly LegendItem[], width: number): Placed[] {
  let x = 0;
  let row = 0;
  return legend.map((item) => {
    const needed = 28 + pen.measureText(item.name).width + 18;
    if (x > 0 && x + needed > width) {
      x = 0;
      row += 1;
    }
    const placed = { item, x, row };
    x += needed;
    return placed;
  });
}

function draw_swatch(pen: CanvasRenderingContext2D, item: LegendItem, x: number, y: number): void {
  pen.strokeStyle = pen.fillStyle = item.color;
  pen.lineWidth = 2.5;
  pen.setLineDash({ solid: [], dashed: [5, 3], dotted: [2, 2.5] }[item.dash ?? "solid"]);
  pen.beginPath();
  const shape = item.shape ?? "line";
  if (shape === "line") {
    pen.moveTo(x, y);
    pen.lineTo(x + 20, y);
    pen.stroke();
  } else if (shape === "box") {
    pen.fillRect(x + 3, y - 5, 14, 10);
  } else {
    pen.arc(x + 10, y, 4.5, 0, 2 * Math.PI);
    if (shape === "ring") pen.stroke();
    else pen.fill();
  }
  pen.setLineDash([]);
}

/// The picture with its title and legend, at twice the size of the screen.
export async function paint_png(
  look: Look,
  title: string,
  drawing: SVGElement,
  size: { width: number; height: number },
  legend: readonly LegendItem[],
): Promise<Blob> {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser has no canvas");
  pen.font = `13px ${look.font}`;
  const placed = place_legend(pen, legend, size.width);
  const rows = placed.length === 0 ? 0 : (placed[placed.length - 1]?.row ?? 0) + 1;
  const top = 44;
  canvas.width = (size.width + 2 * margin) * scale;
  canvas.height = (top + size.height + rows * 22 + 2 * margin) * scale;
  pen.scale(scale, scale);
  pen.fillStyle = look.paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = look.ink;
  pen.textBaseline = "middle";
  pen.font = `600 16px ${look.font}`;
  pen.fillText(title, margin, margin + 12, size.width);
  pen.drawImage(await load(as_file(drawing, size)), margin, top, size.width, size.height);
  pen.font = `13px ${look.font}`;
  for (const { item, x, row } of placed) {
    const y = top + size.height + 20 + row * 22;
    draw_swatch(pen, item, margin + x, y);
    pen.fillStyle = look.ink;
    pen.fillText(item.name, margin + x + 28, y);
  }
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture could not be written"))), "image/png");
  });
}
