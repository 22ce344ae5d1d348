"""SmartNoise SQL on the work of query_work.py, as the JSON that bench/table.mjs reads.

Its epsilon is one a column, so each question is asked with what makes its total that of Gauze. Its one limit is of a customer's
rows in all groups together: 6 times 20. Absent data is named on stderr and left out.
"""

import json
import sys

import pandas
from snsql import Privacy, from_df

import query_work as work
from cpu_time import median_seconds


def metadata_of(columns):
    return {"": {"": {"t": columns}}}


def reader_of(frame, columns, query):
    """A reader that asks `query` at the total that is allowed."""
    full = from_df(frame, privacy=Privacy(epsilon=work.EPSILON, delta=work.DELTA), metadata=metadata_of(columns))
    cost = full.get_privacy_cost(query)[0]
    privacy = Privacy(epsilon=work.EPSILON * work.EPSILON / cost, delta=work.DELTA)
    return from_df(frame, privacy=privacy, metadata=metadata_of(columns))


def time_of(thousands):
    columns = {
        "max_ids": work.GROUPS * work.ROWS,
        "sample_max_ids": True,
        "censor_dims": False,
        "c_id": {"type": "int", "private_id": True},
        "flag": {"type": "string"},
        "status": {"type": "string"},
        "price": {"type": "float", "lower": work.PRICES[0], "upper": work.PRICES[1]},
    }
    query = "SELECT flag, status, COUNT(*) AS n, SUM(price) AS total FROM t GROUP BY flag, status"

    def ask():
        frame = pandas.read_parquet(work.items_of(thousands), columns=["c_id", "flag", "status", "price"])
        assert len(reader_of(frame, columns, query).execute(query)) == 1 + 6

    return median_seconds(ask, 3)


def errors_of(rows):
    columns = {
        "row_privacy": True,
        "censor_dims": False,
        "race": {"type": "string"},
        "age": {"type": "int", "lower": work.AGES[0], "upper": work.AGES[1]},
    }
    frame = pandas.DataFrame(rows, columns=["race", "age"])
    exact = work.truth(rows)
    errors = {}
    for name in work.AGGREGATES:
        asked = "COUNT(*)" if name == "COUNT" else f"{name}(age)"
        query = f"SELECT race, {asked} AS x FROM t GROUP BY race"
        reader = reader_of(frame, columns, query)
        answers = [dict(reader.execute(query)[1:]) for _ in range(work.RUNS)]
        errors[name] = work.error_of(answers, exact[name])
    return errors


def main():
    results = []
    for thousands in work.THOUSANDS:
        rate = thousands * 1000 / time_of(thousands)
        results.append({"work": f"{work.TIME}/{thousands}", "peer": "SmartNoise SQL", "items_per_second": rate})
    try:
        rows = work.read_adult()
        results += work.compared("SmartNoise SQL", work.gauze_errors(rows), errors_of(rows))
    except OSError as problem:
        print(f"errors are left out: {problem}", file=sys.stderr)
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
