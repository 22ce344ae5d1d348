"""PipelineDP and OpenDP with Polars on the work of query_work.py, as the JSON that bench/table.mjs reads.

PipelineDP runs in this process (LocalBackend) and is given rows as tuples, as its documentation does. OpenDP cuts rows per
customer and group; six groups are all there are, so nothing is left to choose. It makes no mean of groups whose sizes are private:
AVG is its sum by its count, at half the budget each. Absent data or libraries are named on stderr and left out.
"""

import json
import os
import sys

os.environ.setdefault("POLARS_MAX_THREADS", "1")

import query_work as work
from cpu_time import median_seconds


class PipelineDp:
    name = "PipelineDP"

    def __init__(self):
        import pipeline_dp
        import polars

        self.pipeline = pipeline_dp
        self.polars = polars

    def ask(self, rows, metrics, extractors, groups, per_group, bounds, keys):
        pipeline = self.pipeline
        accountant = pipeline.NaiveBudgetAccountant(total_epsilon=work.EPSILON, total_delta=work.DELTA)
        engine = pipeline.DPEngine(accountant, pipeline.LocalBackend())
        parameters = pipeline.AggregateParams(
            metrics=metrics,
            noise_kind=pipeline.NoiseKind.LAPLACE,
            max_partitions_contributed=groups,
            max_contributions_per_partition=per_group,
            min_value=bounds[0],
            max_value=bounds[1],
        )
        answer = engine.aggregate(rows, parameters, extractors, public_partitions=keys)
        accountant.compute_budgets()
        return dict(answer)

    def question(self, thousands):
        metrics = [self.pipeline.Metrics.COUNT, self.pipeline.Metrics.SUM]
        extractors = self.pipeline.DataExtractors(
            privacy_id_extractor=lambda row: row[0],
            partition_extractor=lambda row: (row[1], row[2]),
            value_extractor=lambda row: row[3],
        )
        keys = [(flag, status) for flag in work.FLAGS for status in work.STATUSES]

        def ask():
            columns = ["c_id", "flag", "status", "price"]
            rows = self.polars.read_parquet(work.items_of(thousands), columns=columns).select(columns).rows()
            assert len(self.ask(rows, metrics, extractors, work.GROUPS, work.ROWS, work.PRICES, keys)) == 6

        return ask

    def answers(self, rows, name):
        metric = {"COUNT": self.pipeline.Metrics.COUNT, "SUM": self.pipeline.Metrics.SUM, "AVG": self.pipeline.Metrics.MEAN}[name]
        field = {"COUNT": "count", "SUM": "sum", "AVG": "mean"}[name]
        extractors = self.pipeline.DataExtractors(
            privacy_id_extractor=lambda row: row[2], partition_extractor=lambda row: row[0], value_extractor=lambda row: row[1]
        )
        numbered = [(race, age, i) for i, (race, age) in enumerate(rows)]
        for _ in range(work.RUNS):
            answer = self.ask(numbered, [metric], extractors, 1, 1, work.AGES, work.RACES)
            yield {race: getattr(value, field) for race, value in answer.items()}


class OpenDp:
    name = "OpenDP, Polars"

    def __init__(self):
        import opendp.prelude as dp
        import polars

        dp.enable_features("contrib", "honest-but-curious")
        self.dp = dp
        self.polars = polars

    def context(self, data, unit, keys, length, parts):
        dp = self.dp
        return dp.Context.compositor(
            data=data,
            privacy_unit=unit,
            privacy_loss=dp.loss_of(epsilon=work.EPSILON, delta=work.DELTA),
            split_evenly_over=parts,
            margins=[dp.polars.Margin(by=(), max_length=length), dp.polars.Margin(by=keys, invariant="keys", max_length=length, max_groups=6)],
        )

    def question(self, thousands):
        dp = self.dp
        pl = self.polars

        def ask():
            data = pl.scan_parquet(work.items_of(thousands)).select("c_id", "flag", "status", "price")
            unit = dp.unit_of(contributions=work.GROUPS * work.ROWS, identifier=pl.col("c_id"))
            context = self.context(data, unit, ["flag", "status"], thousands * 1000, 1)
            query = (
                context.query()
                .truncate_per_group(work.ROWS, by=["flag", "status"])
                .group_by("flag", "status")
                .agg(dp.len(), pl.col("price").fill_nan(0.0).fill_null(0.0).dp.sum(work.PRICES))
                .with_keys(pl.LazyFrame([(flag, status) for flag in work.FLAGS for status in work.STATUSES], schema=["flag", "status"], orient="row"))
            )
            assert query.release().collect().height == 6

        return ask

    def answers(self, rows, name):
        dp = self.dp
        pl = self.polars
        data = pl.LazyFrame(rows, schema=["race", "age"], orient="row")
        count = dp.len().alias("COUNT")
        total = pl.col("age").fill_null(work.AGES[0]).dp.sum(work.AGES).alias("SUM")
        asked = {"COUNT": [count], "SUM": [total], "AVG": [count, total]}[name]
        context = self.context(data, dp.unit_of(contributions=1), ["race"], len(rows), 1)
        measurement = context.query().group_by("race").agg(*asked).resolve()  # the search for its scale takes a second
        for _ in range(work.RUNS):
            answer = measurement(data).collect()
            if name == "AVG":
                answer = answer.with_columns((pl.col("SUM") / pl.max_horizontal("COUNT", 1)).alias("AVG"))
            yield dict(answer.select("race", name).rows())


def times_of(peer):
    for thousands in work.THOUSANDS:
        seconds = median_seconds(peer.question(thousands), 3)
        yield {"work": f"{work.TIME}/{thousands}", "peer": peer.name, "items_per_second": thousands * 1000 / seconds}


def main():
    results = []
    own = rows = None
    try:
        rows = work.read_adult()
        own = work.gauze_errors(rows)
    except OSError as problem:
        print(f"errors are left out: {problem}", file=sys.stderr)
    for make in (PipelineDp, OpenDp):
        try:
            peer = make()
            results += list(times_of(peer))
            if rows is not None:
                exact = work.truth(rows)
                errors = {name: work.error_of(list(peer.answers(rows, name)), exact[name]) for name in work.AGGREGATES}
                results += work.compared(peer.name, own, errors)
        except Exception as problem:  # one broken library must not hide the others
            print(f"{make.name}: {type(problem).__name__}: {problem}", file=sys.stderr)
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
