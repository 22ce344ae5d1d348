type Point = readonly [number | string, number];

/// How a series is drawn so that others that lie on top of it can be told apart from it.
export interface Shared {
  readonly sharers: number; ///< series that run along a common stretch, this one included; 1 when it is alone
  readonly turn: number; ///< which of them this one is, from 0
  readonly above: readonly number[]; ///< of each point: series drawn later that have it, too
  readonly below: readonly number[]; ///< and those drawn before
}

const same = (a: Point | undefined, b: Point | undefined) =>
  a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1];

/// Whether two lines have a stretch in common.
function run_together(a: readonly Point[], b: readonly Point[]): boolean {
  return a.some((from, i) => b.some((other, j) =>
    i + 1 < a.length && j + 1 < b.length && same(from, other) && same(a[i + 1], b[j + 1])));
}

/// Lines in the order in which they are drawn.
export function shared_by(lines: readonly (readonly Point[])[]): Shared[] {
  const with_point = (point: Point, among: readonly (readonly Point[])[]) =>
    among.filter((line) => line.some((one) => same(point, one))).length;
  return lines.map((line, place) => {
    const group = lines.flatMap((other, i) => (i === place || run_together(line, other) ? [i] : []));
    return {
      sharers: group.length,
      turn: group.indexOf(place),
      above: line.map((point) => with_point(point, lines.slice(place + 1))),
      below: line.map((point) => with_point(point, lines.slice(0, place))),
    };
  });
}
