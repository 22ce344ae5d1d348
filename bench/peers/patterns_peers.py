"""Itemsets by Borgelt's FP-growth and Eclat in C (pyfim), as the JSON that bench/table.mjs reads.

Sets are counted by size and support, not listed. Transactions are handed over by Python each time, which is a part of the peers' time.
CPU time of one thread; medians of three. The data are those of src/gauze/patterns/mining/miner_bench.cpp.
"""

import json
import os
import sys
from pathlib import Path

from cpu_time import median_seconds

KINDS = {"frequent": "s", "closed": "c", "maximal": "m"}
CASES = [
    ("BMS1", 30, "frequent"), ("BMS1", 25, "closed"), ("BMS1", 30, "maximal"), ("accidents-15k", 2284, "closed"),
    ("accidents-15k", 2284, "maximal"), ("chess", 1280, "maximal"), ("mushroom", 100, "closed"), ("mushroom", 100, "maximal"),
    ("retail", 10, "maximal"), ("T10I4D100K", 20, "maximal"),
]


def main():
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("GAUZE_DATA", root / "../shared/data")) / "baskets"
    try:
        import fim
    except ImportError as problem:
        print(f"pyfim is left out: {problem}", file=sys.stderr)
        json.dump([], sys.stdout)
        return
    results = []
    for name, count, kind in CASES:
        path = folder / f"{name}.dat"
        if not path.exists():
            print(f"{path} is not here", file=sys.stderr)
            continue
        rows = [line.split() for line in path.read_text().splitlines()]
        for peer, mine in (("FP-growth (pyfim)", fim.fpgrowth), ("Eclat (pyfim)", fim.eclat)):
            seconds = median_seconds(lambda: mine(rows, target=KINDS[kind], supp=-count, zmin=1, report="#"), 3)
            results.append({"work": f"count {kind} itemsets, {name} at {count}", "peer": peer, "items_per_second": 1 / seconds})
    json.dump(results, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
