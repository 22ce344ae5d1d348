"""Anonymisations a second of other libraries on the Adult set, as the JSON that bench/table.mjs reads.

All nine columns of the copy that ARX ships, with its hierarchies, k = 5 and 5 % suppression. CPU time, one run after the
imports: it takes long. Data: GAUZE_DATA, else ../shared/data. Absent data or
libraries are named on stderr and left out. ARX itself is no package of a public index; its figures on the same task are in
docs/guide/anonymisation.md.
"""

import json
import os
import sys
import time


def data_folder():
    beside = os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared", "data")
    return os.path.join(os.environ.get("GAUZE_DATA", beside), "arx-adult")


def read_adult():
    import pandas

    folder = data_folder()
    table = pandas.read_csv(os.path.join(folder, "adult.csv"), sep=";", dtype=str)
    hierarchies = {}
    for column in table.columns:
        levels = pandas.read_csv(os.path.join(folder, f"adult_hierarchy_{column}.csv"), sep=";", header=None, dtype=str)
        hierarchies[column] = {level: levels[level].to_numpy() for level in levels.columns}
    return table, hierarchies


def seconds_of(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def anjana_peers():
    from anjana.anonymity import k_anonymity

    table, hierarchies = read_adult()
    return {"optimal search, 5 %, rows x/1": lambda: k_anonymity(table.copy(), [], list(table.columns), 5, 5, hierarchies)}


def main():
    results = []
    for peer, make in {"anjana": anjana_peers}.items():
        try:
            for work, run in make().items():
                results.append({"work": work, "peer": peer, "items_per_second": 1 / seconds_of(run)})
        except (ImportError, OSError) as problem:
            print(f"{peer} is left out: {problem}", file=sys.stderr)
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
