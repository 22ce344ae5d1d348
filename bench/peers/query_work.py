"""What questions in SQL are compared by: tables, limits, and Gauze's own errors.

Time: COUNT and SUM by two keys of the shop of bench/generate_shop.mjs, one customer protected, at most 6 groups with 20 rows
each, (1, 1e-6) in total, from Parquet to noisy numbers; CPU time after the imports, the median of three runs. Errors: COUNT, SUM
and AVG of age by race in the first 4,000 rows of Adult, one row protected, public keys, ages within [17, 90], (1, 1e-6) in total for each question; root
of the mean squared error over 200 runs and all groups. Adult: GAUZE_DATA, else ../shared/data.
"""

import json
import math
import os
import subprocess
import tempfile

EPSILON = 1.0
DELTA = 1e-6
GROUPS = 6
ROWS = 20
PRICES = (0.0, 4000.0)
FLAGS = ["A", "N", "R"]
STATUSES = ["F", "O"]
THOUSANDS = [10, 100, 1000]
TIME = "query, unit customer, k rows"

AGES = (17, 90)
RACES = ["Amer-Indian-Eskimo", "Asian-Pac-Islander", "Black", "Other", "White"]
RUNS = 200
ADULTS = 4000
AGGREGATES = ["COUNT", "SUM", "AVG"]

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def items_of(thousands):
    return os.path.join(ROOT, "build", "bench", "data", f"shop-{thousands}k", "items.parquet")


def read_adult():
    """(race, age) of the first rows; OSError where the data is not."""
    folder = os.environ.get("GAUZE_DATA", os.path.join(ROOT, "..", "shared", "data"))
    with open(os.path.join(folder, "adult", "adult.data"), encoding="utf-8") as lines:
        cells = [line.strip().split(", ") for line in lines if line.strip()]
    return [(row[8], int(row[0])) for row in cells[:ADULTS]]


def truth(rows):
    """What each aggregate is without noise, by race."""
    ages = {race: [age for other, age in rows if other == race] for race in RACES}
    return {
        "COUNT": {race: len(of) for race, of in ages.items()},
        "SUM": {race: sum(of) for race, of in ages.items()},
        "AVG": {race: sum(of) / len(of) for race, of in ages.items()},
    }


def error_of(answers, exact):
    """The root mean squared error of answers (a dictionary by race each)."""
    squares = [(answer[race] - exact[race]) ** 2 for answer in answers for race in RACES]
    return math.sqrt(sum(squares) / len(squares))


def gauze_errors(rows):
    """The errors of `gauze query`, one process a run."""
    command = next(path for path in (os.path.join(ROOT, "build", preset, "bin", "gauze") for preset in ("bench", "release")) if os.path.exists(path))
    exact = truth(rows)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "adult.csv"), "w", encoding="utf-8") as table:
            table.write("race,age\n" + "".join(f"{race},{age}\n" for race, age in rows))
        schema = os.path.join(folder, "adult.yaml")
        with open(schema, "w", encoding="utf-8") as file:
            file.write(
                "version: 1\nunit: row\ntables:\n  adult:\n    source: adult.csv\n    columns:\n"
                f"      race: {{type: text, values: [{', '.join(RACES)}], nullable: false}}\n"
                f"      age: {{type: integer, bounds: [{AGES[0]}, {AGES[1]}], nullable: false}}\n"
                "provenance: {bounds: public, values: public}\n"
            )

        def ask(aggregate):
            asked = "COUNT(*)" if aggregate == "COUNT" else f"{aggregate}(age)"
            sql = f"SELECT race, {asked} AS x FROM adult GROUP BY race"
            arguments = [command, "query", sql, "--schema", schema, "--epsilon", str(EPSILON), "--delta", str(DELTA), "--json"]
            answer = json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)
            return {row["race"]: row["x"]["value"] for row in answer["rows"]}

        return {name: error_of([ask(name) for _ in range(RUNS)], exact[name]) for name in AGGREGATES}


def compared(peer, own, errors):
    """The lines of the table for a peer's errors."""
    return [
        {"work": f"query, error of {name} by race, Adult", "peer": peer, "error": errors[name], "own_error": own[name]}
        for name in AGGREGATES
    ]
